import { closeSync, openSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { describeChange } from "../core/terms/edited-fields.js";
import type { ImportSummary, SyncOptions } from "../services/api/imports.js";
import { formatCount, formatNumber, writeError } from "./output.js";

/** Describes the result of a vocabulary import in lines. The result of a dry run has examples of changes. */
export function describeImport(vocabulary: string, summary: ImportSummary, isDryRun: boolean): readonly string[] {
  const counts = { ...summary, refused: summary.refused.length };
  const words = (["new", "changed", "unchanged", "refused"] as const).map(
    (outcome) => `${formatNumber(counts[outcome])} ${outcome}${outcome === "changed" ? describeKinds(summary) : ""}`,
  );
  const kept = summary.kept === 0 ? "" : `; ${formatCount(summary.kept, "field")} kept as curators changed them`;
  const first = `${vocabulary}: ${words.join(", ")}${kept}`;
  const lost = describeLost(summary).map((text) => `${isDryRun ? "would lose" : "lost"} ${text}`);
  if (!isDryRun) return [first, ...lost];
  return [`${first} (dry run: nothing was written)`, ...lost, ...describeExamples(summary)];
}

/** Describes kinds of changes with their numbers of terms: ` (3 renamed, 1 merged)`. */
function describeKinds(summary: ImportSummary): string {
  const kinds = (["renamed", "merged", "withdrawn"] as const).filter((kind) => summary[kind] > 0);
  return kinds.length === 0 ? "" : ` (${kinds.map((kind) => `${formatNumber(summary[kind])} ${kind}`).join(", ")})`;
}

/** Describes removed values with their numbers of terms: `the prop "rank": 3 terms`. */
function describeLost({ lost }: ImportSummary): readonly string[] {
  const byName = (kind: string, counts: Readonly<Record<string, number>>): [string, number][] =>
    Object.entries(counts).map(([name, count]) => [`${kind} "${name}"`, count]);
  const losses: [string, number][] = [
    ["their parent", lost.parent],
    ["a synonym", lost.synonyms],
    ...byName("the title in", lost.title),
    ...byName("the prop", lost.props),
  ];
  return losses.filter(([, count]) => count > 0).map(([value, count]) => `${value}: ${formatCount(count, "term")}`);
}

function describeExamples({ examples, changed }: ImportSummary): readonly string[] {
  const lines = examples.flatMap(({ id, fields }) => [
    `${id}:`,
    ...fields.map((change) => `  ${describeChange(change)}`),
  ]);
  const more = changed - examples.length;
  return more > 0 ? [...lines, `... and ${formatCount(more, "more changed term")}`] : lines;
}

type ReportLine = Parameters<NonNullable<SyncOptions["report"]>>[0];

/** Length of a chunk that is written at once, in UTF-16 units. */
const CHUNK_LENGTH = 64 * 1024;

/**
 * Runs a load that writes the outcome for each term to a file of JSON lines, refusals last. Without a file, runs the
 * load without a report.
 * @throws Error if the file cannot be written
 */
export async function withReport<T extends Pick<ImportSummary, "refused">>(
  file: string | undefined,
  load: (options: Pick<SyncOptions, "report">) => Promise<T>,
): Promise<T> {
  if (file === undefined) return load({});
  const output = openOutput(file);
  let text = "";
  const write = (line: object): void => {
    text += `${JSON.stringify(line)}\n`;
    if (text.length < CHUNK_LENGTH) return;
    // Writes chunks synchronously, so that memory does not grow with the report.
    writeSync(output, text);
    text = "";
  };
  try {
    const summary = await load({ report: (line: ReportLine) => write(line) });
    for (const refusal of summary.refused) write({ kind: "refused", ...refusal });
    writeSync(output, text);
    return summary;
  } finally {
    closeSync(output);
  }
}

function openOutput(file: string): number {
  try {
    return openSync(file, "w");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EISDIR") throw new Error(`${file} is a folder. Name a file.`);
    throw new Error(`The report ${file} cannot be written: ${(error as Error).message}`);
  }
}

/** Line of a file that was not imported. */
interface Refusal {
  /** File of the dump that contains the line. */
  readonly part?: string;
  readonly line: number;
  readonly id?: string;
  readonly reason: string;
}

/** Maximum number of printed refusals. */
const REFUSALS_MAX = 200;

/** Prints the refused lines of a file. Lines of a dump with several files have the name of their own file, too. */
export function printRefused(file: string, refused: readonly Refusal[]): void {
  for (const { part, line, id, reason } of refused.slice(0, REFUSALS_MAX)) {
    const place = part === undefined || isSameFile(file, part) ? file : `${file}: ${part}`;
    writeError(`${place}:${line}: ${id === undefined ? "" : `${id}: `}${reason}`);
  }
  if (refused.length > REFUSALS_MAX)
    writeError(`... and ${formatCount(refused.length - REFUSALS_MAX, "more refusal")}`);
}

/** Returns whether the name of a dump's part is that of the dump itself, apart from its compression. */
const isSameFile = (file: string, part: string): boolean => basename(file).replace(/\.gz$/, "") === part;
