import type { Command } from "commander";
import { tellDamaged } from "./backup.js";
import type { CommandContext } from "./command-context.js";
import { formatCount, formatNumber, writeJson, writeOut } from "./output.js";

/** `bindery restore FILE [--force]` */
export function addRestoreCommand(program: Command, { config }: CommandContext): void {
  program
    .command("restore")
    .description("restore a backup into the data folder; the service must be stopped")
    .argument("<file>", "a file that `bindery backup` wrote")
    .option("--force", "if there is a database already: rename it and continue", false)
    .option("--json", "print JSON")
    .action(async (file: string, { force, json }: { force: boolean; json?: boolean }) => {
      const { restoreData } = await import("../app/composition/open-engines.js");
      const summary = await restoreData(config(), file, force);
      if (json) return writeJson(summary);
      const { bytes, records, terms, lastChange, kept } = summary;
      const content = `${formatCount(records, "record")}, ${formatCount(terms, "term")}, last change ${lastChange}`;
      writeOut(`Restored ${file}: ${formatNumber(bytes)} bytes, ${content}`);
      tellDamaged(summary.damaged, "An older backup may have it as it was");
      if (kept !== undefined) writeOut(`The previous database was renamed to ${kept}`);
    });
}
