import type { Command } from "commander";
import { describeImport } from "./describe-import.js";
import { withOperator, withSetup } from "./operator.js";
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

interface VocabularyOptions {
  readonly skipRefused: boolean;
  readonly replace: boolean;
  readonly dryRun: boolean;
  readonly json?: boolean;
}

function addVocabularyImport(command: Command, { config, failed }: Surroundings): void {
  command
    .command("vocabulary")
    .description(
      "load items from a YAML, JSON or NDJSON file, gzipped or not; ids that the file lacks stay, and of an item the " +
        "fields that its line lacks; an empty value clears a field",
    )
    .argument("<name>", "vocabulary, e.g. organisms")
    .argument("<file>")
    .option("--replace", "make each line the whole item: what the line lacks is removed from it", false)
    .option("--dry-run", "write nothing, and show what would change", false)
    .option("--skip-refused", "load the good items of a file that has bad ones", false)
    .option("--json", "print the summary as JSON")
    .action(async (vocabulary: string, file: string, options: VocabularyOptions) => {
      const { skipRefused, replace, dryRun } = options;
      const asked = { vocabulary, file, skipRefused, dryRun, mode: replace ? "replace" : "merge" } as const;
      const summary = await withProgress(file, ({ onProgress }) =>
        // A look at what would be done makes no store.
        (dryRun ? withOperator : withSetup)(config(), (services) => services.importTerms({ ...asked, onProgress })),
      );
      const isRefused = summary.refused.length > 0 && !skipRefused;
      if (isRefused) failed();
      if (options.json) return writeJson(summary);
      printRefused(file, summary.refused);
      if (isRefused && !dryRun) {
        writeError(
          `Nothing was imported: ${formatCount(summary.refused.length, "item")} refused (--skip-refused goes on).`,
        );
        return;
      }
      writeOut(describeImport(vocabulary, summary, dryRun));
    });
}

function addRecordsImport(command: Command, { config, failed }: Surroundings): void {
  command
    .command("records")
    .description("load records of one user; a document that was imported before is the same record")
    .argument("<model>", "model, e.g. mst")
    .argument("<file>")
    .requiredOption("--owner <name>", "user who owns the records")
    .option("--publish", "publish them; one with problems is refused (without it, all are saved as drafts)", false)
    .option("--update", "write what differs from the stored record, as an edit (without it, refuse that)", false)
    .option("--keep-drafts", "with --publish: save those with problems as drafts, and report them", false)
    .option("--dry-run", "write nothing, and say what would be done", false)
    .option("--json", "print the summary as JSON")
    .action(async (model: string, file: string, options: RecordOptions) => {
      const { json, ...order } = options;
      const summary = await withProgress(file, ({ onProgress }) =>
        withSetup(config(), (services) => services.importRecords({ model, file, ...order, onProgress })),
      );
      if (summary.refused.length > 0) failed();
      if (json) return writeJson(summary);
      printRefused(file, summary.refused);
      const counts = { ...summary, refused: summary.refused.length };
      const words = (["created", "updated", "unchanged", "refused"] as const).map(
        (what) => `${formatNumber(counts[what])} ${what}`,
      );
      const would = order.dryRun ? "would be " : "";
      writeOut(`${model}: ${would}${words.join(", ")}; ${formatNumber(counts.published)} published`);
    });
}

interface RecordOptions {
  readonly owner: string;
  readonly publish: boolean;
  readonly update: boolean;
  readonly keepDrafts: boolean;
  readonly dryRun: boolean;
  readonly json?: boolean;
}

function printRefused(file: string, refused: readonly Refusal[]): void {
  for (const { line, id, reason } of refused.slice(0, REASONS_MAX)) {
    writeError(`${file}:${line}: ${id === undefined ? "" : `${id}: `}${reason}`);
  }
  if (refused.length > REASONS_MAX) writeError(`... and ${formatCount(refused.length - REASONS_MAX, "more refusal")}`);
}
