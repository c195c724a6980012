import fc from "fast-check";
import { expect } from "vitest";
import { parseHead, type RecordBody } from "../../src/core/record.js";
import type { TermContent } from "../../src/core/term.js";
import { formatInstant } from "../../src/core/time.js";
import type { Engine } from "../../src/ports/engine.js";
import type { FacetRequest, RecordPage, RecordScope, RecordSearch } from "../../src/ports/search-index.js";
import { recordFields } from "../../src/query/fields/field-lookup.js";
import { recordLeaves } from "../../src/query/index-model/record-leaves.js";
import { parseQuery } from "../../src/query/parse/parse.js";
import { printQuery } from "../../src/query/parse/print.js";
import type { QueryNode } from "../../src/query/parse/tree.js";
import { resolveQuery } from "../../src/query/resolve/resolve.js";
import { arbitraryClause } from "../support/clause-arbitraries.js";
import {
  type Effort,
  type EngineUnderTest,
  makeClock,
  type RecordEngine,
  START_MICROS,
  tinyDraft,
  tinyRecord,
} from "../support/engines/engine-under-test.js";
import { makeReferenceEngine } from "../support/engines/reference-engine.js";
import { stream } from "../support/engines/term-fixtures.js";
import { putRecord } from "../support/put-record.js";
import { arbitraryPlainTree, arbitraryTree } from "../support/query-arbitraries.js";
import type { World } from "../support/reference-evaluator.js";
import type { Content, FacetChoice, Setting } from "./differential-setting.js";

/** An engine and the reference engine, which hold the same. */
export interface Pair {
  readonly setting: Setting;
  readonly engine: Engine;
  readonly reference: RecordEngine;
  /** The bodies that both hold at the start, in the order in which they were made. */
  readonly bodies: readonly RecordBody[];
  /** Applies changes to both, in one transaction each. */
  apply(changes: readonly RecordChange[]): Promise<void>;
  applyToEngine(changes: readonly RecordChange[]): Promise<void>;
  applyToReference(changes: readonly RecordChange[]): Promise<void>;
  /** Gives a term another parent, or none. */
  move(id: string, parent: string | undefined): Promise<void>;
}

export type RecordChange =
  | { readonly put: RecordBody }
  | { readonly delete: Pick<RecordBody, "id" | "state"> }
  /** Another head over a body, where it is there. */
  | { readonly head: Pick<RecordBody, "id" | "state" | "updated" | "versions" | "parent"> }
  /** A draft, where it is there, is shared with a user, or no longer. */
  | { readonly share: string; readonly user: string; readonly isShared: boolean };

/** What becomes of a content: how it is stored, and what of it stood there before. */
const FATES = ["published", "published", "published", "draft", "both", "old", "edited", "deleted"] as const;

export async function openPair(under: EngineUnderTest, setting: Setting, effort: Effort): Promise<Pair> {
  const { catalog, vocabulary, items } = setting;
  const engine = await under.open({ catalog, clock: makeClock(), ...effort });
  await engine.store.loadTerms(vocabulary, stream(items));
  const parents = new Map(items.map(({ id, parent }) => [id, parent]));
  const world: World = { parentOf: (name, id) => (name === vocabulary ? parents.get(id) : undefined) };
  const reference = makeReferenceEngine(catalog, world);
  const citations = await engine.store.terms.cite(items.map(({ id }) => ({ vocabulary, id })));
  const cited = citations.map(({ term }) => term);
  const applyTo = ({ store }: Pick<RecordEngine, "store">) => {
    const timed = under.isRemote === true ? (changes: readonly RecordChange[]) => changes : makeTimes();
    return (unordered: readonly RecordChange[]): Promise<void> => {
      const changes = timed(unordered);
      return store.transaction(async ({ records, shares }) => {
        for (const change of changes) {
          if ("put" in change) await putRecord({ store, catalog }, records, change.put, cited);
          else if ("delete" in change) await records.delete(change.delete.id, change.delete.state);
          else if ("head" in change) {
            const stored = await records.get(change.head.id, change.head.state);
            if (stored !== undefined) await records.putHead(stored, { ...parseHead(stored), ...change.head });
          } else if (!change.isShared) await shares.delete(change.share, change.user);
          else if (await records.get(change.share, "draft")) await shares.put(change.share, change.user, "read");
        }
      });
    };
  };
  const [applyToEngine, applyToReference] = [applyTo(engine), applyTo(reference)];
  const apply = async (changes: readonly RecordChange[]): Promise<void> => {
    await applyToEngine(changes);
    await applyToReference(changes);
  };
  const bodies = await fill(setting, apply);
  const contents = new Map(items.map((content) => [content.id, content]));
  const move = async (id: string, parent: string | undefined): Promise<void> => {
    const { parent: _, ...content } = contents.get(id)!;
    const moved: TermContent = { ...content, ...(parent === undefined ? {} : { parent }) };
    await engine.store.transaction((tx) => tx.terms.put(vocabulary, moved));
    parents.set(id, parent);
  };
  return { setting, engine, reference, bodies, apply, applyToEngine, applyToReference, move };
}

/**
 * Makes the times of creation rise in the order of the puts, as services see to it where one process writes: there an
 * engine may take one order for the other. Where several nodes write, times come in any order.
 */
function makeTimes(): (changes: readonly RecordChange[]) => readonly RecordChange[] {
  const createdOf = new Map<string, string>();
  let hours = 0;
  return (changes) =>
    changes.map((change) => {
      if ("delete" in change) createdOf.delete(`${change.delete.id} ${change.delete.state}`);
      if (!("put" in change)) return change;
      const key = `${change.put.id} ${change.put.state}`;
      const created = createdOf.get(key) ?? formatInstant(START_MICROS + hours++ * 3_600_000_000);
      createdOf.set(key, created);
      return { put: { ...change.put, created } };
    });
}

/** Records of all states, some edited, some deleted: what is left must not show what was there before. */
async function fill(
  { contents }: Setting,
  apply: (changes: readonly RecordChange[]) => Promise<void>,
): Promise<readonly RecordBody[]> {
  const kept: RecordBody[] = [];
  for (const [n, content] of contents.entries()) {
    const fate = FATES[(n * 5 + (n >> 3)) % FATES.length]!;
    const before = contents[(n * 7) % contents.length]!;
    const published = bodyOf(n, content, "published");
    if (fate === "draft" || fate === "both") kept.push(bodyOf(n, content, "draft"));
    if (fate === "edited" || fate === "deleted")
      await apply([{ put: bodyOf(n, { ...before, model: content.model }, "published") }]);
    if (fate === "deleted") await apply([{ delete: published }]);
    else if (fate === "old") kept.push({ ...published, versions: { ...published.versions, is_latest: false } });
    else if (fate !== "draft") kept.push(published);
    await apply(kept.filter(({ id }) => id === published.id).map((put) => ({ put })));
    if (n % 2 === 0) await apply([{ share: published.id, user: "1", isShared: true }]);
  }
  return kept;
}

/** Record number n; every third belongs to somebody else. */
export function bodyOf(n: number, { model, metadata }: Content, state: RecordBody["state"]): RecordBody {
  const created = formatInstant(START_MICROS + n * 3_600_000_000);
  const parent = { id: `p${n}`, owner: { user: n % 3 === 0 ? "2" : "1" } };
  const changes = { model, created, updated: created, parent };
  return state === "draft" ? tinyDraft(`r${n}`, metadata, changes) : tinyRecord(`r${n}`, metadata, changes);
}

/** A search, with what was asked as it is written where it can be. */
export interface AnySearch extends Pick<RecordSearch, "clause" | "plain" | "scope" | "facets" | "sort"> {
  readonly written?: string;
  readonly limit: number;
}

/**
 * Random searches of the records of a pair: queries over all names, plain words, and clauses about the records' values.
 * @param asks "texts" draws the queries from the texts of the setting
 */
export function arbitrarySearch(
  { setting, bodies }: Pick<Pair, "setting" | "bodies">,
  asks: "anything" | "texts" = "anything",
): fc.Arbitrary<AnySearch> {
  const { catalog, names, facets, sorts, texts } = setting;
  const fields = recordFields([...catalog.models.values()], catalog.vocabularies.values());
  const resolve = (tree: QueryNode): Pick<AnySearch, "written" | "clause" | "plain"> => {
    const { clause, plain } = resolveQuery(tree, fields, START_MICROS);
    return { written: printQuery(tree), clause, ...(plain === undefined ? {} : { plain }) };
  };
  const leaves = bodies.map((body) => recordLeaves(body, catalog.models.get(body.model)!, () => undefined));
  const isDate = (path: string): boolean =>
    [...catalog.models.values()].some((model) => model.leaves.get(path)?.type === "date");
  const clause = arbitraryClause(leaves, { isDate, ancestorsOf: ancestorsIn(setting) });
  const anything = fc.oneof(
    { weight: 5, arbitrary: arbitraryTree(names, 4).map(resolve) },
    { weight: 1, arbitrary: arbitraryPlainTree.map(resolve) },
    { weight: 4, arbitrary: clause.map((made): Pick<AnySearch, "clause"> => ({ clause: made })) },
  );
  const ofTexts = texts?.map((text) => ({ ...resolve(parseQuery(text, fields).tree), written: text }));
  const query: fc.Arbitrary<Pick<AnySearch, "written" | "clause" | "plain">> =
    asks === "texts" && ofTexts !== undefined ? ofTexts : anything;
  const models = [...catalog.models.keys()];
  const scope = fc.constantFrom<RecordScope>(
    ...Array.from({ length: 6 }, (): RecordScope => ({ kind: "public", models })),
    { kind: "public", models: models.slice(-1) },
    { kind: "public", models, allVersions: true },
    { kind: "owner", owner: "1", models },
    { kind: "owner", owner: "1", models, allVersions: true },
    { kind: "owner", owner: "1", models, isPublished: true },
    { kind: "owner", owner: "2", models, isPublished: false },
    { kind: "shared", user: "1", models },
    { kind: "shared", user: "1", models, isPublished: true },
    { kind: "drafts", models },
    { kind: "drafts", models: models.slice(-1), isPublished: true },
    { kind: "readable", models },
    { kind: "readable", models, user: "1" },
    { kind: "readable", models: models.slice(-1), user: "2", allVersions: true },
  );
  const requests = fc
    .tuple(fc.subarray([...facets], { maxLength: 3 }), fc.array(facetPart, { minLength: 3, maxLength: 3 }))
    .map(([chosen, parts]) => chosen.map((facet, i) => requestOf(facet, parts[i]!)));
  const order = fc.constantFrom<RecordSearch["sort"]>("newest", "oldest", "bestmatch", ...sorts);
  return fc
    .tuple(query, scope, requests, order, fc.integer({ min: 1, max: 40 }))
    .map(([asked, where, facetRequests, sort, limit]) => ({
      ...asked,
      ...{ scope: where, facets: facetRequests, sort, limit },
    }));
}

const ancestorsIn = ({ vocabulary, items }: Setting) => {
  const parents = new Map(items.map(({ id, parent }) => [id, parent]));
  return (name: string, id: string): readonly string[] => {
    const above = new Set<string>();
    let at = name === vocabulary ? parents.get(id) : undefined;
    for (; at !== undefined && !above.has(at); at = parents.get(at)) above.add(at);
    return [...above];
  };
};

const facetPart = fc.record({
  size: fc.constantFrom(0, 1, 3, 20),
  filters: fc.nat(3).map((n) => n === 0),
  picks: fc.array(fc.nat(9), { maxLength: 3 }),
  steps: fc.option(fc.constantFrom(1, 2, 7, 200), { nil: undefined, freq: 2 }),
  listed: fc.nat(4),
});

type FacetPart = typeof facetPart extends fc.Arbitrary<infer Part> ? Part : never;

function requestOf({ facet, keys }: FacetChoice, part: FacetPart): FacetRequest {
  const selected = part.filters ? [...new Set(part.picks.map((pick) => keys[pick % keys.length]!))] : [];
  const steps = facet.kind === "histogram" && part.steps !== undefined ? { steps: part.steps } : {};
  const [below = ""] = keys;
  const listing: readonly Partial<FacetRequest>[] = [
    { listed: { keys } },
    { listed: { below } },
    { listed: { cited: true } },
  ];
  const listed =
    (facet.kind === "tree" || (facet.kind === "terms" && part.listed === 0) ? listing[part.listed] : {}) ?? {};
  return { name: facet.name, size: part.size, selected, ...steps, ...listed };
}

/** What two engines must agree in. */
export const shown = ({ hits, total, facets }: RecordPage) => ({
  hits: hits.map(({ id, state, isPublished }) => `${id} ${state} ${isPublished}`),
  total,
  facets,
});

export type Shown = ReturnType<typeof shown>;

/** More than there ever are. */
export const ALL = { offset: 0, limit: 1_000 } as const;

/** Asks both. @returns how many hits there are */
export async function expectSame({ engine, reference }: Pair, asked: AnySearch): Promise<number> {
  const search = searchOf(asked, ALL);
  const expected = shown(await reference.index.searchRecords(search));
  expect(shown(await engine.index.searchRecords(search))).toEqual(expected);
  return expected.total;
}

export const searchOf = (
  { clause, plain, scope, facets, sort }: AnySearch,
  page: RecordSearch["page"],
  changes: Partial<RecordSearch> = {},
): RecordSearch => ({ clause, ...(plain && { plain }), scope, facets, sort, page, ...changes });

const IS_LONG = process.env.TEST_LONG !== undefined;

/** Trees that are compared of each setting. */
export const treesOf = ({ isRemote = false }: EngineUnderTest): number => {
  if (isRemote) return IS_LONG ? 20_000 : 320;
  return IS_LONG ? 100_000 : 640;
};
