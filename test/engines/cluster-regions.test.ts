import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TermContent } from "../../src/core/term.js";
import { openSearchClient, type SearchClient } from "../../src/engines/opensearch/connection/search-client.js";
import { termDocumentText } from "../../src/engines/opensearch/documents/term-document.js";
import { makeSearchEngine } from "../../src/engines/opensearch/index.js";
import { termsIndexOf } from "../../src/engines/separate-index/driver/index-driver.js";
import { addIndex, bringLevel, fillIndex } from "../../src/engines/separate-index/relay/build-index.js";
import { makeDocumentWriter } from "../../src/engines/separate-index/relay/document-writer.js";
import { feedIndex } from "../../src/engines/separate-index/relay/feed-index.js";
import type { IndexState } from "../../src/ports/index-source.js";
import type { TermSearch } from "../../src/ports/search-index.js";
import { type ClusterEngine, clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { contractCatalog, makeClock } from "../support/engines/engine-under-test.js";
import { item, loadAll, putTerms } from "../support/engines/term-fixtures.js";
import { descendants } from "../support/engines/term-reference.js";
import { SEED } from "../support/seed.js";
import { HAS_OPENSEARCH, searchUrl } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

const COUNT = 150;
const LARGE_ABOVE = 4;
/** Loads of as many items make the vocabulary's index anew. */
const OVERLAY_MAX = 100;
const ROUNDS = process.env.TEST_LONG === "1" ? 1_500 : 40;

const catalog = contractCatalog();
const NEVER_ENDING = new AbortController().signal;

/** Mostly below an item with a smaller number; seldom anywhere, in circles too, below what is no item, or nowhere. */
const parentOf = (n: number) =>
  fc.oneof(
    { weight: 16, arbitrary: fc.nat(Math.max(0, n - 1)).map((m) => `sp:${m >> 1}`) },
    { weight: 3, arbitrary: fc.nat(COUNT - 1).map((m) => `sp:${m}`) },
    { weight: 2, arbitrary: fc.nat(3).map((m) => `sp:${1_000 + m}`) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
const PLACED = fc.nat(COUNT - 1).chain((n) => parentOf(n).map((parent) => ({ id: `sp:${n}`, parent })));
const ALL_PLACED = fc.tuple(
  ...Array.from({ length: COUNT }, (_, n) => parentOf(n).map((parent) => ({ id: `sp:${n}`, parent }))),
);

const MOST_PLACED = ALL_PLACED.chain((all) => fc.subarray([...all], { minLength: OVERLAY_MAX + 5 }));

type Placed = { readonly id: string; readonly parent: string | undefined };
type Command =
  | { readonly kind: "put" | "erase"; readonly placed: Placed }
  | { readonly kind: "load"; readonly all: readonly Placed[] }
  | { readonly kind: "feed" | "follow" | "reindex" };

const plain = (kind: "feed" | "follow" | "reindex") => fc.constant<Command>({ kind });
const COMMAND: fc.Arbitrary<Command> = fc.oneof(
  { weight: 7, arbitrary: PLACED.map((placed): Command => ({ kind: "put", placed })) },
  { weight: 3, arbitrary: PLACED.map((placed): Command => ({ kind: "erase", placed })) },
  {
    weight: 3,
    arbitrary: fc.array(PLACED, { minLength: 1, maxLength: 8 }).map((all): Command => ({ kind: "load", all })),
  },
  { weight: 1, arbitrary: MOST_PLACED.map((all): Command => ({ kind: "load", all })) },
  { weight: 5, arbitrary: plain("feed") },
  { weight: 2, arbitrary: plain("follow") },
  { weight: 2, arbitrary: plain("reindex") },
);

const ASKED = fc.array(
  fc.oneof(fc.nat(30), fc.nat(COUNT), fc.integer({ min: 1_000, max: 1_003 })).map((n) => `sp:${n}`),
  { minLength: 3, maxLength: 5 },
);

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("what stands below large terms", () => {
  let engine: ClusterEngine;
  let client: SearchClient;
  beforeEach(async () => {
    client = openSearchClient({ urls: [await searchUrl()] });
  });
  afterEach(() => client.close());

  const find = async (changes: Partial<TermSearch>) => {
    const { hits, total } = await engine.index.searchTerms({
      ...{ vocabulary: "species", clause: { kind: "everything" }, facets: [], sort: "oldest", lang: "en" },
      page: { offset: 0, limit: 1_000 },
      ...changes,
    });
    expect(hits).toHaveLength(total);
    return hits.map(({ id }) => id).sort();
  };

  /** What a relay does in one step, for each index that there is, until nothing is left. */
  const feed = async (): Promise<void> => {
    for (const state of await engine.indexSource.states()) {
      const fed = { ...options(), imports: new Map() };
      const writer = makeDocumentWriter(options(), state);
      for (let at = state; await feedIndex(fed, at, writer, NEVER_ENDING); at = await stateOf(at.name));
    }
  };
  const stateOf = async (name: string): Promise<IndexState> =>
    (await engine.indexSource.states()).find((state) => state.name === name)!;
  const options = () => ({
    ...makeSearchEngine(client, { catalog }),
    ...{ source: engine.indexSource, catalog, shards: 1, largeAbove: LARGE_ABOVE },
  });

  /** A reindex in three steps: it is begun, filled, and asked. */
  const reindexing = () => {
    let begun: { readonly name: string; isFilled: boolean } | undefined;
    return async (): Promise<void> => {
      const [current] = (await engine.indexSource.states()).filter(({ isCurrent }) => isCurrent);
      if (begun === undefined) {
        begun = { name: `${current!.name}x`, isFilled: false };
        await addIndex(options(), begun.name);
      } else if (!begun.isFilled) {
        await fillIndex(options(), await stateOf(begun.name), NEVER_ENDING);
        begun.isFilled = true;
      } else {
        await bringLevel(options(), begun.name, NEVER_ENDING);
        await engine.indexSource.makeCurrent(begun.name);
        await engine.indexSource.dropIndex(current!.name);
        begun = undefined;
      }
    };
  };

  /** What the store should have, and how often each kind of answer was met. */
  let items: Map<string, TermContent>;
  let met: { regions: number; elsewhere: number; named: number; moved: number };
  const contentOf = ({ id, parent }: Placed, round: number) =>
    item(id, `Item ${round}`, parent === undefined ? {} : { parent });

  const write = async (command: Command, round: number): Promise<void> => {
    if (command.kind === "erase") {
      await engine.store.transaction((tx) => tx.terms.delete("species", command.placed.id));
      items.delete(command.placed.id);
    } else if (command.kind === "put" || command.kind === "load") {
      const placed = "all" in command ? command.all : [command.placed];
      const all = new Map(placed.map((each) => [each.id, contentOf(each, round)]));
      if (command.kind === "put") await putTerms(engine, [...all.values()]);
      else await loadAll(engine, all.values());
      for (const [id, content] of all) items.set(id, content);
    }
  };

  const isFarBehind = async (): Promise<boolean> => {
    const view = await engine.indexSource.openView();
    const of = { kind: "term", vocabulary: "species" } as const;
    const overlay = await view.overlaySince(view.index!.applied, of, OVERLAY_MAX);
    await view.close();
    return overlay === undefined;
  };

  /** Each way to ask for what stands below these, against what is read off the items. */
  const check = async (ids: readonly string[]): Promise<void> => {
    if (await isFarBehind()) await feed();
    const view = await engine.indexSource.openView();
    const all = [...items.values()];
    for (const id of ids) {
      const below = descendants(all, id);
      expect([id, await find({ ancestor: id })]).toEqual([id, [...below].sort()]);
      const clause = { kind: "cites", vocabularies: ["species"], id, within: true } as const;
      if (items.has(id)) below.add(id);
      const others = all.filter((each) => !below.has(each.id)).map((each) => each.id);
      expect([id, await find({ clause: { kind: "not", of: clause } })]).toEqual([id, others.sort()]);
      const asked = await view.trees.below({ vocabulary: "species", id, limit: 1_000, changed: [] });
      met.regions += Math.min(1, asked!.regions.length);
      met.elsewhere += Math.min(1, asked!.elsewhere.length);
      met.named += asked!.regions.length > 0 && asked!.ids.length > 0 ? 1 : 0;
    }
    met.moved += (await view.trees.belowMoved("species")).size;
    await view.close();
  };

  it("is found exactly, whatever is written, loaded, indexed and made anew", { timeout: 3_600_000 }, async () => {
    const under = clusterUnderTest({ shards: 1, overlayMax: OVERLAY_MAX, largeAbove: LARGE_ABOVE });
    engine = await under.open({ catalog, clock: makeClock() });
    [items, met] = [new Map(), { regions: 0, elsewhere: 0, named: 0, moved: 0 }];
    const admin = engine.search.adminOf(engine.admin, engine.store);
    const stepReindex = reindexing();
    const findings = async () =>
      (await admin.verify(() => undefined)).findings.filter(({ check: of }) => of.startsWith("index."));

    const first: Command = { kind: "load", all: fc.sample(ALL_PLACED, { numRuns: 1, seed: SEED })[0]! };
    const commands = [first, ...fc.sample(COMMAND, { numRuns: ROUNDS, seed: SEED + 1 })];
    const checked = fc.sample(ASKED, { numRuns: commands.length, seed: SEED + 2 });
    for (const [round, command] of commands.entries()) {
      if (command.kind === "feed") await feed();
      else if (command.kind === "follow") await engine.indexSource.followSome();
      else if (command.kind === "reindex") await stepReindex();
      else await write(command, round);
      await check(["sp:0", ...checked[round]!]);
      if (round % 30 === 29) expect(await findings()).toEqual([]);
    }
    for (const [kind, times] of Object.entries(met)) expect([kind, times > 5]).toEqual([kind, true]);
    while (await engine.indexSource.followSome()) await feed();
    const view = await engine.indexSource.openView();
    expect((await view.trees.belowMoved("species")).size).toBe(0);
    await view.close();
    expect(await findings()).toEqual([]);
    await check([...items.keys()].slice(0, 30));
    await engine.close();
    await under.cleanUp();
  });

  it("may be any number, but of what is below moved terms, until the index has followed", {
    timeout: 120_000,
  }, async () => {
    const under = clusterUnderTest({ shards: 1, overlayMax: 50, largeAbove: 20, belowMax: 8 });
    engine = await under.open({ catalog, clock: makeClock() });
    const below = (parent: string, from: number, count: number) =>
      Array.from({ length: count }, (_, n) => item(from + n, `Item ${from + n}`, { parent }));
    const ofTwo = [item(2, "Two", { parent: "sp:1" }), ...below("sp:2", 300, 8)];
    await loadAll(engine, [item(0, "Root"), item(1, "One", { parent: "sp:0" }), ...below("sp:1", 100, 60), ...ofTwo]);
    expect(await find({ ancestor: "sp:0" })).toHaveLength(70);
    // Too many for a term that is not large.
    await putTerms(engine, below("sp:3", 400, 9));
    await feed();
    await expect(find({ ancestor: "sp:3" })).rejects.toMatchObject({ code: "QUERY_TOO_COSTLY" });
    await putTerms(engine, [item(2, "Two", { parent: "sp:3" })]);
    await expect(find({ ancestor: "sp:0" })).rejects.toMatchObject({ code: "QUERY_TOO_COSTLY" });
    expect(await find({ ancestor: "sp:2" })).toHaveLength(8);
    expect(await engine.indexSource.followSome()).toBe(true);
    for (const wait of [async () => undefined, feed]) {
      await wait();
      expect(await find({ ancestor: "sp:0" })).toHaveLength(61);
    }
    await engine.close();
    await under.cleanUp();
  });

  it.each(["before", "by"])(
    "is right in an index that is being made, of terms that moved %s a large load",
    {
      timeout: 120_000,
    },
    async (when) => {
      const under = clusterUnderTest({ shards: 1, overlayMax: 50, largeAbove: 20 });
      engine = await under.open({ catalog, clock: makeClock() });
      const stepReindex = reindexing();
      const below = (parent: string, from: number, count: number, title = "Item") =>
        Array.from({ length: count }, (_, n) => item(from + n, title, { parent }));
      const [one, three] = [1, 3].map((n) => item(n, "Item", { parent: "sp:0" }));
      await loadAll(engine, [item(0, "Root"), one!, three!, ...below("sp:1", 100, 60)]);
      await loadAll(engine, [item(2, "Two", { parent: "sp:1" }), item(4, "Four", { parent: "sp:2" })]);
      await putTerms(engine, below("sp:4", 300, 3));
      await feed();
      await stepReindex();
      await stepReindex();
      // What is below four is not written again.
      const moved = [item(2, "Two", { parent: "sp:3" }), item(4, "Vier", { parent: "sp:2" })];
      if (when === "before") await putTerms(engine, moved);
      await loadAll(engine, [...below("sp:1", 100, 60, "Other"), ...(when === "by" ? moved : [])]);
      expect([await find({ ancestor: "sp:1" }), await find({ ancestor: "sp:0" })]).toMatchObject([
        { length: 60 },
        { length: 67 },
      ]);
      await feed();
      await stepReindex();
      expect([await find({ ancestor: "sp:1" }), await find({ ancestor: "sp:0" })]).toMatchObject([
        { length: 60 },
        { length: 67 },
      ]);
      await engine.close();
      await under.cleanUp();
    },
  );

  it("is verified, and mended", { timeout: 120_000 }, async () => {
    const under = clusterUnderTest({ shards: 1, overlayMax: 20, largeAbove: 20 });
    engine = await under.open({ catalog, clock: makeClock() });
    const admin = engine.search.adminOf(engine.admin, engine.store);
    await loadAll(engine, [
      item(0, "Root"),
      ...Array.from({ length: 30 }, (_, n) => item(n + 1, "x", { parent: "sp:0" })),
    ]);
    await feed();
    const view = await engine.indexSource.openView();
    const index = view.index!.name;
    const [placed] = await view.trees.placed("species", await view.readTerms("species", ["sp:7"]));
    await view.close();
    expect(placed!.region).toBe("sp:0");
    const { json } = termDocumentText({ ...placed!, region: "sp:9" }, catalog.vocabularies.get("species")!);
    await client.send({
      ...{ method: "PUT", path: `/${termsIndexOf(index, "species", 1)}/_doc/sp:7`, body: JSON.parse(json) as object },
      query: { version: view.head, version_type: "external_gte", refresh: "true" },
    });
    expect(await find({ ancestor: "sp:0" })).toHaveLength(29);
    const { before, after } = await admin.repair(() => undefined);
    expect([before.findings.map(({ where }) => where), after.findings]).toEqual([["species/sp:7"], []]);
    expect(await find({ ancestor: "sp:0" })).toHaveLength(30);
    await engine.close();
    await under.cleanUp();
  });
});
