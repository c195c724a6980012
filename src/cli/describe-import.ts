import type { ImportSummary } from "../services/api/import-services.js";
import { formatCount, formatNumber } from "./output.js";

/** A value of an example is cut here, in UTF-16 units. */
const VALUE_LENGTH_MAX = 100;

/** What an import of a vocabulary did, in lines; of a dry run what it would do, with examples. */
export function describeImport(vocabulary: string, summary: ImportSummary, isDryRun: boolean): string {
  const counts = { ...summary, refused: summary.refused.length };
  const words = (["new", "changed", "unchanged", "refused"] as const).map(
    (what) => `${formatNumber(counts[what])} ${what}`,
  );
  const first = `${vocabulary}: ${words.join(", ")}`;
  const lost = describeLost(summary).map((what) => `${isDryRun ? "would lose" : "lost"} ${what}`);
  if (!isDryRun) return [first, ...lost].join("\n");
  return [`${first} (dry run: nothing was written)`, ...lost, ...describeExamples(summary)].join("\n");
}

/** `a prop "rank": 3 items` */
function describeLost({ lost }: ImportSummary): readonly string[] {
  const each = (what: string, counts: Readonly<Record<string, number>>): [string, number][] =>
    Object.entries(counts).map(([name, count]) => [`${what} "${name}"`, count]);
  const all: [string, number][] = [
    ["their parent", lost.parent],
    ["a synonym", lost.synonyms],
    ...each("the title in", lost.title),
    ...each("the prop", lost.props),
  ];
  return all.filter(([, count]) => count > 0).map(([what, count]) => `${what}: ${formatCount(count, "term")}`);
}

function describeExamples({ examples, changed }: ImportSummary): readonly string[] {
  const lines = examples.flatMap(({ id, fields }) => [
    `${id}:`,
    ...fields.map(({ field, from, to }) => `  ${field}: ${shown(from)} -> ${shown(to)}`),
  ]);
  const more = changed - examples.length;
  return more > 0 ? [...lines, `... and ${formatCount(more, "more changed item")}`] : lines;
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  const text = JSON.stringify(value);
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
}
