import type { Command } from "commander";
import { BinderyError } from "../core/errors.js";
import type { ValidatedDocument } from "../services/api/records.js";
import { describeImport, printRefused, withReport } from "./import-report.js";
import { type CommandContext, withOperator, withReader, withSetup } from "./operator.js";
import { formatCount, formatNumber, writeError, writeJson, writeJsonLine, writeOut } from "./output.js";
import { withProgress } from "./progress.js";

/** Help of the option `--sync`. */
export const SYNC_HELP =
  "treat the file as the complete content of its source: deprecates terms of the source that are missing, and keeps " +
  "changes by curators";
/** Help of the option `--report`. */
export const REPORT_HELP = "write the changes of each term, field by field, into a file of JSON lines";

/** Adds `bindery import vocabulary | records`. */
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
      const request = { vocabulary, file, ...options, mode: replace ? "replace" : "merge" } as const;
      const summary = await withProgress(file, ({ onProgress }) =>
        withReport(report, (reporting) =>
          // A dry run does not create a store.
          (dryRun ? withOperator : withSetup)(context, (services) =>
            services.importTerms({ ...request, ...reporting, onProgress }),
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
      const { json, ...request } = options;
      const summary = await withProgress(file, ({ onProgress }) =>
        withSetup(context, (services) => services.importRecords({ model, file, ...request, onProgress })),
      );
      if (summary.refused.length > 0) context.failed();
      if (json) return writeJson(summary);
      printRefused(file, summary.refused);
      const counts = { ...summary, refused: summary.refused.length };
      const words = (["created", "updated", "unchanged", "refused"] as const).map(
        (outcome) => `${formatNumber(counts[outcome])} ${outcome}`,
      );
      const would = request.dryRun ? "would be " : "";
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

interface ValidateOptions {
  readonly warnings?: boolean;
  readonly json?: boolean;
}

/** Adds `bindery validate MODEL FILE [--warnings] [--json]`. */
export function addValidateCommand(program: Command, context: CommandContext): void {
  program
    .command("validate")
    .description("validate the records of a file before they are imported or sent; nothing is written")
    .argument("<model>", "model, e.g. mst")
    .argument("<file>", "JSON, NDJSON or YAML, gzipped or not: each record as {metadata: ...}, or its metadata alone")
    .option("--warnings", "print warnings too")
    .option("--json", "print a JSON object per record")
    .action(async (model: string, file: string, { warnings, json }: ValidateOptions, command: Command) => {
      const print = json
        ? printDocumentJson
        : (document: ValidatedDocument) => writeOut(formatIssues(file, document, warnings === true));
      try {
        const counts = await withProgress(file, ({ onProgress, hide }) => {
          const onDocument = (document: ValidatedDocument): void => {
            hide();
            print(document);
          };
          return withReader(context, (services) => services.validateFile({ model, file, onDocument, onProgress }));
        });
        if (counts.invalid > 0) context.failed();
        if (!json) writeOut(`${model}: ${describeValidation(counts)}`);
      } catch (error) {
        if (error instanceof BinderyError && error.code === "MODEL_NOT_FOUND") command.error(error.message);
        throw error;
      }
    });
}

function printDocumentJson({ line, errors, warnings }: ValidatedDocument): void {
  writeJsonLine({ line, valid: errors.length === 0, errors, warnings });
}

/** Formats errors, and warnings on demand, one per line: `records.jsonl:3: metadata.title: ...`. */
function formatIssues(
  file: string,
  { line, errors, warnings }: ValidatedDocument,
  showsWarnings: boolean,
): readonly string[] {
  const format = (severity: string, field: string | undefined, message: string): string =>
    [`${file}:${line}`, ...[severity, field].filter(Boolean), message].join(": ");
  return [
    ...errors.map(({ field, messages }) => format("", field, messages.join(" "))),
    ...(showsWarnings ? warnings.map(({ field, message }) => format("warning", field, message)) : []),
  ];
}

function describeValidation(counts: {
  readonly valid: number;
  readonly invalid: number;
  readonly warnings: number;
}): string {
  const { valid, invalid, warnings } = counts;
  const words = [formatCount(valid + invalid, "record"), `${formatNumber(valid)} valid`];
  if (invalid > 0) words.push(`${formatNumber(invalid)} not valid`);
  if (warnings > 0) words.push(formatCount(warnings, "warning"));
  return words.join(", ");
}
