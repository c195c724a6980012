import type { Config } from "../config/schema.js";
import type { Catalog } from "../core/catalog/types.js";

/** What a command needs of its context. */
export interface CommandContext {
  /** The configuration, read when a command needs it: `--help` works beside a bad one. @throws ConfigError */
  readonly config: () => Config;
  /** Reads the catalog that a configuration names. @throws CatalogError */
  readonly catalog: (config: Config) => Promise<Catalog>;
  /** A command that was understood but did not do what it was asked to. */
  readonly failed: () => void;
}
