import type { Catalog } from "../../../src/core/catalog/types.js";
import { fail } from "../../../src/core/errors.js";
import type { RecordBody, StoredRecord } from "../../../src/core/record.js";
import type { TermContent } from "../../../src/core/term.js";
import { formatInstant, parseInstant } from "../../../src/core/time.js";
import type { RecordPage, RecordScope, RecordSearch, ValueSort } from "../../../src/ports/search-index.js";
import type { RecordWriter, VersionRow } from "../../../src/ports/store.js";
import type { RecordLeaves } from "../../../src/query/index-model/leaves.js";
import { fixedLeaves } from "../../../src/query/index-model/record-leaves.js";
import { bestmatchStep, FLAT, matches, type World } from "../reference-evaluator.js";
import { type EngineUnderTest, type RecordEngine, type Sharing, START_MICROS } from "./engine-under-test.js";
import { countFacets, findFacet, passesFacet } from "./reference-facets.js";

/** A record in memory. Rows are numbered in the order in which they were made. */
interface Row {
  readonly row: number;
  readonly body: RecordBody;
  readonly leaves: RecordLeaves;
}

type Rows = Map<string, Row>;

/** Users by the draft that is shared with them. */
type Shares = Map<string, Set<string>>;

/** Records in memory, searched by the reference evaluator: what the contract says, in the plainest way. */
export function referenceUnderTest(): EngineUnderTest<RecordEngine> {
  return referenceWithTerms().under;
}

/** The same, with a way to say what the hierarchies are; it keeps nothing else of the items. */
export function referenceWithTerms(): {
  readonly under: EngineUnderTest<RecordEngine>;
  putTerms(engine: RecordEngine, items: readonly TermContent[]): Promise<void>;
} {
  const parents = new Map<string, string | undefined>();
  const world: World = { parentOf: (_, id) => parents.get(id) };
  return {
    under: {
      name: "reference evaluator",
      open: async ({ catalog }) => makeReferenceEngine(catalog, world),
      cleanUp: async () => parents.clear(),
    },
    putTerms: async (_, items) => {
      for (const { id, parent } of items) parents.set(id, parent);
    },
  };
}

/** @param world the hierarchies of the vocabularies, as they are when a search runs */
export function makeReferenceEngine(catalog: Catalog, world: World = FLAT): RecordEngine {
  const rows: Rows = new Map();
  const shares: Shares = new Map();
  // No number is given twice, also not that of a record which is gone.
  const numbers = { last: 0 };
  let now = START_MICROS;
  return {
    store: {
      prepareIndex: (leaves) => leaves,
      transaction: async (work) => {
        now += 1;
        return work({
          now: formatInstant(now),
          records: makeWriter(rows, catalog, numbers, shares),
          shares: makeSharing(shares),
        });
      },
    },
    index: {
      searchRecords: async (search) => searchRecords([...rows.values()], search, { catalog, world, shares }),
    },
    close: async () => undefined,
  };
}

function makeSharing(shares: Shares): Sharing {
  return {
    put: async (draft, user) => void shares.set(draft, new Set([...(shares.get(draft) ?? []), user])),
    delete: async (draft, user) => shares.get(draft)?.delete(user) ?? false,
  };
}

function makeWriter(rows: Rows, catalog: Catalog, numbers: { last: number }, shares: Shares): RecordWriter {
  return {
    get: async (id, state) => {
      const row = rows.get(`${id} ${state}`);
      return row && stored(row.body, [...rows.values()]);
    },
    getLatest: async (parent) => {
      const latest = [...rows.values()].find(({ body }) => body.parent.id === parent && body.versions.is_latest);
      return latest && stored(latest.body, [...rows.values()]);
    },
    listVersions: async (parent) => {
      const under = [...rows.values()].map(({ body }) => body).filter((body) => body.parent.id === parent);
      return under.map(versionRow).sort((a, b) => a.version - b.version || (a.state < b.state ? -1 : 1));
    },
    getTombstone: async () => undefined,
    publicModelOf: async (id) => {
      const published = [...rows.values()].map(({ body }) => body).filter(({ state }) => state === "published");
      return published.find((body) => body.id === id || body.parent.id === id)?.model;
    },
    lastRevision: async () => 0,
    isTaken: async () => false,
    countOwned: async () => ({ drafts: 0, published: 0 }),
    ownedParents: async () => [],
    draftUsage: async () => ({ drafts: 0, bytes: 0 }),
    put: async ({ metadata, ...head }, index) => {
      const key = `${head.id} ${head.state}`;
      const fixed = fixedLeaves(head, catalog.models.get(head.model)!);
      const made = index as RecordLeaves;
      const body: RecordBody = { ...head, metadata: JSON.parse(metadata.text) };
      rows.set(key, {
        row: rows.get(key)?.row ?? ++numbers.last,
        body,
        leaves: { ...made, leaves: [...fixed, ...made.leaves] },
      });
      return stored(body, [...rows.values()]);
    },
    putHead: async ({ id, state }, head) => {
      const key = `${id} ${state}`;
      const { row, body, leaves } = rows.get(key)!;
      const { metadata, errors } = body;
      const model = catalog.models.get(body.model)!;
      const fixed = fixedLeaves(head, model);
      // The fixed leaves come first, and no head has more or fewer of them than another.
      const changed = { ...leaves, leaves: [...fixed, ...leaves.leaves.slice(fixed.length)] };
      const written = { ...head, metadata, ...(errors === undefined ? {} : { errors }) };
      rows.set(key, { row, body: written, leaves: changed });
    },
    delete: async (id, state) => {
      rows.delete(`${id} ${state}`);
      if (state === "draft") shares.delete(id);
    },
    bury: async ({ body: { id } }) => {
      for (const state of ["draft", "published"]) rows.delete(`${id} ${state}`);
      shares.delete(id);
    },
  };
}

function versionRow({ id, state, created, versions }: RecordBody): VersionRow {
  return { id, state, version: versions.index, isLatest: state === "published" && versions.is_latest, created };
}

function stored(body: RecordBody, all: readonly Row[]): StoredRecord {
  const { id, model, state, revision_id: revision } = body;
  const isPublished = all.some((row) => row.body.id === id && row.body.state === "published");
  const owner = body.parent.owner.user;
  return { id, parent: body.parent.id, model, state, isPublished, owner, revision, json: JSON.stringify(body) };
}

function isVisible({ body }: Row, scope: RecordScope, all: readonly Row[], shares: Shares): boolean {
  if (!scope.models.includes(body.model)) return false;
  const isDraft = body.state === "draft";
  const has = (state: RecordBody["state"]): boolean =>
    all.some((row) => row.body.id === body.id && row.body.state === state);
  const isPublic = !isDraft && (("allVersions" in scope && scope.allVersions) || body.versions.is_latest);
  if (scope.kind === "public") return isPublic;
  if (scope.kind === "readable") {
    const { user } = scope;
    const isOwn = user === undefined || body.parent.owner.user === user || shares.get(body.id)?.has(user) === true;
    return isPublic || (isDraft && isOwn);
  }
  if (scope.isPublished !== undefined && scope.isPublished !== has("published")) return false;
  if (scope.kind === "drafts") return isDraft;
  if (scope.kind === "shared") return isDraft && shares.get(body.id)?.has(scope.user) === true;
  if (body.parent.owner.user !== scope.owner) return false;
  return isDraft || ((scope.allVersions || body.versions.is_latest) && !has("draft"));
}

interface SearchContext {
  readonly catalog: Catalog;
  readonly world: World;
  readonly shares: Shares;
}

/** `created, row`: records of one instant stand in the order of their commits. */
const ageOf = ({ row, body }: Row): number[] => [parseInstant(body.created), row];

/** `0, number, created, row`; without a number `1, created, row`. */
function valueKeyOf(record: Row, { by, first }: ValueSort): number[] {
  const { leaves } = record.leaves;
  const numbers = leaves.flatMap(({ path, number }) => (by.includes(path ?? "") ? (number ?? []) : []));
  if (numbers.length === 0) return [1, ...ageOf(record)];
  const [smallest, largest] = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
  return [0, first === "smallest" ? smallest : largest, ...ageOf(record)];
}

/** Compares keys in an order. */
function compareKeys(a: readonly number[], b: readonly number[], sort: RecordSearch["sort"]): number {
  const newestFirst = b.at(-2)! - a.at(-2)! || b.at(-1)! - a.at(-1)!;
  if (sort === "oldest") return -newestFirst;
  if (sort === "newest") return newestFirst;
  if (sort === "bestmatch") return a[0]! - b[0]! || newestFirst;
  if (a[0] !== b[0] || a[0] === 1) return a[0]! - b[0]! || newestFirst;
  return (sort.first === "smallest" ? a[1]! - b[1]! : b[1]! - a[1]!) || newestFirst;
}

function searchRecords(
  all: readonly Row[],
  search: RecordSearch,
  { catalog, world, shares }: SearchContext,
): RecordPage {
  const { clause, scope, sort, page } = search;
  const facets = search.facets.map((request) => findFacet(catalog, scope.models, request));
  const found = all.filter((row) => isVisible(row, scope, all, shares) && matches(clause, row.leaves, world));
  const hits = found.filter((row) => facets.every((facet) => passesFacet(row.leaves, facet, world)));
  const keyOf = (row: Row): number[] =>
    typeof sort !== "string"
      ? valueKeyOf(row, sort)
      : sort === "bestmatch"
        ? [bestmatchStep(clause, search.plain, row.leaves, world), ...ageOf(row)]
        : ageOf(row);
  const order = (a: readonly number[], b: readonly number[]): number => compareKeys(a, b, sort);
  const sorted = hits.map((row) => ({ row, key: keyOf(row) })).sort((a, b) => order(a.key, b.key));
  let start = "offset" in page ? page.offset : 0;
  if ("after" in page && page.after !== null) {
    const after = page.after.map((part) => (typeof part === "number" ? part : Number.NaN));
    const length = typeof sort !== "string" ? (after[0] === 1 ? 3 : 4) : sort === "bestmatch" ? 3 : 2;
    const isWhole = typeof sort === "string" ? Number.isSafeInteger : Number.isFinite;
    if (after.length < length || !after.every(isWhole)) throw fail("CURSOR_INVALID", { issues: [] });
    const next = sorted.findIndex(({ key }) => order(key, after) > 0);
    start = next < 0 ? sorted.length : next;
  }
  const end = start + page.limit;
  const last = sorted.slice(start, end).at(-1);
  return {
    hits: sorted.slice(start, end).map(({ row }) => stored(row.body, all)),
    total: sorted.length,
    facets: countFacets(
      found.map(({ leaves }) => leaves),
      facets,
      world,
    ),
    ...(last !== undefined && sorted.length > end ? { next: last.key } : {}),
  };
}
