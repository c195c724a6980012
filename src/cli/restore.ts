import type { Command } from "commander";
import { tellDamaged } from "./backup.js";
import { formatCount, formatNumber, writeJson, writeOut } from "./output.js";
import type { Surroundings } from "./surroundings.js";

/** `bindery restore FILE [--force]` */
export function addRestoreCommand(program: Command, { config }: Surroundings): void {
  program
    .command("restore")
    .description("put a backup into the data folder; the service must be stopped")
    .argument("<file>", "what `bindery backup` made")
    .option("--force", "where there is a database already: keep it beside, and go on", false)
    .option("--json", "print JSON")
    .action(async (file: string, { force, json }: { force: boolean; json?: boolean }) => {
      const { restoreData } = await import("../app/open-engines.js");
      const summary = await restoreData(config(), file, force);
      if (json) return writeJson(summary);
      const { bytes, records, terms, lastChange, kept } = summary;
      const content = `${formatCount(records, "record")}, ${formatCount(terms, "item")}, last change ${lastChange}`;
      writeOut(`Restored ${file}: ${formatNumber(bytes)} bytes, ${content}`);
      tellDamaged(summary.damaged, "An older backup may have it as it was");
      if (kept !== undefined) writeOut(`What was there before is kept as ${kept}`);
    });
}
