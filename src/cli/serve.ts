import { type Command, InvalidArgumentError } from "commander";
import { Value } from "typebox/value";
import { type Log, makeLog } from "../app/monitoring/logger.js";
import { END_SIGNALS } from "../app/processes/signals.js";
import { describeData } from "../config/derived.js";
import { type Config, ConfigSchema } from "../config/schema.js";
import { SETTINGS } from "../config/settings.js";
import type { CommandContext } from "./command-context.js";

/** `bindery serve`: runs until a signal asks it to end. */
export function addServeCommand(program: Command, { config }: CommandContext): void {
  program
    .command("serve")
    .description("serve the API and the web page until SIGTERM or SIGINT")
    .option("--workers <n>", "processes that serve requests; takes precedence over BINDERY_WORKERS", readWorkers)
    .action(({ workers }: { workers?: number }) =>
      serve({ ...config(), ...(workers === undefined ? {} : { workers }) }),
    );
}

function readWorkers(text: string): number {
  const workers = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (Value.Check(ConfigSchema.properties.workers, workers)) return workers;
  throw new InvalidArgumentError(`It must be ${SETTINGS.find(({ name }) => name === "workers")?.allowed}.`);
}

async function serve(config: Config): Promise<void> {
  const log = makeLog(config.logLevel);
  const stop = awaitSignal(log);
  process.on("uncaughtException", (error) => {
    log.logger.fatal({ err: error }, `Bindery stops: ${error.message}`);
    log.flushNow();
    process.exit(1);
  });
  const { startServer } = await import("../app/start-service.js");
  const server = await startServer(config, log);
  log.print(`Bindery serves ${server.url} (data in ${describeData(config)})`);
  const signal = await stop;
  log.logger.info(`${signal}: finishing running requests.`);
  await server.close();
  log.logger.info("Stopped.");
  await log.close();
  // A reader of stdout or stderr that takes nothing must not keep the process alive.
  process.exit();
}

/**
 * Returns the first signal that asks for an end, which may come while the server still starts. A second one ends the
 * program at once.
 */
function awaitSignal(log: Log): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isAsked = false;
    for (const signal of END_SIGNALS) {
      process.on(signal, () => {
        if (isAsked) {
          log.flushNow();
          process.exit(1);
        }
        isAsked = true;
        resolve(signal);
      });
    }
  });
}
