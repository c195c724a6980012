/** An import knows its documents again: nothing is made twice, nothing is written that was not asked for. */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyOf, type OpenServices, openServices } from "../../../test/support/open-services.js";
import { smallRecord } from "../../../test/support/small-record.js";
import { ANONYMOUS } from "../../core/actor.js";
import type { Json, JsonObject } from "../../core/json.js";
import { makeRecordId, type RecordBody } from "../../core/record.js";
import type { RecordImport } from "../api/imports.js";

const stores: OpenServices[] = [];
let bindery: OpenServices;
let n = 0;

const open = async (): Promise<OpenServices> => {
  const opened = await openServices();
  stores.push(opened);
  return opened;
};
beforeAll(async () => {
  bindery = await open();
});
afterAll(async () => {
  for (const each of stores) await each.dispose();
});

/** A new user of a store, with what imports and searches of theirs need. */
async function userOf(services: OpenServices) {
  const owner = `user-${n++}`;
  const actor = await services.actor(owner, "records:write");
  const load = (documents: readonly Json[] | string | Uint8Array, options: Partial<RecordImport> = {}) => {
    const isRaw = typeof documents === "string" || documents instanceof Uint8Array;
    const content = isRaw ? documents : documents.map((each) => `${JSON.stringify(each)}\n`).join("");
    const file = services.file(`${owner}.ndjson${isRaw && typeof content !== "string" ? ".gz" : ""}`, content);
    return services.importRecords({ model: "mst", file, owner, publish: true, ...options });
  };
  /** The owner's records as a search gives them: the newest first. */
  const found = async (options: { readonly allVersions?: boolean } = {}): Promise<RecordBody[]> => {
    const request = { own: true, window: { size: 1000 }, filters: {}, facetSize: 0, lang: "en", ...options };
    const { hits } = await services.searchRecords(actor, request);
    return hits.map(({ json }) => JSON.parse(json) as RecordBody);
  };
  return { owner, actor, load, found };
}

const small = (title: string, isValid = true): { readonly metadata: JsonObject } =>
  smallRecord({ model: "mst", title, rights: "open", isValid });
const titleOf = ({ metadata }: Pick<RecordBody, "metadata">): unknown =>
  ((metadata.general_parameters as JsonObject).record_information as JsonObject).title;
const idOf = (seed: number): string => makeRecordId(new Uint8Array([seed, 1, 2, 3, n]));

describe("a file that is imported again", () => {
  it("changes nothing, whatever the order of members, and takes what is new in it", async () => {
    const { load, found } = await userOf(bindery);
    expect(await load([small("a"), small("b")])).toMatchObject({ created: 2, published: 2 });
    const before = await found();
    const sorted = Object.fromEntries(Object.entries(small("a").metadata).reverse());
    expect(await load([small("b"), sorted])).toMatchObject({ created: 0, updated: 0, unchanged: 2, refused: [] });
    expect(await found()).toEqual(before);
    expect(await load([small("a"), small("c"), small("c")])).toMatchObject({ created: 1, unchanged: 2 });
    expect((await found()).map(titleOf)).toEqual(["c", "b", "a"]);
  });

  it("makes records of another owner of it", async () => {
    const [first, second] = [await userOf(bindery), await userOf(bindery)];
    await first.load([small("shared")]);
    expect(await second.load([small("shared")])).toMatchObject({ created: 1 });
  });

  it("publishes the drafts of the first time where the second asks for it", async () => {
    const { load, found } = await userOf(bindery);
    expect(await load([small("later"), small("not valid", false)], { publish: false })).toMatchObject({ created: 2 });
    const again = await load([small("later"), small("not valid", false)]);
    expect(again).toMatchObject({ created: 0, updated: 1, published: 1, refused: [{ line: 2 }] });
    expect((await found()).map(({ state }) => state).sort()).toEqual(["draft", "published"]);
  });

  it("makes a draft anew that was deleted, and refuses a record that was retracted", async () => {
    const { actor, load, found } = await userOf(bindery);
    await load([small("deleted"), small("retracted", false)], { publish: false });
    for (const { id } of await found()) await bindery.deleteDraft(actor, { model: "mst", id });
    expect(await load([small("deleted")])).toMatchObject({ created: 1, published: 1 });
    const [record] = await found();
    await bindery.retractRecord(actor, { model: "mst", id: record!.id });
    const refusal = { line: 1, id: record!.id, reason: "the record was retracted" };
    expect(await load([small("deleted")])).toMatchObject({ created: 0, retracted: 1, refused: [refusal] });
    expect(await found()).toEqual([]);
  });
});

describe("a document that was changed", () => {
  const export1 = async (user: Awaited<ReturnType<typeof userOf>>): Promise<RecordBody> => {
    await user.load([small("before")]);
    return (await user.found())[0]!;
  };

  it("is refused, and changes the record as an edit where that is wanted", async () => {
    const user = await userOf(bindery);
    const record = await export1(user);
    const changed = { ...record, ...small("after") } as unknown as Json;
    const reason = "it differs from the stored record; --update writes it";
    expect(await user.load([changed])).toMatchObject({ updated: 0, refused: [{ line: 1, id: record.id, reason }] });
    expect(await user.found()).toEqual([record]);

    expect(await user.load([changed], { update: true })).toMatchObject({ updated: 1, published: 1, refused: [] });
    const [edited] = await user.found();
    expect(edited).toMatchObject({ id: record.id, created: record.created, revision_id: 2, state: "published" });
    expect(titleOf(edited!)).toBe("after");
    expect(await user.load([changed], { update: true })).toMatchObject({ updated: 0, unchanged: 1 });
  });

  it("opens an edit without publication, and replaces one that is open", async () => {
    const user = await userOf(bindery);
    const { errors: _, ...record } = await export1(user);
    const as = (title: string) => ({ ...record, ...small(title) }) as unknown as Json;
    expect(await user.load([as("one")], { update: true, publish: false })).toMatchObject({ updated: 1, published: 0 });
    expect(await user.load([as("two")], { update: true, publish: false })).toMatchObject({ updated: 1 });
    expect(await user.load([as("two")], { update: true, publish: false })).toMatchObject({ unchanged: 1 });
    const address = { model: "mst", id: record.id };
    expect(titleOf(bodyOf({ record: await bindery.readDraft(user.actor, address), warnings: [] }))).toBe("two");
    expect(titleOf(bodyOf({ record: await bindery.readRecord(ANONYMOUS, address), warnings: [] }))).toBe("before");
    expect(await user.load([as("two")])).toMatchObject({ updated: 1, published: 1 });
    expect(titleOf(bodyOf({ record: await bindery.readRecord(ANONYMOUS, address), warnings: [] }))).toBe("two");
  });

  it("with problems changes nothing of a published record", async () => {
    const user = await userOf(bindery);
    const record = await export1(user);
    const broken = { ...record, ...small("broken", false) } as unknown as Json;
    expect(await user.load([broken], { update: true })).toMatchObject({ updated: 0, refused: [{ id: record.id }] });
    expect(await user.found()).toEqual([record]);
  });

  it("is not taken over a later edit by somebody: the file says nothing new", async () => {
    const user = await userOf(bindery);
    const record = await export1(user);
    const address = { model: "mst", id: record.id };
    await bindery.editRecord(user.actor, address);
    await bindery.replaceDraft(user.actor, address, JSON.stringify(small("edited by hand")));
    await bindery.publishDraft(user.actor, address);
    expect(await user.load([small("before")], { update: true })).toMatchObject({ unchanged: 1, updated: 0 });
    expect((await user.found()).map(titleOf)).toEqual(["edited by hand"]);
  });
});

describe("a failing run", () => {
  it("leaves no drafts, and each record is there once when it is run again after mending", async () => {
    const { load, found } = await userOf(bindery);
    const first = await load([small("good"), small("bad", false), small("good too")]);
    expect(first).toMatchObject({ created: 2, published: 2, refused: [{ line: 2 }] });
    expect(first.refused[0]).not.toHaveProperty("id");
    expect((await found()).map(({ state }) => state)).toEqual(["published", "published"]);
    const again = await load([small("good"), small("bad"), small("good too")]);
    expect(again).toMatchObject({ created: 1, unchanged: 2, refused: [] });
    expect(await found()).toHaveLength(3);
  });

  it("of a file that ends too early writes nothing", async () => {
    const { load, found } = await userOf(bindery);
    const lines = Array.from({ length: 300 }, (_, i) => JSON.stringify(small(`packed ${i}`))).join("\n");
    const packed = gzipSync(lines);
    const summary = await load(packed.subarray(0, packed.length - 200));
    expect(summary).toMatchObject({
      created: 0,
      refused: [{ reason: expect.stringContaining("nothing was imported") }],
    });
    expect(await found()).toEqual([]);
    expect(await load(packed)).toMatchObject({ created: 300, refused: [] });
  });

  it("that only pretends says the same and writes nothing", async () => {
    const { load, found } = await userOf(bindery);
    await load([small("there")]);
    const before = await found();
    const file = [small("there"), small("new"), small("new"), small("bad", false), { id: "no-id", ...small("x") }];
    const pretended = await load(file, { dryRun: true });
    expect(pretended).toMatchObject({ created: 1, unchanged: 2, published: 1 });
    expect(pretended.refused.map(({ line }) => line)).toEqual([4, 5]);
    expect(await found()).toEqual(before);
    expect(await load(file)).toEqual(pretended);
  });
});

describe("what was exported", () => {
  it("comes back under its ids, parents and versions in an empty store, in any order", async () => {
    const from = await userOf(bindery);
    await from.load([small("first"), small("alone")]);
    const [, v1] = (await from.found()) as [RecordBody, RecordBody];
    const { record: v2 } = await bindery.createVersion(from.actor, { model: "mst", id: v1.id });
    await bindery.replaceDraft(from.actor, { model: "mst", id: v2.id }, JSON.stringify(small("second")));
    await bindery.publishDraft(from.actor, { model: "mst", id: v2.id });
    await from.load([small("a draft", false)], { publish: false });
    const exported = await from.found({ allVersions: true });
    expect(exported).toHaveLength(4);
    expect(exported.findIndex(({ id }) => id === v2.id)).toBeLessThan(exported.findIndex(({ id }) => id === v1.id));

    const empty = await open();
    const into = await userOf(empty);
    const documents = exported as unknown as readonly Json[];
    expect(await into.load(documents, { keepDrafts: true })).toMatchObject({ created: 4, published: 3 });
    const imported = await into.found({ allVersions: true });
    const shape = ({ id, parent, versions, state, metadata }: RecordBody) => ({
      id,
      parent: parent.id,
      versions,
      state,
      metadata,
    });
    const byId = (all: readonly RecordBody[]) => all.map(shape).sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(byId(imported)).toEqual(byId(exported));
    expect(imported.every(({ created }) => exported.every((each) => created > each.created))).toBe(true);
    const latest = await empty.readLatest(ANONYMOUS, { model: "mst", id: v1.id });
    expect(latest.id).toBe(v2.id);

    const again = await into.load(documents, { keepDrafts: true, update: true });
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
    expect(await into.found({ allVersions: true })).toEqual(imported);
    const verified = await empty.verifyStore(() => undefined);
    expect(verified.counts).toEqual({});
  });

  it("is refused where its ids are no ids, or are somebody else's", async () => {
    const [ann, ben] = [await userOf(bindery), await userOf(bindery)];
    await ann.load([small("of Ann")]);
    const [record] = await ann.found();
    const documents = [
      { id: "zv0gv-btp28", ...small("wrong check digits") },
      { id: 17, ...small("a number") },
      { id: record!.id, ...small("of Ben") },
      { id: record!.parent.id, ...small("a parent") },
      { id: idOf(1), parent: { id: record!.parent.id }, ...small("a version") },
      { id: idOf(2), parent: { id: "x" }, ...small("another") },
      { id: idOf(3), versions: { index: 0 }, ...small("one more") },
      { id: idOf(4), model: "itc", ...small("of another model") },
    ];
    const { created, refused } = await ben.load(documents);
    expect(created).toBe(0);
    expect(refused.map(({ reason }) => reason)).toEqual([
      '"zv0gv-btp28" is not an id of a record; leave it out to get a new one',
      "17 is not an id of a record; leave it out to get a new one",
      "the record belongs to another user",
      `the id ${record!.parent.id} was used before, and ids are never used twice`,
      `parent.id: ${record!.parent.id} belongs to a record of another user or model`,
      'parent.id: "x" cannot be the id of its versions',
      "versions.index: 0 is not a whole number from 1",
      expect.stringContaining('model "itc"'),
    ]);
    expect(await ben.found()).toEqual([]);
    expect(await ann.found()).toEqual([record]);
  });
});
