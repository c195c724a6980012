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
