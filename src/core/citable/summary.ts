import type { DescribedField } from "../catalog/description.js";
import type { Model } from "../catalog/types.js";
import type { Json, JsonObject } from "../json.js";
import type { Result } from "./citable.js";
import { measuredPart } from "./measured.js";
import { unique } from "./record-people.js";
import { writeResult } from "./record-results.js";
import { labelOf, valuesOf } from "./values-at.js";

const RESULTS_MAX = 5;
const NAMES_MAX = 3;

/**
 * A few sentences on a record that has no abstract of its own, made of its fields alone: the sentence that the model
 * declares, its results, and the conditions. The same record gives the same text.
 */
export function summaryOf(body: { readonly metadata: JsonObject }, model: Model, results: readonly Result[]): string {
  const { describe } = model;
  const measurement = { metadata: measuredPart(body.metadata, model) };
  const phrases = describe.summary.flatMap(({ before, field, after }) => {
    const named = namesOf(body, field);
    return named === undefined ? [] : [`${before}${named}${after}`];
  });
  const measured = results.flatMap((result) => {
    const text = writeResult(result);
    const of = result.of.length === 0 ? "" : ` of ${listNames(result.of)}`;
    return text === undefined ? [] : [`${result.kind}${of}: ${text}`];
  });
  const more = measured.length > RESULTS_MAX ? [`${measured.length - RESULTS_MAX} more results`] : [];
  const conditions = (describe.roles.get("conditions") ?? []).flatMap((field) => {
    const named = namesOf(measurement, field);
    return named === undefined ? [] : [`${withinSentence(field.label)} ${named}`];
  });
  const sentences = [phrases.join(" "), [...measured.slice(0, RESULTS_MAX), ...more].join("; "), conditions.join(", ")];
  return sentences
    .filter((sentence) => sentence !== "")
    .map(asSentence)
    .join(" ");
}

/** The labels of a field, each once; undefined where it has none. */
function namesOf(body: Json, field: DescribedField): string | undefined {
  const labels = unique(
    valuesOf(body, [field]).flatMap((value) => labelOf(value) ?? []),
    (label) => label.toLowerCase(),
  );
  return labels.length === 0 ? undefined : listNames(labels);
}

/** `A`, `A and B`, `A, B and C`, `A, B, C and 4 more`. */
function listNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_MAX);
  const rest = names.length - shown.length;
  const all = rest === 0 ? shown : [...shown, `${rest} more`];
  return all.length === 1 ? all[0]! : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

/** A label within a sentence: `Temperature` has its capital for where it stood, `KD` and `pH` have theirs always. */
const withinSentence = (label: string): string =>
  /^\p{Lu}\p{Ll}+(?!\p{L})/u.test(label) ? `${label[0]!.toLowerCase()}${label.slice(1)}` : label;

/** Begins with a capital, but for words that have one elsewhere (`pH`), and ends with one full stop. */
function asSentence(text: string): string {
  const [first = ""] = /^\p{L}+/u.exec(text) ?? [];
  const begun = first === first.toLowerCase() ? `${text[0]!.toUpperCase()}${text.slice(1)}` : text;
  return `${begun.replace(/\.$/, "")}.`;
}
