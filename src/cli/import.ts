import type { Command } from "commander";
import { withSetup } from "./operator.js";
import { formatCount, formatNumber, writeError, writeJson, writeOut } from "./output.js";
import { withProgress } from "./progress.js";
import type { Surroundings } from "./surroundings.js";

/** Reasons printed at most; more say the same again. */
const REASONS_MAX = 200;

interface Refusal {
  readonly line: number;
  readonly id?: string;
  readonly reason: string;
}

/** `bindery import vocabulary | records` */
export function addImportCommands(program: Command, surroundings: Surroundings): void {
  const command = program.command("import").description("load files of vocabulary items or of records");
  addVocabularyImport(command, surroundings);
  addRecordsImport(command, surroundings);
}

function addVocabularyImport(command: Command, { config, failed }: Surroundings): void {
  command
    .command("vocabulary")
    .description("load items from a YAML, JSON or NDJSON file, gzipped or not; ids that the file lacks stay")
    .argument("<name>", "vocabulary, e.g. organisms")
    .argument("<file>")
    .option("--skip-refused", "load the good items of a file that has bad ones", false)
    .option("--json", "print the summary as JSON")
    .action(async (vocabulary: string, file: string, options: { skipRefused: boolean; json?: boolean }) => {
      const { skipRefused } = options;
      const summary = await withProgress(file, ({ onProgress }) =>
        withSetup(config(), (services) => services.importTerms({ vocabulary, file, skipRefused, onProgress })),
      );
      const isRefused = summary.refused.length > 0 && !skipRefused;
      if (isRefused) failed();
      if (options.json) return writeJson(summary);
      printRefused(file, summary.refused);
      if (isRefused) {
        writeError(
          `Nothing was imported: ${formatCount(summary.refused.length, "item")} refused (--skip-refused goes on).`,
        );
        return;
      }
      const counts = { ...summary, refused: summary.refused.length };
      const words = (["new", "changed", "unchanged", "refused"] as const).map(
        (what) => `${formatNumber(counts[what])} ${what}`,
      );
      writeOut(`${vocabulary}: ${words.join(", ")}`);
    });
}

function addRecordsImport(command: Command, { config, failed }: Surroundings): void {
  command
    .command("records")
    .description("load records as drafts of one user")
    .argument("<model>", "model, e.g. mst")
    .argument("<file>")
    .requiredOption("--owner <name>", "user who owns the records")
    .option("--publish", "publish those that are valid", false)
    .option("--json", "print the summary as JSON")
    .action(async (model: string, file: string, options: { owner: string; publish: boolean; json?: boolean }) => {
      const { owner, publish } = options;
      const summary = await withProgress(file, ({ onProgress }) =>
        withSetup(config(), (services) => services.importRecords({ model, file, owner, publish, onProgress })),
      );
      if (summary.refused.length > 0) failed();
      if (options.json) return writeJson(summary);
      printRefused(file, summary.refused);
      const rest = `${formatNumber(summary.published)} published, ${formatNumber(summary.refused.length)} refused`;
      writeOut(`${model}: ${formatCount(summary.created, "draft")} made, ${rest}`);
    });
}

function printRefused(file: string, refused: readonly Refusal[]): void {
  for (const { line, id, reason } of refused.slice(0, REASONS_MAX)) {
    writeError(`${file}:${line}: ${id === undefined ? "" : `${id}: `}${reason}`);
  }
  if (refused.length > REASONS_MAX) writeError(`... and ${formatCount(refused.length - REASONS_MAX, "more refusal")}`);
}
