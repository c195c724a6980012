import type { Command } from "commander";
import { type Log, makeLog } from "../app/logger.js";
import type { Config } from "../config/schema.js";
import type { Surroundings } from "./surroundings.js";

/** `bindery serve`: runs until SIGTERM or SIGINT. */
export function addServeCommand(program: Command, { config }: Surroundings): void {
  program
    .command("serve")
    .description("serve the API and the page until told to stop (SIGTERM, SIGINT)")
    .action(() => serve(config()));
}

async function serve(config: Config): Promise<void> {
  const log = makeLog(config.logLevel);
  const stop = awaitSignal(log);
  process.on("uncaughtException", (error) => {
    log.logger.fatal({ err: error }, `Bindery ends: ${error.message}`);
    log.flush();
    process.exit(1);
  });
  const { startServer } = await import("../app/serve.js");
  const server = await startServer(config, log.logger);
  log.print(`Bindery serves ${server.url} (data in ${config.data})`);
  const signal = await stop;
  log.logger.info(`${signal}: finishing what runs.`);
  await server.close();
  log.logger.info("Stopped.");
  log.flush();
}

/** The first signal asks for a clean end, which may come while the server still starts; a second one ends at once. */
function awaitSignal(log: Log): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isAsked = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (isAsked) {
          log.flush();
          process.exit(1);
        }
        isAsked = true;
        resolve(signal);
      });
    }
  });
}
