import { basename } from "node:path";
import type { Command } from "commander";
import type { CommandContext } from "./command-context.js";
import { describeImport } from "./describe-import.js";
import { withReport } from "./load-report.js";
import { withOperator, withSetup } from "./operator.js";
import { formatCount, formatNumber, writeError, writeJson, writeOut } from "./output.js";
import { withProgress } from "./progress.js";

/** Reasons printed at most; more say the same again. */
const REASONS_MAX = 200;

/** Is a file of a dump the dump itself, perhaps unpacked? */
const isNameOf = (file: string, part: string): boolean => basename(file).replace(/\.gz$/, "") === part;

interface Refusal {
  /** File of a dump, in which the line is. */
  readonly part?: string;
  readonly line: number;
  readonly id?: string;
  readonly reason: string;
}

export const SYNC_HELP =
  "treat the file as the complete content of its source: deprecates terms of the source that are missing, and keeps " +
  "changes by curators";
export const REPORT_HELP = "write the changes of each term, field by field, into a file of JSON lines";

/** `bindery import vocabulary | records` */
export function addImportCommands(program: Command, context: CommandContext): void {
  const command = program.command("import").description("load files of terms or of records");
  addVocabularyImport(command, context);
  addRecordsImport(command, context);
}

interface VocabularyOptions {
  readonly skipRefused: boolean;
  readonly replace: boolean;
  readonly sync: boolean;
  readonly source?: string;
  readonly report?: string;
  readonly dryRun: boolean;
  readonly json?: boolean;
}

function addVocabularyImport(command: Command, context: CommandContext): void {
  command
    .command("vocabulary")
    .description(
      "load terms from a YAML, JSON, NDJSON or CSV file, gzipped or not; keeps terms that are not in the file and " +
        "fields that are not in a line; an empty value clears a field",
    )
    .argument("<name>", "vocabulary, e.g. organisms")
    .argument("<file>")
    .option("--replace", "replace whole terms: removes fields that are not in the line", false)
    .option("--sync", SYNC_HELP, false)
    .option("--source <name>", "name of the source of the terms, if files from several sources are loaded", "import")
    .option("--report <file>", REPORT_HELP)
    .option("--dry-run", "only show the changes; write nothing", false)
    .option("--skip-refused", "load the valid terms of a file that also has invalid ones", false)
    .option("--json", "print the summary as JSON")
    .action(async (vocabulary: string, file: string, { report, replace, json, ...options }: VocabularyOptions) => {
      const { skipRefused, dryRun } = options;
      const asked = { vocabulary, file, ...options, mode: replace ? "replace" : "merge" } as const;
      const summary = await withProgress(file, ({ onProgress }) =>
        withReport(report, (reporting) =>
          // A look at what would be done makes no store.
          (dryRun ? withOperator : withSetup)(context, (services) =>
            services.importTerms({ ...asked, ...reporting, onProgress }),
          ),
        ),
      );
      const isRefused = summary.refused.length > 0 && !skipRefused;
      if (isRefused) context.failed();
      if (json) return writeJson(summary);
      printRefused(file, summary.refused);
      if (isRefused && !dryRun) {
        writeError(
          `Nothing was imported: ${formatCount(summary.refused.length, "term")} refused (--skip-refused loads others).`,
        );
        return;
      }
      writeOut(describeImport(vocabulary, summary, dryRun));
    });
}

function addRecordsImport(command: Command, context: CommandContext): void {
  command
    .command("records")
    .description("load records of one user; a document that was imported before is recognized as the same record")
    .argument("<model>", "model, e.g. mst")
    .argument("<file>")
    .requiredOption("--owner <name>", "user who owns the records")
    .option(
      "--publish",
      "publish the records and refuse those with problems (without it, all are saved as drafts)",
      false,
    )
    .option("--update", "edit stored records that differ from the file (without it, such documents are refused)", false)
    .option("--keep-drafts", "with --publish: save records with problems as drafts, and report them", false)
    .option("--dry-run", "only report the changes; write nothing", false)
    .option("--json", "print the summary as JSON")
    .action(async (model: string, file: string, options: RecordOptions) => {
      const { json, ...order } = options;
      const summary = await withProgress(file, ({ onProgress }) =>
        withSetup(context, (services) => services.importRecords({ model, file, ...order, onProgress })),
      );
      if (summary.refused.length > 0) context.failed();
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

/** @param file of which the reasons are; of a dump with several files each names its own */
export function printRefused(file: string, refused: readonly Refusal[]): void {
  for (const { part, line, id, reason } of refused.slice(0, REASONS_MAX)) {
    const place = part === undefined || isNameOf(file, part) ? file : `${file}: ${part}`;
    writeError(`${place}:${line}: ${id === undefined ? "" : `${id}: `}${reason}`);
  }
  if (refused.length > REASONS_MAX) writeError(`... and ${formatCount(refused.length - REASONS_MAX, "more refusal")}`);
}
