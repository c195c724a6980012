import { makeReporter } from "../app/monitoring/background-reports.js";
import { unpackError } from "../app/rpc/rpc.js";
import { describeDataPlace } from "../config/derived.js";
import type { Config } from "../config/schema.js";
import { BACKGROUND_TASKS, type BackgroundReporter } from "../core/background.js";
import type { Catalog } from "../core/catalog/types.js";
import type { OperatorServices, Services } from "../services/use-cases.js";
import { endingOnSignals, writeError } from "./output.js";

/** Prints each kind of error in background work once. A command has no log. */
const WARNINGS: BackgroundReporter = makeReporter((report) => {
  if (report.kind === "error")
    writeError(`${BACKGROUND_TASKS[report.task]} failed: ${unpackError(report.error).message}`);
});

/** Context of all commands. */
export interface CommandContext {
  /** Returns the configuration. Commands call it late, so `--help` works with a bad one. @throws ConfigError */
  readonly config: () => Config;
  /** Reads the catalog of a configuration. @throws CatalogError */
  readonly catalog: (config: Config) => Promise<Catalog>;
  /** Sets the exit code to `EXIT.failed`. */
  readonly failed: () => void;
}

/** Runs `work` on an existing store without writing, creating or migrating anything. */
export async function withReader<T>(
  context: CommandContext,
  work: (services: Services & OperatorServices) => Promise<T>,
): Promise<T> {
  return withEngine(context, "reader", work);
}

/** Runs `work` on an existing store as a whole, without creating one and without background work. */
export async function withStoreAdmin<T>(
  context: CommandContext,
  work: (services: OperatorServices) => Promise<T>,
): Promise<T> {
  return withEngine(context, "admin", work);
}

/** Runs `work` on an existing store, whether a server is running or not. */
export async function withOperator<T>(
  context: CommandContext,
  work: (services: Services & OperatorServices) => Promise<T>,
): Promise<T> {
  return withEngine(context, "command", (services) => endingOnSignals(() => work(services)));
}

/** Runs `work` on a store, which it creates if there is none, as the first start of a server does. */
export async function withSetup<T>(
  context: CommandContext,
  work: (services: Services & OperatorServices) => Promise<T>,
): Promise<T> {
  return withEngine(context, "setup", async (services) => {
    await services.loadStarters();
    return endingOnSignals(() => work(services));
  });
}

async function withEngine<T>(
  { config, catalog }: CommandContext,
  role: "command" | "setup" | "reader" | "admin",
  work: (services: Services & OperatorServices) => Promise<T>,
): Promise<T> {
  // Loads engines lazily, because help and wrong command lines do not need them.
  const { compose } = await import("../app/composition/compose.js");
  const { IMPORT_OPTIONS, startPreparing } = await import("../app/threads/start-preparing.js");
  const values = config();
  const openedCatalog = await catalog(values);
  const preparing = startPreparing({ config: values, catalog: openedCatalog }, WARNINGS, IMPORT_OPTIONS);
  const options = { role, background: WARNINGS, readElsewhere: preparing, textBuilder: preparing };
  const { services, isNew, close } = await compose(values, openedCatalog, options);
  if (isNew) writeError(`Created a new store in ${describeDataPlace(values)}.`);
  try {
    return await work(services);
  } finally {
    // The writing connection closes last, because that empties and removes SQLite's log.
    await preparing.close();
    await close();
  }
}
