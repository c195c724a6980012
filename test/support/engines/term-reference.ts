/** Random items, and the order in which a search of them has to answer: obviously right, and slow. */
import fc from "fast-check";
import type { Vocabulary } from "../../../src/core/catalog/types.js";
import type { TermContent } from "../../../src/core/term.js";
import type { Clause } from "../../../src/query/index-model/clause.js";
import type { LeafValue, RecordLeaves } from "../../../src/query/index-model/leaves.js";
import { analyse } from "../../../src/query/text/analyse.js";
import { arbitraryText } from "../query-arbitraries.js";
import { FLAT, matches, termAsRecord, type World } from "../reference-evaluator.js";

const RANKS = ["species", "genus", "strain", "a b", "Lysozyme"];
const CODES = ["cas:7-4", "cas:2024", "7", "abc", "b:ab"];

/** Items `sp:0` to `sp:<count - 1>`, always the same for a seed. */
export function randomItems(count: number, seed: number): TermContent[] {
  const text = arbitraryText.map((title) => (title === "" ? "b" : title));
  const props = fc.record(
    {
      rank: fc.constantFrom(...RANKS),
      genome_size: fc.constantFrom<number | string>(-1, 0, 2, 2.5, 7, 1e300, "7"),
      codes: fc.array(fc.constantFrom(...CODES), { maxLength: 2 }),
      other: fc.record({ note: arbitraryText }),
    },
    { requiredKeys: [] },
  );
  const content = fc.record({
    title: fc.oneof(
      fc.record({ en: text }),
      fc.record({ en: text, de: text }),
      fc.record({ de: text, la: text }),
      fc.record({ la: text }),
    ),
    props,
    synonyms: fc.array(fc.record({ name: text, kind: fc.constantFrom("synonym", "acronym") }), { maxLength: 3 }),
    parent: fc.nat(count * 2),
    status: fc.constantFrom("active" as const, "active" as const, "deprecated" as const),
  });
  return fc.sample(content, { numRuns: count, seed }).map(({ parent, synonyms, ...rest }, n) => ({
    ...rest,
    id: `sp:${n}`,
    ...(synonyms.length === 0 ? {} : { synonyms }),
    // Parents come before their children, so there is no circle; some are not there at all.
    ...(parent < n ? { parent: `sp:${parent}` } : parent % 7 === 0 ? { parent: "sp:none" } : {}),
  }));
}

/** An item is analysed once, however many queries it is validated by. */
const validated = new WeakMap<TermContent, RecordLeaves>();

/** The item as the reference evaluator takes it. */
export function asRecord(item: TermContent, vocabulary: Vocabulary): RecordLeaves {
  const record = validated.get(item) ?? termAsRecord(item, vocabulary);
  validated.set(item, record);
  return record;
}

/** What else the order depends on: how often an item is cited in published records. */
export type Cited = ReadonlyMap<string, number>;

/** Ids in the order of `bestmatch`. */
export function bestMatch(
  clause: Clause,
  plain: readonly string[] | undefined,
  items: readonly TermContent[],
  vocabulary: Vocabulary,
  { cited = new Map(), world = FLAT }: { readonly cited?: Cited; readonly world?: World } = {},
): string[] {
  return items
    .filter((item) => matches(clause, asRecord(item, vocabulary), world))
    .map((item) => ({ id: item.id, key: rankOf(clause, plain, item, vocabulary, { cited, world }) }))
    .sort((a, b) => compareKeys(a.key, b.key))
    .map(({ id }) => id);
}

type Key = readonly (number | string)[];

export function compareKeys(a: Key, b: Key): number {
  for (const [i, x] of a.entries()) {
    const y = b[i]!;
    const order = typeof x === "number" ? x - Number(y) : Buffer.compare(Buffer.from(x), Buffer.from(String(y)));
    if (order !== 0) return order;
  }
  return 0;
}

function rankOf(
  clause: Clause,
  plain: readonly string[] | undefined,
  item: TermContent,
  vocabulary: Vocabulary,
  { cited, world }: { readonly cited: Cited; readonly world: World },
): Key {
  const { order = [], prop = "" } = vocabulary.prior;
  const at = order.indexOf(String(item.props[prop]));
  const prior = (at < 0 ? 0 : order.length - at) + (item.synonyms?.length ?? 0);
  const title = vocabulary.languages.map((lang) => item.title[lang]).find((text) => text !== undefined);
  const length = (title ?? Object.values(item.title)[0]!).length;
  const status = item.status === "active" ? 0 : 1;
  return [stepOf(clause, plain, item, vocabulary, world), status, -(cited.get(item.id) ?? 0), -prior, length, item.id];
}

function stepOf(
  clause: Clause,
  plain: readonly string[] | undefined,
  item: TermContent,
  vocabulary: Vocabulary,
  world: World,
): number {
  const record = asRecord(item, vocabulary);
  const wordsAt = (isIn: (leaf: LeafValue) => boolean) => record.leaves.filter(isIn).map(({ words }) => words);
  const isTitle = ({ path }: LeafValue): boolean => path?.startsWith("title") === true;
  const titles = wordsAt(isTitle);
  const names = wordsAt(({ path }) => path === "synonyms");
  if (plain !== undefined && plain.length > 0) {
    const begins = (words: readonly string[]): boolean => plain.every((word, i) => words[i] === word);
    const equals = (words: readonly string[]): boolean => begins(words) && words.length === plain.length;
    const codes = Array.isArray(item.props.codes) ? (item.props.codes as string[]) : [];
    const identifiers = [item.id, ...codes].flatMap((id) => [id, id.slice(id.indexOf(":") + 1)]);
    if (identifiers.some((id) => equals(analyse(id)))) return 1;
    if (titles.some(equals)) return 2;
    if (names.some(equals)) return 3;
    if (titles.some(begins)) return 4;
  }
  const within = (isIn: (leaf: LeafValue) => boolean): boolean => {
    const paths = new Set(record.leaves.filter(isIn).map((leaf) => leaf.path!));
    return matches(restrict(clause, [...paths]), record, world);
  };
  if (within(isTitle)) return 5;
  return within((leaf) => isTitle(leaf) || leaf.path === "synonyms") ? 6 : 7;
}

/** Looks for unfielded text at some paths only, but for what is negated. */
function restrict(clause: Clause, paths: readonly string[]): Clause {
  switch (clause.kind) {
    case "all":
    case "any":
      return { ...clause, of: clause.of.map((of) => restrict(of, paths)) };
    case "words":
    case "prefix":
    case "wildcard":
    case "fuzzy":
      return clause.place.in === "text" ? { ...clause, place: { in: "paths", paths } } : clause;
    default:
      return clause;
  }
}

/** Ids of all items below one. */
export function descendants(items: readonly TermContent[], ancestor: string): Set<string> {
  const found = new Set<string>();
  for (let before = -1; found.size > before; ) {
    before = found.size;
    for (const { id, parent } of items) {
      if (parent !== undefined && (parent === ancestor || found.has(parent)) && id !== ancestor) found.add(id);
    }
  }
  return found;
}
