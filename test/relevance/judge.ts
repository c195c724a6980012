import { ANONYMOUS } from "../../src/core/actor.js";
import type { TermContent } from "../../src/core/term.js";
import { analyse } from "../../src/query/text/analyse.js";
import type { Services } from "../../src/services/use-cases.js";
import type { Expectation } from "./expectations.js";

/** Hits that are looked at. */
const HITS = 10;

/** What came of a query. */
export interface Judged extends Expectation {
  /** The place of the item among the first ten hits, from 1; 0: it is not among them. */
  readonly place: number;
  /** The hit that came first; absent where there was none. */
  readonly first?: string;
  /** Whether the item has each word of the query. What a dump does not know of an item, no ranking finds. */
  readonly isNamed: boolean;
}

export const isMiss = ({ place, within }: Judged): boolean => place === 0 || place > within;

/** Runs the queries whose item is there. @returns what came of them, and those whose item is not there */
export async function judgeAll(
  services: Services,
  expectations: readonly Expectation[],
): Promise<{ readonly judged: readonly Judged[]; readonly absent: readonly Expectation[] }> {
  const items = new Map<string, TermContent | undefined>();
  const judged: Judged[] = [];
  const absent: Expectation[] = [];
  for (const expectation of expectations) {
    const { vocabulary, item, text, way } = expectation;
    const key = `${vocabulary} ${item}`;
    if (!items.has(key)) items.set(key, await findItem(services, expectation));
    const meant = items.get(key);
    if (meant === undefined) {
      absent.push(expectation);
      continue;
    }
    const hits = await ask(services, vocabulary, way === "search" ? { q: text } : { suggest: text });
    const [first] = hits;
    judged.push({
      ...expectation,
      place: hits.findIndex(({ id }) => id === meant.id) + 1,
      ...(first === undefined ? {} : { first: `${titleOf(first)} (${first.id})` }),
      isNamed: isNamed(meant, expectation),
    });
  }
  return { judged, absent };
}

const titleOf = ({ title }: TermContent): string => title.en ?? Object.values(title)[0] ?? "";

async function ask(
  services: Services,
  vocabulary: string,
  query: { readonly q: string } | { readonly suggest: string },
): Promise<readonly TermContent[]> {
  const window = { page: 1, size: HITS };
  const common = { vocabulary, window, filters: {}, facetSize: 0, lang: "en" };
  const { hits } = await services.searchTerms(ANONYMOUS, { ...common, ...query });
  return hits.map(({ json }) => JSON.parse(json) as TermContent);
}

/** The item with this id, or title in any language. */
async function findItem(services: Services, { vocabulary, item }: Expectation): Promise<TermContent | undefined> {
  const text = JSON.stringify(item);
  const hits = await ask(services, vocabulary, { q: `id:${text} OR title:${text}` });
  const isNamedSo = ({ title }: TermContent): boolean =>
    Object.values(title).some((each) => each.toLowerCase() === item.toLowerCase());
  return hits.find(({ id }) => id === item) ?? hits.find(isNamedSo);
}

/** Of what is typed in part or wrong nobody can tell; addresses have words that no item has. */
function isNamed(item: TermContent, { isWhole, text }: Expectation): boolean {
  if (!isWhole || text.includes("://")) return true;
  const words = new Set(analyse(JSON.stringify(item)));
  return analyse(text).every((word) => words.has(word));
}

/** Mean reciprocal rank, and the shares of queries whose item came first, and within the first three. */
export interface Measures {
  readonly queries: number;
  readonly mrr: number;
  readonly first: number;
  readonly firstThree: number;
  /** Of queries whose item came where it had to. */
  readonly asExpected: number;
}

export function measure(judged: readonly Judged[]): Measures {
  const share = (count: (each: Judged) => number): number =>
    judged.reduce((sum, each) => sum + count(each), 0) / judged.length;
  return {
    queries: judged.length,
    mrr: share(({ place }) => (place === 0 ? 0 : 1 / place)),
    first: share(({ place }) => Number(place === 1)),
    firstThree: share(({ place }) => Number(place >= 1 && place <= 3)),
    asExpected: share((each) => Number(!isMiss(each))),
  };
}

/** A line for each vocabulary and way, and one for all; then all misses. */
export function describeJudged(judged: readonly Judged[]): string {
  const groups = new Map<string, Judged[]>();
  for (const each of judged) {
    const names = [`${each.vocabulary} (${each.way})`, "all", ...(each.isNamed ? ["all that have the name"] : [])];
    for (const name of names) groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  const lines = [...groups].map(([name, group]) => {
    const { queries, mrr, first, firstThree, asExpected } = measure(group);
    const shares = [first, firstThree, asExpected].map(percent).join(" ");
    return `${name.padEnd(24)} ${String(queries).padStart(4)} ${mrr.toFixed(3)} ${shares}`;
  });
  const missed = (isNamed: boolean): readonly string[] =>
    judged
      .filter((each) => isMiss(each) && each.isNamed === isNamed)
      .map(({ vocabulary, way, kind, text, item, place, first }) => {
        return `  ${vocabulary} ${way} "${text}" (${kind}): ${item} at ${place || "-"}, first is ${first ?? "nothing"}`;
      });
  const [named, nameless] = [missed(true), missed(false)];
  return [
    `${"".padEnd(24)} ${"n".padStart(4)}   MRR   first  first3 as expected`,
    ...lines,
    `missed: ${named.length}`,
    ...named,
    `missed, and the item has no such name in the data: ${nameless.length}`,
    ...nameless,
  ].join("\n");
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`.padStart(7);
