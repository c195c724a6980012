/** Completes the names of people. */

import { peopleOf } from "../../core/citable/record-people.js";
import { valuesAt } from "../../core/citable/values-at.js";
import { storedBody } from "../../core/record.js";
import { startSlices } from "../../core/slices.js";
import { type Completion, matchesTyped, valueText } from "../../query/complete/completions.js";
import type { SearchField } from "../../query/fields/field-meanings.js";
import type { PersonPlace } from "../../query/fields/persons.js";
import { andClauses, type Clause } from "../../query/index-model/clause.js";
import { analyse } from "../../query/text/analyse.js";
import type { Span } from "../../query/text/positions.js";
import type { QuerySpace } from "./query-space.js";

/** Maximum number of records whose people are compared with the typed text, the newest ones with such a name. */
const RECORDS_MAX = 24;

/** Maximum length of the texts of these records together, in UTF-16 units. */
const LENGTH_MAX = 2 * 1024 * 1024;

const PEOPLE_MAX = 12;

/** Returns the number of hits of a query, or undefined if it is not counted. */
export type CountText = (q: string) => Promise<number | undefined>;

/** Returns the places of people below a field: none if it is a single value. */
export function peopleIn({ fields }: Pick<QuerySpace, "fields">, { meanings }: SearchField): readonly PersonPlace[] {
  const objects = meanings.filter(({ isLeaf }) => !isLeaf).map(({ path }) => `${path}.`);
  return fields.persons.filter(({ family }) => objects.some((path) => family.startsWith(path)));
}

/**
 * Returns the people in a field whose names have the typed words, the last one as a prefix. Those with the most records
 * come first.
 *
 * @param before text to insert before the name
 * @param field name of the field, for the counts
 */
export async function completePeople(
  space: QuerySpace,
  typed: Span & { readonly text: string },
  {
    field,
    before,
    places,
  }: { readonly field: string; readonly before: string; readonly places: readonly PersonPlace[] },
  count: CountText,
): Promise<readonly Completion[]> {
  const names = (await readNames(space, places, typed.text)).slice(0, PEOPLE_MAX);
  const counted: { readonly name: string; readonly records: number }[] = [];
  for (const { name, records } of names) {
    counted.push({ name, records: (await count(`${field}:${valueText(name)}`)) ?? records });
  }
  return counted
    .toSorted((a, b) => b.records - a.records)
    .map(({ name }) => {
      const { from, to } = typed;
      return { kind: "value", insert: before + valueText(name), from, to, label: name };
    });
}

/** Returns names in the newest records that have such a name, with the number of these records, the largest first. */
async function readNames(
  space: QuerySpace,
  places: readonly PersonPlace[],
  text: string,
): Promise<readonly { readonly name: string; readonly records: number }[]> {
  const holders = places.map(({ family }) => family.slice(0, family.lastIndexOf(".")));
  const names = new Map<string, { readonly name: string; records: number }>();
  const slices = startSlices();
  let length = 0;
  for (const hit of await space.newest(nameClause(places, text), RECORDS_MAX)) {
    length += hit.json.length;
    if (length > LENGTH_MAX) break;
    await slices.pause();
    const { metadata } = storedBody(hit);
    for (const { name } of peopleOf(holders.flatMap((path) => valuesAt({ metadata }, path)))) {
      if (!matchesTyped(text, name)) continue;
      const key = name.toLowerCase();
      const known = names.get(key) ?? { name, records: 0 };
      known.records += 1;
      names.set(key, known);
    }
  }
  return [...names.values()].sort((a, b) => b.records - a.records);
}

/** Returns a clause for records with all typed words in names of people, the last one as a prefix. */
function nameClause(places: readonly PersonPlace[], text: string): Clause {
  const paths = places.flatMap(({ given, family }) => [given, family]);
  const words = analyse(text);
  if (words.length === 0) return { kind: "exists", paths };
  const kindOf = (i: number): "words" | "prefix" => (i === words.length - 1 ? "prefix" : "words");
  return andClauses(words.map((word, i) => ({ kind: kindOf(i), place: { in: "paths", paths }, words: [word] })));
}
