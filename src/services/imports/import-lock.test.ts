import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type OpenServices, openServices } from "../../../test/support/open-services.js";
import { makeRecord } from "../../../test/support/records.js";
import { type WatchedLock, watchLock } from "../../../test/support/watch-lock.js";
import type { Actor } from "../../core/actor.js";
import type { Json } from "../../core/json.js";
import { makeRecordId, RECORD_ID_BYTES, type RecordBody } from "../../core/record.js";

let bindery: OpenServices;
let lock: WatchedLock;
let alice: Actor;
let curator: Actor;
/** What happens between the preparation of documents and their transaction. */
let meanwhile = async (): Promise<void> => undefined;

beforeAll(async () => {
  bindery = await openServices();
  alice = await bindery.actor("alice", "records:write");
  await bindery.addUser("curator", "curator");
  const { token } = await bindery.createToken({ user: "curator", scopes: ["vocabularies:write"] });
  curator = await bindery.authenticate(token);
  lock = watchLock(bindery.store, async () => {
    const happens = meanwhile;
    meanwhile = async () => undefined;
    await happens();
  });
});
afterAll(async () => {
  lock.release();
  await bindery.dispose();
});
beforeEach(() => {
  lock.work.length = 0;
});

/** A valid record with a long text that is no words. */
function long(title: string, padding = "-"): { metadata: object } {
  const body = makeRecord(1, { title, organism: () => "taxid:9606" }) as { metadata: { general_parameters: object } };
  const general = { ...body.metadata.general_parameters, padding: Array(4).fill(padding.repeat(50_000)) };
  return { metadata: { ...body.metadata, general_parameters: general } };
}

const load = (documents: readonly object[], flags: { dryRun?: boolean; update?: boolean } = {}) => {
  const file = bindery.file("lock.jsonl", documents.map((document) => JSON.stringify(document)).join("\n"));
  return bindery.importRecords({ model: "mst", file, owner: "alice", publish: true, ...flags });
};

/** The caller's records that say this. */
async function find(q: string): Promise<RecordBody[]> {
  const rest = { filters: {}, facetSize: 0, lang: "en", own: true };
  const { hits } = await bindery.searchRecords(alice, { q, window: { page: 1, size: 10 }, ...rest });
  return hits.map(({ json }) => JSON.parse(json) as RecordBody);
}

const idOf = (n: number): string => makeRecordId(new Uint8Array(RECORD_ID_BYTES).fill(n));
const parent = { id: idOf(1) };
const OLD = { id: idOf(2), parent };
const NEW = { id: idOf(3), parent };

const readOld = async (): Promise<RecordBody> =>
  JSON.parse((await bindery.readRecord(alice, { model: "mst", id: OLD.id })).json) as RecordBody;

it("fills in, validates, indexes and compares long documents before their transactions", async () => {
  const versions = [
    { ...OLD, versions: { index: 1 }, ...long("First") },
    { ...NEW, versions: { index: 2 }, ...long("Second") },
  ];
  const file = [...versions, long("Apart"), long("Apart")];
  expect(await load(file)).toMatchObject({ created: 3, published: 3, unchanged: 1, refused: [] });
  expect(lock.work).toEqual([]);
  expect(await readOld()).toMatchObject({ versions: { is_latest: false } });

  expect(await load(file)).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
  const changed = [
    { ...versions[0], ...long("First again") },
    { ...versions[1], ...long("Second", "+") },
  ];
  expect(await load(changed)).toMatchObject({ updated: 0, refused: [{ id: OLD.id }, { id: NEW.id }] });
  expect(await load(changed, { update: true })).toMatchObject({ updated: 2, published: 2, refused: [] });
  expect(await readOld()).toMatchObject({
    metadata: { general_parameters: { record_information: { title: "First again" } } },
  });
  // What the store holds is the document with its terms filled in: it is compared by what it says.
  const stored = await find("title:Second");
  expect(await load(stored)).toMatchObject({ unchanged: 1, refused: [] });
  expect(lock.work).toEqual([]);
});

it("pretends without any transaction", async () => {
  const before = lock.transactions();
  expect(await load([long("Pretended"), long("Pretended")], { dryRun: true })).toMatchObject({
    created: 1,
    unchanged: 1,
  });
  expect(lock.transactions()).toBe(before);
  expect(await find("title:Pretended")).toEqual([]);
});

it("writes the terms as they are in the transaction, though they changed after the preparation", async () => {
  const term = { vocabulary: "organisms", id: "taxid:9606" };
  const stored = await bindery.readTerm(term.vocabulary, term.id);
  if (stored.kind !== "found") throw new Error("There is no such item.");
  const { props } = JSON.parse(stored.term.json) as { props: Json };
  const title = { en: "Man, renamed meanwhile" };
  meanwhile = async () =>
    void (await bindery.replaceTerm(curator, term, JSON.stringify({ id: term.id, title, props })));
  expect(await load([long("Citing")])).toMatchObject({ created: 1, refused: [] });
  const [record] = await find('title:Citing AND "renamed meanwhile"');
  expect(JSON.stringify(record)).toContain("Man, renamed meanwhile");
});

it("decides by what is stored in the transaction: what was imported or retracted meanwhile", async () => {
  meanwhile = async () => void (await load([long("Once")]));
  expect(await load([long("Once")])).toMatchObject({ created: 0, unchanged: 1 });
  const found = await find("title:Once");
  expect(found).toHaveLength(1);

  const address = { model: "mst", id: found[0]!.id };
  meanwhile = () => bindery.retractRecord(alice, address, JSON.stringify({ removal_reason: "duplicate" }));
  expect(await load([{ id: address.id, ...long("Once more") }], { update: true })).toMatchObject({
    updated: 0,
    retracted: 1,
    refused: [{ reason: "the record was retracted" }],
  });
});

it("writes over a record as it is in the transaction, though it was edited after the comparison", async () => {
  const address = { model: "mst", id: idOf(4) };
  const revise = async (title: string): Promise<void> => {
    await bindery.editRecord(alice, address);
    await bindery.replaceDraft(alice, address, JSON.stringify(long(title)));
    await bindery.publishDraft(alice, address);
  };
  await load([{ id: address.id, ...long("Edited") }]);
  await revise("Edited twice");
  // It says what the document says when that is prepared.
  meanwhile = () => revise("Edited meanwhile");
  const document = { id: address.id, ...long("Edited twice") };
  expect(await load([document], { update: true })).toMatchObject({ updated: 1, refused: [] });
  expect((await find("title:Edited")).map(({ id, revision_id }) => [id, revision_id])).toEqual([[address.id, 8]]);
  expect(await find("title:meanwhile AND title:edited")).toEqual([]);
});

it("leaves a store with which nothing is wrong", async () => {
  expect((await bindery.verifyStore(() => undefined)).findings).toEqual([]);
});
