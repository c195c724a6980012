import { type Command, InvalidArgumentError, Option } from "commander";
import { LIMITS } from "../core/limits.js";
import type { MatchFileRequest } from "../services/api/vocabularies.js";
import { type CommandContext, withReader } from "./operator.js";
import { formatCount, formatNumber, writeError, writeText } from "./output.js";
import { withProgress } from "./progress.js";

interface MatchOptions {
  readonly excel?: NonNullable<MatchFileRequest["excel"]>;
  readonly column?: string;
  readonly minConfidence: number;
  readonly vocabulary?: string;
}

/**
 * Adds `bindery match affiliations FILE [--column <name>] [--min-confidence <number>] [--excel <separator>]
 * [--vocabulary <name>]`.
 */
export function addMatchCommands(program: Command, context: CommandContext): void {
  const command = program.command("match").description("match texts with the terms of a vocabulary");
  command
    .command("affiliations")
    .description(
      "find the organisations that affiliations name: prints the rows of a CSV file with the most likely " +
        "organisation, its confidence, and alternatives; writes nothing to the store",
    )
    .argument("<file>", "CSV with a header, gzipped or not")
    .option("--column <name>", 'column of the affiliations (default: the only one, or "affiliation")')
    .option("--min-confidence <number>", "minimum confidence of a match, from 0 to 1", readConfidence, 0.5)
    .addOption(
      new Option(
        "--excel <separator>",
        "write CSV for Excel: semicolon in countries with a decimal comma, else comma",
      ).choices(["semicolon", "comma"]),
    )
    .option("--vocabulary <name>", "vocabulary of the organisations (default: affiliations)")
    .action(async (file: string, options: MatchOptions) => {
      const { rows, matched, cut } = await withProgress(file, ({ onProgress, hide }) => {
        const onText = (csv: string): void => {
          hide();
          writeText(csv);
        };
        return withReader(context, (services) => services.matchAffiliations({ file, ...options, onText, onProgress }));
      });
      writeError(`${formatCount(rows, "row")}, ${formatNumber(matched)} with a match`);
      if (cut === 0) return;
      const limit = formatNumber(LIMITS.affiliationLengthMax);
      writeError(`${formatCount(cut, "affiliation")} of more than ${limit} characters: only the beginning was read`);
    });
}

function readConfidence(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("It is a number from 0 to 1, such as 0.8.");
}
