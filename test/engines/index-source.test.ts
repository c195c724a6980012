import { afterEach, describe, expect, it } from "vitest";
import type { TermContent } from "../../src/core/term.js";
import type { PostgresEngine } from "../../src/engines/postgres/index.js";
import type { ChangesSince, NewIndex, SourceView } from "../../src/ports/index-source.js";
import { tombstone } from "../contract/tombstones.contract.js";
import { putAll, tinyDraft, tinyRecord } from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { postgresUnderTest } from "../support/engines/postgres-under-test.js";
import { item, loadAll, putTerms } from "../support/engines/term-fixtures.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

const SPECIES = "species";
const INDEX = "bindery-1";
const NONE_LARGE = { large: new Map<string, readonly string[]>() };

describe.skipIf(!HAS_POSTGRES)("what an index beside PostgreSQL reads of it", () => {
  let engine: PostgresEngine;
  const views: SourceView[] = [];
  openForEachTest(postgresUnderTest(), (opened) => {
    engine = opened;
  });
  afterEach(async () => {
    for (const view of views.splice(0)) await view.close();
  });

  const openView = async (): Promise<SourceView> => {
    const view = await engine.indexSource.openView();
    views.push(view);
    return view;
  };
  const addIndex = (changes: Partial<NewIndex> = {}) =>
    engine.indexSource.addIndex({
      name: INDEX,
      epoch: "e1",
      made: { paths: ["a"] },
      begun: 0,
      applied: 0,
      ...NONE_LARGE,
      ...changes,
    });
  const headNow = async (): Promise<number> => (await engine.admin.status()).lastChange?.seq ?? 0;
  const idsSince = ({ records, terms }: ChangesSince) => ({
    records: records.map(({ id }) => id).sort(),
    terms: terms.map(({ id }) => id).sort(),
  });
  const changedBy = async (write: () => Promise<unknown>) => {
    const before = await headNow();
    await write();
    return idsSince(await (await openView()).changesSince(before, 1_000));
  };
  const citing = (id: string, organism: string) => tinyRecord(id, { organism: { id: organism } });

  it("is not read for a page without hits", async () => {
    const view = await engine.indexSource.openView();
    await view.close();
    await expect(view.shownTerms(SPECIES, ["sp:1"])).rejects.toThrow("The view is closed.");
    expect([await view.shownTerms(SPECIES, []), await view.readBodies([])]).toEqual([[], []]);
  });

  it("is one state, which stays the same while others write", async () => {
    await putAll(engine, [tinyRecord("a", { title: "first" })]);
    const view = await openView();
    await putAll(engine, [tinyRecord("a", { title: "second" }, { revision_id: 2 }), tinyRecord("b", {})]);
    expect([view.head, await headNow()]).toEqual([1, 3]);
    const [body] = await view.readBodies([{ id: "a", state: "published" }]);
    expect(JSON.parse(body!.json).metadata.title).toBe("first");
    expect((await view.changesSince(0, 10)).upTo).toBe(1);
    expect(await view.records.get("b", "published")).toBeUndefined();
  });

  it("has of a record its row, its versions, whom it is shared with, and its terms as they are", async () => {
    await putTerms(engine, [item(1, "Old"), item(2, "New", { parent: "sp:9" })]);
    await putAll(engine, [citing("a", "sp:1"), tinyDraft("a", {}), tinyDraft("b", {})]);
    await putTerms(engine, [item(1, "Old", { status: "deprecated", replaced_by: "sp:2" })]);
    await engine.store.transaction((tx) => tx.shares.put("b", "7", "read"));
    const found = await (await openView()).readRecords(["b", "a", "none"]);
    const shown = found.map(({ record: { id, state }, row, isLatest, hasOtherState, sharedWith }) => ({
      ...{ key: `${id} ${state}`, row, isLatest, hasOtherState, sharedWith },
    }));
    expect(shown).toEqual([
      { key: "a draft", row: 4, isLatest: false, hasOtherState: true, sharedWith: [] },
      { key: "a published", row: 3, isLatest: true, hasOtherState: true, sharedWith: [] },
      { key: "b draft", row: 5, isLatest: false, hasOtherState: false, sharedWith: ["7"] },
    ]);
    expect(found[1]!.terms).toMatchObject([
      { vocabulary: SPECIES, id: "sp:1", term: { id: "sp:2", successors: ["sp:2"] } },
    ]);
    const scanned = await (await openView()).recordsAfter(3, { records: 10, bytes: 1_000_000 });
    expect(scanned.map(({ row }) => row)).toEqual([4, 5]);
  });

  it("reads no more than so many bytes of records at once, and always one", async () => {
    const title = "x".repeat(1_000);
    const bodies = ["a", "b", "c", "d"].map((id) => tinyRecord(id, { title: id === "c" ? title.repeat(5) : title }));
    await putAll(engine, bodies);
    const view = await openView();
    const sizes = await view.bodyBytes(["a", "c", "none"]);
    expect([...sizes.keys()].sort()).toEqual(["a", "c"]);
    const [bytes, more] = [sizes.get("a")!, sizes.get("c")!];
    expect([bytes, more]).toEqual([bytes, bytes + 4 * title.length]);
    const rowsAfter = async (row: number, records: number, most: number): Promise<string> =>
      (await view.recordsAfter(row, { records, bytes: most })).map(({ record }) => record.id).join("");
    expect(await rowsAfter(0, 10, 2 * bytes + more)).toBe("abc");
    expect(await rowsAfter(0, 10, 2 * bytes + more - 1)).toBe("ab");
    expect(await rowsAfter(2, 10, 1)).toBe("c");
    expect([await rowsAfter(0, 1, 1e9), await rowsAfter(3, 9, 1e9), await rowsAfter(4, 9, 1e9)]).toEqual([
      "a",
      "d",
      "",
    ]);
  });

  it("names each record that changed once, with its last change, also one that is gone", async () => {
    await putAll(engine, [tinyRecord("a", {}), tinyRecord("b", {}), tinyRecord("a", {}, { revision_id: 2 })]);
    await engine.store.transaction((tx) => tx.records.bury(tombstone("b")));
    const view = await openView();
    expect(await view.changesSince(0, 100)).toEqual({
      upTo: 4,
      records: [
        { id: "a", seq: 3 },
        { id: "b", seq: 4 },
      ],
      terms: [],
    });
    expect(await view.changesSince(0, 1)).toMatchObject({ upTo: 1, records: [{ id: "a", seq: 1 }] });
    expect(await view.changesSince(4, 100)).toEqual({ upTo: 4, records: [], terms: [] });
  });

  it("names records with their terms, with what replaced these, and with what stands above them", async () => {
    await addIndex();
    await putTerms(engine, [item(1, "One"), item(2, "Two", { parent: "sp:1" }), item(3, "Three"), item(4, "Four")]);
    await putAll(engine, [citing("a", "sp:1"), citing("b", "sp:2"), citing("c", "sp:3"), citing("d", "sp:9")]);
    const put = (...args: Parameters<typeof item>) => changedBy(() => putTerms(engine, [item(...args)]));
    expect(await put(1, "Uno")).toEqual({ records: ["a"], terms: ["sp:1"] });
    expect(await put(1, "Uno", { parent: "sp:4" })).toEqual({ records: ["a", "b"], terms: ["sp:1"] });
    expect(await put(9, "Nine")).toEqual({ records: ["d"], terms: ["sp:9"] });
    expect(await put(3, "Three", { status: "deprecated", replaced_by: "sp:4" })).toEqual({
      records: ["c"],
      terms: ["sp:3", "sp:4"],
    });
    expect(await put(4, "Cuatro")).toEqual({ records: ["c"], terms: ["sp:4"] });
    expect(await put(4, "Cuatro", { parent: "sp:8" })).toEqual({ records: ["a", "b", "c"], terms: ["sp:4"] });
    const remove = () => engine.store.transaction((tx) => tx.terms.delete(SPECIES, "sp:4"));
    expect(await changedBy(remove)).toEqual({ records: ["a", "b", "c"], terms: ["sp:4"] });
    const shown = await engine.store.changes.page({ after: { seq: 0, time: 0 }, limit: 1_000 });
    expect(shown.changes.filter(({ kind }) => kind === "record").map(({ action }) => action)).toEqual(
      Array(4).fill("published"),
    );
  });

  it("names of all that changed what a search is about, as long as that is not too much", async () => {
    await addIndex();
    await putTerms(engine, [item(1, "One"), item(2, "Two")]);
    await putAll(engine, [citing("a", "sp:1"), citing("a", "sp:1"), tinyRecord("b", {})]);
    await loadAll(engine, [item(2, "Zwei"), item(3, "Drei")]);
    const view = await openView();
    const record = { kind: "record" } as const;
    const term = { kind: "term", vocabulary: SPECIES } as const;
    expect(await view.overlaySince(0, record, 2)).toMatchObject({ records: [{ id: "a" }, { id: "b" }], terms: [] });
    expect(await view.overlaySince(0, record, 1)).toBeUndefined();
    const terms = (await view.overlaySince(0, term, 3))!.terms.map(({ id }) => id);
    expect(terms.sort()).toEqual(["sp:1", "sp:2", "sp:3"]);
    expect(await view.overlaySince(0, term, 2)).toBeUndefined();
    expect(await view.overlaySince(0, { ...term, vocabulary: "none" }, 1)).toEqual({ records: [], terms: [] });
    expect(await view.overlaySince(view.head, term, 1)).toEqual({ records: [], terms: [] });
  });

  it("leaves the terms of a very large import to be read in parts", { timeout: 120_000 }, async () => {
    await addIndex();
    await putTerms(engine, [item(1, "One")]);
    const many = Array.from({ length: 10_001 }, (_, n) => item(n, `Number ${n}`));
    await loadAll(engine, many);
    await putTerms(engine, [item(2, "Two")]);
    const view = await openView();
    expect(await view.changesSince(0, 10)).toMatchObject({ upTo: 1, terms: [{ id: "sp:1" }] });
    const { large, ...since } = await view.changesSince(1, 10);
    expect([large, since]).toEqual([
      { vocabulary: SPECIES, number: expect.any(Number) },
      { upTo: 2, records: [], terms: [] },
    ]);
    const first = await view.importedAfter(large!.number, 0, 10_000);
    const rest = await view.importedAfter(large!.number, first.at(-1)!.n, 10_000);
    expect(new Set([...first, ...rest].map(({ id }) => id))).toEqual(new Set(many.map(({ id }) => id)));
    expect(await view.changesSince(2, 10)).toMatchObject({ upTo: 3, terms: [{ id: "sp:2" }] });
  });

  it("names terms that are cited more or less often, and those that stand for them", async () => {
    await addIndex();
    await putTerms(engine, [item(1, "One", { status: "deprecated", replaced_by: "sp:2" }), item(2, "Two")]);
    expect(await changedBy(() => putAll(engine, [citing("a", "sp:1")]))).toEqual({
      records: ["a"],
      terms: ["sp:1", "sp:2"],
    });
    const [one, two] = await (await openView()).readTerms(SPECIES, ["sp:2", "sp:1", "sp:3"]);
    expect([one?.content.id, one?.citedBy, two?.content.id, two?.citedBy]).toEqual(["sp:1", 1, "sp:2", 1]);
    const draft = tinyDraft("b", { organism: { id: "sp:1" } });
    expect((await changedBy(() => putAll(engine, [draft]))).terms).toEqual([]);
    const remove = () => engine.store.transaction((tx) => tx.records.delete("a", "published"));
    expect((await changedBy(remove)).terms).toEqual(["sp:1", "sp:2"]);
  });

  it("leaves for later that many records follow a term", { timeout: 60_000 }, async () => {
    await addIndex();
    await putTerms(engine, [item(1, "One")]);
    const ids = Array.from({ length: 501 }, (_, n) => `r${n}`);
    await putAll(
      engine,
      ids.map((id) => citing(id, "sp:1")),
    );
    expect((await changedBy(() => putTerms(engine, [item(1, "Uno")]))).records).toEqual([]);
    expect(await engine.store.terms.stale()).toBe(1);
    expect((await changedBy(() => engine.store.followTerms())).records).toEqual(ids.sort());
    expect(await engine.store.terms.stale()).toBe(0);
  });

  it("has records follow an import before it ends", async () => {
    await addIndex();
    await putTerms(engine, [item(1, "One"), item(2, "Two", { parent: "sp:1" }), item(3, "Three"), item(4, "Four")]);
    await putTerms(engine, [item(5, "Five", { status: "deprecated", replaced_by: "sp:3" })]);
    await putAll(engine, [citing("a", "sp:2"), citing("b", "sp:3"), citing("c", "sp:4"), citing("d", "sp:5")]);
    const load = () => loadAll(engine, [item(1, "One", { parent: "sp:4" }), item(3, "Tres"), item(4, "Four")]);
    expect(await changedBy(load)).toEqual({ records: ["a", "b", "d"], terms: ["sp:1", "sp:3", "sp:5"] });
  });

  it("has records follow an import that takes parents away, or finds that they changed meanwhile", async () => {
    await addIndex();
    await putTerms(engine, [item(1, "One"), item(2, "Two", { parent: "sp:1" }), item(3, "Three", { parent: "sp:2" })]);
    await putAll(engine, [citing("a", "sp:3")]);
    expect((await changedBy(() => loadAll(engine, [item(2, "Two")]))).records).toEqual(["a"]);
    async function* meanwhile(): AsyncGenerator<TermContent> {
      yield item(2, "Zwei");
      await putTerms(engine, [item(2, "Two", { parent: "sp:1" })]);
    }
    const load = () => engine.store.loadTerms(SPECIES, meanwhile());
    const seq = await headNow();
    await load();
    const view = await openView();
    expect((await view.changesSince(seq + 2, 100)).records.map(({ id }) => id)).toEqual(["a"]);
  });

  it("has records follow an import that puts a new item above what they cite", async () => {
    await addIndex();
    await putTerms(engine, [
      ...[item(3, "Three", { parent: "sp:2" }), item(4, "Four", { status: "deprecated", replaced_by: "sp:3" })],
      ...[item(1, "One"), item(6, "Six", { parent: "sp:5" })],
    ]);
    await putAll(engine, [citing("a", "sp:3"), citing("b", "sp:4"), citing("c", "sp:1")]);
    const created = [item(2, "Two", { parent: "sp:7" }), item(7, "Seven", { parent: "sp:1" })];
    expect((await changedBy(() => loadAll(engine, created))).records).toEqual(["a", "b"]);
  });

  it("leaves records as they are where nothing above what they cite has moved", async () => {
    await addIndex();
    await putTerms(engine, [item(1, "One"), item(2, "Two", { parent: "sp:1" }), item(3, "Three", { parent: "sp:2" })]);
    await putAll(engine, [citing("a", "sp:2")]);
    const load = () => loadAll(engine, [item(1, "Uno"), item(3, "Three"), item(4, "Four", { parent: "sp:2" })]);
    expect(await changedBy(load)).toEqual({ records: [], terms: ["sp:1", "sp:3", "sp:4"] });
  });

  it("notes which items moved while others stood below them, and has these follow", async () => {
    await addIndex({ large: new Map([[SPECIES, ["sp:9"]]]), scanned: 0 });
    await engine.indexSource.makeCurrent(INDEX);
    const moved = async (): Promise<readonly string[]> =>
      [...(await (await openView()).trees.belowMoved(SPECIES))].sort();
    await putTerms(engine, [item(1, "One"), item(2, "Two", { parent: "sp:1" }), item(3, "Three", { parent: "sp:2" })]);
    expect(await moved()).toEqual([]);
    // An item with nothing below it, and one that changes otherwise, need no note; below a large one nothing changes.
    await putTerms(engine, [item(3, "Three", { parent: "sp:1" }), item(1, "Uno"), item(4, "Four", { parent: "sp:9" })]);
    await putTerms(engine, [item(9, "Nine", { parent: "sp:1" })]);
    expect(await moved()).toEqual([]);
    await putTerms(engine, [item(1, "Uno", { parent: "sp:9" })]);
    expect(await moved()).toEqual(["sp:1", "sp:2", "sp:3", "sp:9"]);
    const follow = () => engine.indexSource.followSome();
    expect((await changedBy(follow)).terms).toEqual(["sp:1", "sp:2", "sp:3", "sp:9"]);
    expect([await moved(), await follow(), await follow()]).toEqual([[], true, false]);
    await loadAll(engine, [item(1, "Uno", { parent: "sp:4" }), item(2, "Zwei", { parent: "sp:9" }), item(5, "Five")]);
    expect(await moved()).toEqual(["sp:1", "sp:3", "sp:9"]);
    await engine.store.transaction((tx) => tx.terms.delete(SPECIES, "sp:1"));
    expect(await moved()).toEqual(["sp:1", "sp:3", "sp:9"]);
  });

  it("finds terms with many below them, though they are no items, and circles above them", async () => {
    const below = (parent: string, from: number, count: number) =>
      Array.from({ length: count }, (_, n) => item(from + n, "x", { parent }));
    await loadAll(engine, [
      ...below("sp:1", 10, 4),
      ...[item(1, "One", { parent: "sp:2" }), item(2, "Two", { parent: "sp:9" })],
      ...below("sp:3", 20, 3),
    ]);
    await putTerms(engine, [item(3, "Three", { parent: "sp:4" }), item(4, "Four", { parent: "sp:3" })]);
    const view = await openView();
    const large = async (above: number) => [...(await view.trees.findLargeTerms(SPECIES, above))].sort();
    expect(await large(5)).toEqual(["sp:9"]);
    expect(await large(3)).toEqual(["sp:1", "sp:2", "sp:3", "sp:9"]);
    expect(await large(0)).toEqual(["sp:1", "sp:2", "sp:3", "sp:4", "sp:9"]);
  });

  it("names terms that a load has others lead to, though it does not write them", async () => {
    await addIndex();
    await putTerms(engine, [
      item(1, "One"),
      item(2, "Two"),
      item(3, "Three", { status: "deprecated", replaced_by: "sp:1" }),
    ]);
    await putAll(engine, [citing("a", "sp:3")]);
    const load = () => loadAll(engine, [item(1, "One", { status: "deprecated", replaced_by: "sp:2" })]);
    expect((await changedBy(load)).terms).toEqual(["sp:1", "sp:2", "sp:3"]);
    const [two] = await (await openView()).readTerms(SPECIES, ["sp:2"]);
    expect(two!.citedBy).toBe(1);
  });

  it("names terms that a load has others no longer lead to", async () => {
    await addIndex();
    await putTerms(engine, [item(1, "One"), item(2, "Two", { status: "deprecated", replaced_by: "sp:1" })]);
    await putAll(engine, [citing("a", "sp:2")]);
    expect((await changedBy(() => loadAll(engine, [item(2, "Two")]))).terms).toEqual(["sp:1", "sp:2"]);
    const [one] = await (await openView()).readTerms(SPECIES, ["sp:1"]);
    expect(one!.citedBy).toBe(0);
  });

  it("notes nothing for indexes as long as there is none", async () => {
    await putTerms(engine, [item(1, "One")]);
    await putAll(engine, [citing("a", "sp:1")]);
    expect(await changedBy(() => putTerms(engine, [item(1, "Uno")]))).toEqual({ records: [], terms: ["sp:1"] });
  });

  it("says what stands above and below items, circles too", async () => {
    await putTerms(engine, [item(1, "One", { parent: "sp:3" }), item(2, "Two", { parent: "sp:1" })]);
    await putTerms(engine, [item(3, "Three", { parent: "sp:2" }), item(4, "Four", { parent: "sp:9" })]);
    const view = await openView();
    const { getParentId } = await view.trees.lineageOf([
      { vocabulary: SPECIES, id: "sp:1" },
      { vocabulary: SPECIES, id: "sp:4" },
    ]);
    expect(["sp:1", "sp:2", "sp:3", "sp:4", "sp:9"].map((id) => getParentId(SPECIES, id))).toEqual([
      ...["sp:3", "sp:1", "sp:2", "sp:9"],
      undefined,
    ]);
    const below = (id: string, limit: number) => view.trees.below({ vocabulary: SPECIES, id, limit, changed: [] });
    expect([...(await below("sp:1", 2))!.ids].sort()).toEqual(["sp:2", "sp:3"]);
    expect(await below("sp:1", 1)).toBeUndefined();
    expect(await below("sp:9", 1)).toEqual({ ids: ["sp:4"], regions: [], elsewhere: [] });
  });

  it("knows how far each index is, and which one is asked", async () => {
    const { indexSource: source } = engine;
    expect((await openView()).index).toBeUndefined();
    await addIndex({ scanned: 0 });
    await source.makeCurrent(INDEX);
    await addIndex({ name: "bindery-2" });
    await source.noteBegun(INDEX, 7, { epoch: "e1", begun: 0 });
    const index = { name: INDEX, epoch: "e1" };
    await source.noteApplied(index, 5);
    await source.noteBegun(INDEX, 6, { epoch: "e1", begun: 7 });
    await source.noteApplied(index, 4);
    // Searches show nothing that was not begun, and of another index nothing is known.
    await source.noteApplied(index, 8);
    await source.noteApplied({ ...index, epoch: "e2" }, 6);
    await source.noteScanned(INDEX);
    await source.noteMade(INDEX, { paths: ["a", "b"] });
    const now = { name: INDEX, epoch: "e1", begun: 7, applied: 5 };
    const view = await openView();
    expect(view.index).toEqual({ ...now, digest: expect.any(String) });
    expect(await view.made()).toEqual({ paths: ["a", "b"] });
    const another = await source.openView();
    await source.noteBegun(INDEX, 8, { epoch: "e1", begun: 7 });
    expect(await another.closeAndLook(INDEX)).toEqual({ begun: 8, applied: 5 });
    await source.dropIndex(INDEX);
    expect(await source.states()).toMatchObject([
      { ...now, begun: 8, isCurrent: true, digest: view.index!.digest },
      { name: "bindery-2", isCurrent: false, begun: 0, applied: 0 },
    ]);
    expect(await source.isBehind()).toBe(false);
    await putAll(engine, [tinyRecord("a", {})]);
    expect(await source.isBehind()).toBe(true);
    await source.makeCurrent("bindery-2");
    await source.dropIndex(INDEX);
    expect((await source.states()).map(({ name }) => name)).toEqual(["bindery-2"]);
    expect(await (await source.openView()).closeAndLook(INDEX)).toBeUndefined();
  });

  it("answers what was asked of a view before it was closed, and nothing that is asked of it later", async () => {
    const { indexSource: source } = engine;
    await addIndex({});
    await putAll(engine, [tinyRecord("a", {})]);
    const view = await source.openView();
    await putAll(engine, [tinyRecord("b", {})]);
    const asked = view.readBodies([
      { id: "a", state: "published" },
      { id: "b", state: "published" },
    ]);
    const marks = view.closeAndLook(INDEX);
    expect((await asked).map((body) => body?.id)).toEqual(["a", undefined]);
    expect(await marks).toEqual({ begun: 0, applied: 0 });
    await expect(view.readBodies([{ id: "a", state: "published" }])).rejects.toThrow("The view is closed.");
    await expect(view.trees.lineageOf([{ vocabulary: "species", id: "sp:1" }])).rejects.toThrow("The view is closed.");
  });

  it("forgets an index that was made of another state of the store", async () => {
    const { indexSource: source } = engine;
    await addIndex({ begun: 5 });
    await source.makeCurrent(INDEX);
    expect(await source.noteBegun(INDEX, 9, { epoch: "e1", begun: 6 })).toBe(false);
    expect(await source.noteBegun(INDEX, 9, { epoch: "e2", begun: 1 })).toBe(false);
    expect(await source.noteBegun("bindery-2", 9, { epoch: "e1", begun: 1 })).toBe(false);
    expect(await source.disown(INDEX, { epoch: "e1", begun: 5 })).toBe(false);
    expect(await source.states()).toMatchObject([{ name: INDEX, begun: 5 }]);
    expect(await source.noteBegun(INDEX, 6, { epoch: "e1", begun: 5 })).toBe(true);
    await source.noteApplied({ name: INDEX, epoch: "e1" }, 4);
    expect(await source.noteBegun(INDEX, 7, { epoch: "e1", begun: 3 })).toBe(false);
    expect(await source.noteBegun(INDEX, 6, { epoch: "e1", begun: 4 })).toBe(true);
    expect(await source.disown(INDEX, { epoch: "e1", begun: 7 })).toBe(true);
    expect(await source.states()).toEqual([]);
    await addIndex();
    expect(await source.disown(INDEX, { epoch: "e2", begun: 0 })).toBe(true);
    await addIndex();
    expect(await source.disown(INDEX, undefined)).toBe(true);
  });

  it("counts what an index refuses as changed until it is taken back", async () => {
    const { indexSource: source } = engine;
    await addIndex();
    await source.makeCurrent(INDEX);
    const record = { kind: "record", id: "a", reason: "too long" } as const;
    const term = { kind: "term", place: SPECIES, id: "sp:1", reason: "too long" } as const;
    await source.setAside(INDEX, [record, term], 3);
    expect(await source.failures(INDEX)).toEqual([record, term]);
    expect(await (await openView()).changesSince(0, 10)).toEqual({
      upTo: 0,
      records: [{ id: "a", seq: 3 }],
      terms: [{ vocabulary: SPECIES, id: "sp:1", seq: 3 }],
    });
    await source.takeBack(INDEX, [record], 2);
    expect(await source.failures(INDEX)).toEqual([record, term]);
    await source.takeBack(INDEX, [term], 3);
    expect(await source.failures(INDEX)).toEqual([record]);
  });
});
