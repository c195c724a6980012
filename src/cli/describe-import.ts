import type { FieldChange } from "../core/catalog/merge-term.js";
import type { ImportSummary } from "../services/api/import-services.js";
import { formatCount, formatNumber } from "./output.js";

/** A value of an example is cut here, in UTF-16 units. */
const VALUE_LENGTH_MAX = 100;

/** What an import of a vocabulary did, in lines; of a dry run what it would do, with examples. */
export function describeImport(vocabulary: string, summary: ImportSummary, isDryRun: boolean): readonly string[] {
  const counts = { ...summary, refused: summary.refused.length };
  const words = (["new", "changed", "unchanged", "refused"] as const).map(
    (what) => `${formatNumber(counts[what])} ${what}${what === "changed" ? describeKinds(summary) : ""}`,
  );
  const kept = summary.kept === 0 ? "" : `; ${formatCount(summary.kept, "field")} kept as curators changed them`;
  const first = `${vocabulary}: ${words.join(", ")}${kept}`;
  const lost = describeLost(summary).map((what) => `${isDryRun ? "would lose" : "lost"} ${what}`);
  if (!isDryRun) return [first, ...lost];
  return [`${first} (dry run: nothing was written)`, ...lost, ...describeExamples(summary)];
}

/** `(3 renamed, 1 merged)`: how many of the changed terms. */
function describeKinds(summary: ImportSummary): string {
  const kinds = (["renamed", "merged", "withdrawn"] as const).filter((kind) => summary[kind] > 0);
  return kinds.length === 0 ? "" : ` (${kinds.map((kind) => `${formatNumber(summary[kind])} ${kind}`).join(", ")})`;
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
  const lines = examples.flatMap(({ id, fields }) => [`${id}:`, ...fields.map(describeChange)]);
  const more = changed - examples.length;
  return more > 0 ? [...lines, `... and ${formatCount(more, "more changed item")}`] : lines;
}

/** `  parent: "taxid:561" -> none` */
export const describeChange = ({ field, from, to }: FieldChange): string =>
  `  ${field}: ${shown(from)} -> ${shown(to)}`;

function shown(value: unknown): string {
  if (value === undefined) return "none";
  const text = JSON.stringify(value);
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
}
