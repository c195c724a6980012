import { type Command, InvalidArgumentError } from "commander";
import { Value } from "typebox/value";
import { type Log, makeLog } from "../app/monitoring/logger.js";
import { END_SIGNALS } from "../app/processes/signals.js";
import { describeDataPlace } from "../config/derived.js";
import { type Config, ConfigSchema } from "../config/schema.js";
import { explainSetting, SETTINGS, showValue } from "../config/settings.js";
import type { CommandContext } from "./operator.js";
import { formatTable, writeJson, writeOut } from "./output.js";

/** Adds `bindery serve`, which runs until a signal ends it. */
export function addServeCommand(program: Command, { config }: CommandContext): void {
  program
    .command("serve")
    .description("serve the API and the web page until SIGTERM or SIGINT")
    .option("--workers <n>", "processes that serve requests; takes precedence over BINDERY_WORKERS", readWorkers)
    .action(({ workers }: { workers?: number }) => {
      const settings = config();
      return serve({ ...settings, workers: workers ?? settings.workers });
    });
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
  log.print(`Bindery serves ${server.url} (data in ${describeDataPlace(config)})`);
  const signal = await stop;
  log.logger.info(`${signal}: finishing running requests.`);
  await server.close();
  log.logger.info("Stopped.");
  await log.close();
  // Exits even if a blocked reader of stdout or stderr would keep the process alive.
  process.exit();
}

/** Waits for a signal to stop, which may arrive during the start. A second signal ends the program at once. */
function awaitSignal(log: Log): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of END_SIGNALS) {
      process.on(signal, () => {
        if (isStopping) {
          log.flushNow();
          process.exit(1);
        }
        isStopping = true;
        resolve(signal);
      });
    }
  });
}

/** Adds `bindery config`, which prints all settings with their values. Hides passwords. */
export function addConfigCommand(program: Command, { config }: CommandContext): void {
  program
    .command("config")
    .description("print every setting and its value; --help explains each")
    .option("--json", "print JSON")
    .addHelpText("after", `\n${explainSettings()}`)
    .action(({ json }: { json?: boolean }) => {
      const values = config();
      const shown = SETTINGS.map((setting) => [setting.variable, showValue(setting, values[setting.name])] as const);
      if (json) writeJson(Object.fromEntries(shown));
      else writeOut(formatTable(shown));
    });
}

function explainSettings(): string {
  const blocks = SETTINGS.map((setting) => {
    const { variable, allowed, default: value } = setting;
    return `${variable}\n    ${explainSetting(setting)}\n    ${allowed}; default: ${value === "" ? "empty" : value}`;
  });
  return `Settings, read from the environment:\n\n${blocks.join("\n\n")}`;
}
