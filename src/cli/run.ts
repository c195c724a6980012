import { Command, CommanderError } from "commander";
import { readVersion } from "../app/composition/package-root.js";
import { explainFileError } from "../app/composition/startup-errors.js";
import { BinderyError } from "../core/errors.js";
import { addTokenCommands, addUserCommands } from "./accounts.js";
import { addAuditCommand } from "./audit.js";
import { addAuthorityCommands } from "./authority.js";
import { addCatalogCommands } from "./catalog.js";
import { addTermCommands } from "./curation.js";
import { addDemoCommand } from "./demo.js";
import { addImportCommands, addValidateCommand } from "./import.js";
import { addRefreshCommand, addReindexCommand, addVerifyCommand } from "./maintenance.js";
import { addMatchCommands } from "./match.js";
import type { CommandContext } from "./operator.js";
import { writeError } from "./output.js";
import { addConfigCommand, addServeCommand } from "./serve.js";
import { addStatusCommand } from "./status.js";
import { addBackupCommand, addDumpCommand, addLoadCommand, addRestoreCommand } from "./transfer.js";
import { addWebhookCommands } from "./webhook.js";

/** Exit codes: success, refusal or failure, and a wrong command line. */
export const EXIT = { done: 0, markFailed: 1, usage: 2 } as const;

const EXAMPLES = `
Examples:
  $ bindery serve
  $ bindery demo
  $ bindery user add alice
  $ bindery token create --user alice --scope records:write --expires 90d
  $ bindery import vocabulary organisms organisms.yaml
  $ bindery authority load ncbi taxdump.tar.gz
  $ bindery validate mst records.jsonl
  $ bindery match affiliations people.csv --column affiliation
  $ bindery backup bindery.bak

Settings come from the environment (BINDERY_...); \`bindery config --help\` explains each.`;

/**
 * Runs one command line.
 *
 * @param args arguments after `bindery`
 * @param config returns the configuration; called when a command needs it
 * @param catalog returns the catalog of a configuration; by default reads it from its files
 * @returns the exit code, see `EXIT`
 */
export async function run(
  args: readonly string[],
  config: CommandContext["config"],
  catalog: CommandContext["catalog"] = readCatalog,
): Promise<number> {
  let code: number = EXIT.done;
  const context: CommandContext = {
    config,
    catalog,
    failed: () => {
      code = EXIT.markFailed;
    },
  };
  try {
    await makeProgram(context).parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    // Commander has printed the problem. Exit code 0 means that it has printed the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    writeError(explain(error));
    return EXIT.markFailed;
  }
}

/** Reads the catalog. Loads the modules lazily, because help and wrong command lines do not need them. */
const readCatalog: CommandContext["catalog"] = async (config) => {
  const { openCatalog } = await import("../app/composition/open-catalog.js");
  return openCatalog(config);
};

/** Returns the table of all commands, with their help. */
export function makeProgram(context: CommandContext): Command {
  const program = new Command("bindery")
    .description("A research-data repository service: metadata records, full-text search, controlled vocabularies.")
    .version(readVersion())
    .exitOverride()
    .configureOutput({ writeErr: (text) => writeError(text.trimEnd().split("\n")) })
    .showHelpAfterError("(see --help)")
    .addHelpText("after", EXAMPLES);
  addServeCommand(program, context);
  addStatusCommand(program, context);
  addReindexCommand(program, context);
  addImportCommands(program, context);
  addAuthorityCommands(program, context);
  addTermCommands(program, context);
  addValidateCommand(program, context);
  addMatchCommands(program, context);
  addDemoCommand(program, context);
  addUserCommands(program, context);
  addTokenCommands(program, context);
  addAuditCommand(program, context);
  addWebhookCommands(program, context);
  addCatalogCommands(program, context);
  addRefreshCommand(program, context);
  addVerifyCommand(program, context);
  addBackupCommand(program, context);
  addDumpCommand(program, context);
  addLoadCommand(program, context);
  addRestoreCommand(program, context);
  addConfigCommand(program, context);
  return program;
}

/** Errors whose messages are lists of lines. */
const SEVERAL_LINES: ReadonlySet<string> = new Set(["ConfigError", "StartupError", "CatalogError"]);

/** Describes an error in lines for the operator, without a stack trace. */
function explain(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  if (SEVERAL_LINES.has(error.name)) return error.message.split("\n");
  const issues = error instanceof BinderyError ? error.issues : [];
  const cure = error instanceof BinderyError && error.code === "STORE_UNAVAILABLE" ? error.params.cure : undefined;
  if (typeof cure === "string") return [`${error.message} ${cure}`];
  const file = explainFileError(error);
  if (file !== undefined) return [file];
  const lines = issues.map((issue) => `  ${issue.field}: ${issue.messages.join(" ")}`);
  return lines.length === 1 && lines[0]!.endsWith(error.message) ? [error.message] : [error.message, ...lines];
}
