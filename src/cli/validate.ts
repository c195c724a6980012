import type { Command } from "commander";
import { BinderyError } from "../core/errors.js";
import type { ValidatedDocument } from "../services/api/record-services.js";
import type { CommandContext } from "./command-context.js";
import { withReader } from "./operator.js";
import { formatCount, formatNumber, writeJsonLine, writeOut } from "./output.js";
import { withProgress } from "./progress.js";

interface ValidateOptions {
  readonly warnings?: boolean;
  readonly json?: boolean;
}

/** `bindery validate MODEL FILE [--warnings] [--json]` */
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
        ? printJson
        : (document: ValidatedDocument) => writeOut(lines(file, document, warnings === true));
      try {
        const counts = await withProgress(file, ({ onProgress, hide }) => {
          const onDocument = (document: ValidatedDocument): void => {
            hide();
            print(document);
          };
          return withReader(context, (services) => services.validateFile({ model, file, onDocument, onProgress }));
        });
        if (counts.invalid > 0) context.failed();
        if (!json) writeOut(`${model}: ${describe(counts)}`);
      } catch (error) {
        if (error instanceof BinderyError && error.code === "MODEL_NOT_FOUND") command.error(error.message);
        throw error;
      }
    });
}

function printJson({ line, errors, warnings }: ValidatedDocument): void {
  writeJsonLine({ line, valid: errors.length === 0, errors, warnings });
}

/** `records.jsonl:3: metadata.title: ...`, one line for each error, and for each warning where these are wanted. */
function lines(file: string, { line, errors, warnings }: ValidatedDocument, showsWarnings: boolean): readonly string[] {
  const print = (what: string, field: string | undefined, message: string): string =>
    [`${file}:${line}`, ...[what, field].filter(Boolean), message].join(": ");
  return [
    ...errors.map(({ field, messages }) => print("", field, messages.join(" "))),
    ...(showsWarnings ? warnings.map(({ field, message }) => print("warning", field, message)) : []),
  ];
}

function describe(counts: { readonly valid: number; readonly invalid: number; readonly warnings: number }): string {
  const { valid, invalid, warnings } = counts;
  const words = [formatCount(valid + invalid, "record"), `${formatNumber(valid)} valid`];
  if (invalid > 0) words.push(`${formatNumber(invalid)} not valid`);
  if (warnings > 0) words.push(formatCount(warnings, "warning"));
  return words.join(", ");
}
