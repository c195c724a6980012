import type { Command } from "commander";
import { withUpkeep } from "./operator.js";
import { formatCount, formatNumber, writeJson, writeOut } from "./output.js";
import type { Surroundings } from "./surroundings.js";

/** `bindery backup FILE [--force]` */
export function addBackupCommand(program: Command, { config }: Surroundings): void {
  program
    .command("backup")
    .description("copy the whole store, as it is at one moment, into one file; the service goes on")
    .argument("<file>", "the copy; its folder must exist")
    .option("--force", "overwrite a file that is there", false)
    .option("--json", "print JSON")
    .action(async (file: string, { force, json }: { force: boolean; json?: boolean }) => {
      const summary = await withUpkeep(config(), (services) => services.backupStore(file, force));
      if (json) return writeJson(summary);
      const { bytes, records, terms, lastChange } = summary;
      const content = `${formatCount(records, "record")}, ${formatCount(terms, "item")}, last change ${lastChange}`;
      writeOut(`${summary.file}: ${formatNumber(bytes)} bytes, ${content}`);
    });
}
