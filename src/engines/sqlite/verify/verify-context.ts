import type { Catalog } from "../../../core/catalog/types.js";
import type { Db } from "../connection/database.js";
import type { PathDictionary } from "../documents/path-dictionary.js";
import type { Report } from "./report.js";

/** What the checks work with: one state of the file, on a connection that only reads. */
export interface VerifyContext {
  readonly db: Db;
  readonly catalog: Catalog;
  readonly paths: PathDictionary;
  /** See `RecordWriting`. */
  readonly facetPaths: ReadonlySet<string>;
  readonly report: Report;
}

/** A record as findings name it. */
export const nameOf = (id: string, state: number | string): string =>
  `${id} (${state === 0 || state === "draft" ? "draft" : "published"})`;
