import { makeReporter } from "../app/monitoring/background-reports.js";
import { unpackError } from "../app/rpc/rpc.js";
import { describeData } from "../config/derived.js";
import { BACKGROUND_TASKS, type BackgroundReporter } from "../core/background.js";
import type { OperatorServices, Services } from "../services/api/services.js";
import type { CommandContext } from "./command-context.js";
import { endingOnSignals, writeError } from "./output.js";

/** A command has no log: each error of its background work is a line, once. */
const WARNINGS: BackgroundReporter = makeReporter((report) => {
  if (report.kind === "error")
    writeError(`${BACKGROUND_TASKS[report.task]} failed: ${unpackError(report.error).message}`);
});

/** Runs `work` on the store as it is: nothing is made, written or migrated. */
export async function withReader<T>(
  context: CommandContext,
  work: (services: Services & OperatorServices) => Promise<T>,
): Promise<T> {
  return withEngine(context, "reader", work);
}

/** Runs `work` on the store as a whole, which is there: nothing is made, and no background work runs meanwhile. */
export async function withStoreAdmin<T>(
  context: CommandContext,
  work: (services: OperatorServices) => Promise<T>,
): Promise<T> {
  return withEngine(context, "admin", work);
}

/** Runs `work` on a store that is there, beside a running server or without one. */
export async function withOperator<T>(
  context: CommandContext,
  work: (services: Services & OperatorServices) => Promise<T>,
): Promise<T> {
  return withEngine(context, "command", (services) => endingOnSignals(() => work(services)));
}

/** As `withOperator`, for what fills a store: where there is none it is made, as the first start of a server does. */
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
  // Lazily: help and mistakes need no engine.
  const { compose } = await import("../app/composition/compose.js");
  const { IMPORT_OPTIONS, startPreparing } = await import("../app/threads/start-preparing.js");
  const values = config();
  const read = await catalog(values);
  const preparing = startPreparing({ config: values, catalog: read }, WARNINGS, IMPORT_OPTIONS);
  const options = { role, background: WARNINGS, readElsewhere: preparing, textBuilder: preparing };
  const { services, isNew, close } = await compose(values, read, options);
  if (isNew) writeError(`Created a new store in ${describeData(values)}.`);
  try {
    return await work(services);
  } finally {
    // Who writes closes last: that empties the log and removes it.
    await preparing.close();
    await close();
  }
}
