import type { Command } from "commander";
import type { CommandContext } from "./command-context.js";
import { withStoreAdmin } from "./operator.js";
import { formatCount, formatNumber, writeError, writeJson, writeOut } from "./output.js";

/** `bindery backup FILE [--force]` */
export function addBackupCommand(program: Command, context: CommandContext): void {
  program
    .command("backup")
    .description("copy a consistent snapshot of the whole store into one file; the service may be running")
    .argument("<file>", "the copy; its folder must exist")
    .option("--force", "overwrite an existing file", false)
    .option("--json", "print JSON")
    .action(async (file: string, { force, json }: { force: boolean; json?: boolean }) => {
      const summary = await withStoreAdmin(context, (services) => services.backupStore(file, force));
      if (summary.damaged.length > 0) context.failed();
      if (json) return writeJson(summary);
      const { bytes, records, terms, lastChange } = summary;
      const content = `${formatCount(records, "record")}, ${formatCount(terms, "term")}, last change ${lastChange}`;
      tellDamaged(summary.damaged, "Keep the backups before this one");
      writeOut(`${summary.file}: ${formatNumber(bytes)} bytes, ${content}`);
    });
}

/** Ids that are named; the others are counted. */
const NAMED_MAX = 20;

/** Says which records of a copy are damaged. @param cure what is to be done about it */
export function tellDamaged(ids: readonly string[], cure: string): void {
  if (ids.length === 0) return;
  const named = ids.slice(0, NAMED_MAX).join(", ") + (ids.length > NAMED_MAX ? " ..." : "");
  writeError(`The copy has ${formatCount(ids.length, "record")} with a wrong checksum: ${named}. ${cure}.`);
}

/** `bindery restore FILE [--force]` */
export function addRestoreCommand(program: Command, { config }: CommandContext): void {
  program
    .command("restore")
    .description("restore a backup into the data folder; the service must be stopped")
    .argument("<file>", "a file that `bindery backup` wrote")
    .option("--force", "if there is a database already: rename it and continue", false)
    .option("--json", "print JSON")
    .action(async (file: string, { force, json }: { force: boolean; json?: boolean }) => {
      const { restoreData } = await import("../app/composition/data-folder.js");
      const summary = await restoreData(config(), file, force);
      if (json) return writeJson(summary);
      const { bytes, records, terms, lastChange, kept } = summary;
      const content = `${formatCount(records, "record")}, ${formatCount(terms, "term")}, last change ${lastChange}`;
      writeOut(`Restored ${file}: ${formatNumber(bytes)} bytes, ${content}`);
      tellDamaged(summary.damaged, "An older backup may have it as it was");
      if (kept !== undefined) writeOut(`The previous database was renamed to ${kept}`);
    });
}
