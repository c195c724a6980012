import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { bodyOf, type OpenServices, openServices } from "../../../test/support/open-services.js";
import { PreparedElsewhere } from "../../../test/support/prepare-elsewhere.js";
import { putRecord } from "../../../test/support/put-record.js";
import { makeRecord } from "../../../test/support/records.js";
import { type WatchedLock, watchLock } from "../../../test/support/watch-lock.js";
import type { Actor } from "../../core/actor.js";
import type { RecordBody } from "../../core/record.js";
import type { RecordAddress } from "../api/records.js";

let bindery: OpenServices;
let alice: Actor;
let curator: Actor;
const thread = new PreparedElsewhere();
const { prepared } = thread;
let lock: WatchedLock;

beforeAll(async () => {
  bindery = await openServices(thread);
  alice = await bindery.actor("alice", "records:write");
  await bindery.addUser("ben", "depositor");
  await bindery.addUser("curator", "curator");
  const { token } = await bindery.createToken({ user: "curator", scopes: ["vocabularies:write"] });
  curator = await bindery.authenticate(token);
  lock = watchLock(bindery.store);
});
afterAll(async () => {
  lock.release();
  await bindery.dispose();
});

beforeEach(() => {
  prepared.length = 0;
  lock.work.length = 0;
});
/** A valid record with a long text that is no words. */
function longText(title: string): string {
  const body = makeRecord(1, { title, organism: () => "taxid:9606" }) as { metadata: { general_parameters: object } };
  const general = { ...body.metadata.general_parameters, padding: Array(4).fill("-".repeat(50_000)) };
  return JSON.stringify({ metadata: { ...body.metadata, general_parameters: general } });
}

async function publish(title: string): Promise<RecordAddress> {
  const { record } = await bindery.createDraft(alice, "mst", longText(title));
  const address = { model: "mst", id: record.id };
  await bindery.publishDraft(alice, address);
  prepared.length = 0;
  lock.work.length = 0;
  return address;
}

/** Publishes another revision of a record. */
async function revise(address: RecordAddress, title: string): Promise<void> {
  await bindery.editRecord(alice, address);
  await bindery.replaceDraft(alice, address, longText(title));
  await bindery.publishDraft(alice, address);
}

const writeAnother = async (): Promise<void> =>
  void (await bindery.createDraft(alice, "mst", JSON.stringify(makeRecord(2))));

const titleOf = (body: RecordBody): string =>
  (body.metadata as { general_parameters: { record_information: { title: string } } }).general_parameters
    .record_information.title;

/** Ids of the caller's drafts and records that say this. */
async function find(q: string): Promise<string[]> {
  const rest = { filters: {}, facetSize: 0, lang: "en", own: true };
  return (await bindery.searchRecords(alice, { q, window: { page: 1, size: 10 }, ...rest })).hits.map(({ id }) => id);
}

const readHead = async (address: RecordAddress): Promise<RecordBody> =>
  JSON.parse((await bindery.readRecord(alice, address)).json) as RecordBody;

describe.each(["editRecord", "createVersion"] as const)("%s of a long record", (write) => {
  it("prepares its copy before the transaction, while others write", async () => {
    const address = await publish("Original");
    const other = vi.fn(writeAnother);
    thread.meanwhile = other;
    const made = await bindery[write](alice, address);
    expect(other).toHaveResolved();
    expect([prepared, lock.work]).toEqual([["copy"], []]);
    expect(bodyOf(made).metadata).toEqual((await readHead(address)).metadata);
    expect(bodyOf(made)).toMatchObject({ state: "draft", is_draft: true });
    expect(Object.keys(bodyOf(made)).at(-1)).toBe("metadata");
  });

  it("copies what is published in the transaction, though that came after the preparation", async () => {
    const address = await publish("Before");
    thread.meanwhile = () => revise(address, "After");
    expect(titleOf(bodyOf(await bindery[write](alice, address)))).toBe("After");
  });

  it("gives the draft that was opened meanwhile, and prepares nothing where one is open", async () => {
    const address = await publish("Twice");
    let first = "";
    thread.meanwhile = async () => {
      first = (await bindery[write](alice, address)).record.json;
    };
    const second = await bindery[write](alice, address);
    expect([second.record.json, second.isNew]).toEqual([first, false]);
    prepared.length = 0;
    expect((await bindery[write](alice, address)).record.json).toBe(first);
    expect(prepared).toEqual([]);
  });

  it("is refused before anything is prepared", async () => {
    const address = await publish("Refused");
    const stale = { revision: 99 };
    await expect(bindery[write](alice, address, stale)).rejects.toMatchObject({ code: "REVISION_STALE" });
    expect(prepared).toEqual([]);
  });

  it("takes into its index what the cited terms are in the transaction", async () => {
    const address = await publish("Citing");
    const term = { vocabulary: "organisms", id: "taxid:9606" };
    const stored = await bindery.readTerm(term.vocabulary, term.id);
    if (stored.kind !== "found") throw new Error("There is no such item.");
    const { id, title, props } = JSON.parse(stored.term.json) as { id: string; title: object; props: object };
    const rename = async (changes: object): Promise<void> =>
      void (await bindery.replaceTerm(curator, term, JSON.stringify({ id, title, props, ...changes })));
    const synonyms = [{ name: `meanwhile ${write}`, kind: "synonym" }];
    thread.meanwhile = () => rename({ synonyms });
    const { record } = await bindery[write](alice, address);
    expect(await find(`"meanwhile ${write}" AND title:Citing`)).toContain(record.id);
    await bindery.deleteDraft(alice, { ...address, id: record.id });

    // The metadata keep the replaced id, and the copy is found by its successor all the same.
    await rename({ synonyms, status: "deprecated", replaced_by: "taxid:562" });
    lock.work.length = 0;
    const later = await bindery[write](alice, address);
    expect(lock.work).toEqual([]);
    expect(await find("organism:taxid\\:562 AND title:Citing")).toContain(later.record.id);
    await rename({});
  });
});

describe("a replacement of a long draft", () => {
  /** The same metadata, whose members stand in another order. */
  function reordered(text: string): string {
    const { metadata } = JSON.parse(text) as { metadata: object };
    return JSON.stringify({ metadata: Object.fromEntries(Object.entries(metadata).reverse()) });
  }

  it("is compared with the draft before the transaction, and in it where the draft has changed since", async () => {
    const { record } = await bindery.createDraft(alice, "mst", longText("Ordered"));
    const address = { model: "mst", id: record.id };
    const same = reordered(longText("Ordered"));
    expect((await bindery.replaceDraft(alice, address, same)).record.json).toBe(record.json);
    expect(lock.work).toEqual([]);

    thread.meanwhile = async () => void (await bindery.replaceDraft(alice, address, longText("Meanwhile")));
    const written = await bindery.replaceDraft(alice, address, same);
    expect([titleOf(bodyOf(written)), written.record.revision]).toEqual(["Ordered", 3]);
    thread.meanwhile = async () => void (await bindery.replaceDraft(alice, address, longText("Expected")));
    const expected = await bindery.replaceDraft(alice, address, reordered(longText("Expected")));
    expect(expected.record.revision).toBe(4);
  });
});

describe("what changes the flags or the owner of a long record", () => {
  it("parses and writes out its head only: publication, deletion and retraction of a new version", async () => {
    const first = await publish("First");
    const flags = async (): Promise<unknown> => (await readHead(first)).versions;
    const open = async (): Promise<RecordAddress> => {
      return { model: "mst", id: (await bindery.createVersion(alice, first)).record.id };
    };
    const draft = await open();
    expect(await flags()).toEqual({ index: 1, is_latest: true, is_latest_draft: false });
    await bindery.deleteDraft(alice, draft);
    expect(await flags()).toEqual({ index: 1, is_latest: true, is_latest_draft: true });
    const second = await open();
    await bindery.publishDraft(alice, second);
    expect(await flags()).toEqual({ index: 1, is_latest: false, is_latest_draft: false });
    await bindery.retractRecord(alice, second, JSON.stringify({ removal_reason: "duplicate" }));
    expect(await flags()).toEqual({ index: 1, is_latest: true, is_latest_draft: true });
    expect(lock.work).toEqual([]);
    expect((await readHead(first)).revision_id).toBe(7);
    expect(await find("title:First")).toEqual([first.id]);
    // What the last test checks is then counted of a latest version and of one that was it.
    await bindery.publishDraft(alice, await open());
  });

  it("parses and writes out its head only: a transfer", async () => {
    const address = await publish("Given");
    await bindery.editRecord(alice, address);
    lock.work.length = 0;
    const given = await bindery.transferRecords({ from: "alice", to: "ben", record: address.id });
    expect([given, lock.work]).toEqual([{ drafts: 1, published: 1 }, []]);
    expect(await find("title:Given")).toEqual([]);
  });

  it("leaves a tombstone that shows the record as it was in the transaction", async () => {
    const address = await publish("Before");
    const { store } = bindery;
    let goOn = (): void => undefined;
    const isLookedAt = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const change = store.transaction(async (tx) => {
      const body = JSON.parse((await tx.records.get(address.id, "published"))!.json) as RecordBody;
      await isLookedAt;
      const metadata = JSON.parse(longText("After")).metadata;
      await putRecord({ store, catalog: builtInCatalog() }, tx.records, {
        ...body,
        metadata,
        revision_id: body.revision_id + 1,
      });
    });
    const retraction = bindery.retractRecord(alice, address, JSON.stringify({ removal_reason: "duplicate" }));
    await sleep(20);
    goOn();
    await Promise.all([change, retraction]);
    await expect(bindery.readRecord(alice, address)).rejects.toMatchObject({
      code: "RECORD_GONE",
      params: { tombstone: { title: "After" } },
    });
  });
});

it("leaves a store with which nothing is wrong: index and citations too", async () => {
  expect((await bindery.verifyStore(() => undefined)).findings).toEqual([]);
});
