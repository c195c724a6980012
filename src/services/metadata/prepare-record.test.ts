import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { bodyOf, type OpenServices, openServices, refusalOf } from "../../../test/support/open-services.js";
import { PreparedElsewhere } from "../../../test/support/prepare-elsewhere.js";
import { putRecord } from "../../../test/support/put-record.js";
import { makeRecord } from "../../../test/support/records.js";
import type { Actor } from "../../core/actor.js";
import { LIMITS } from "../../core/limits.js";
import { parseHead, RawJson, type RecordBody, recordText } from "../../core/record.js";
import { makeOnDemand } from "../index.js";
import { newDraft, publishedOf } from "../records/record-body.js";
import { checkedLeaves, makePrepareRecord, prepareExamples } from "./prepare-record.js";

let bindery: OpenServices;
let alice: Actor;
let curator: Actor;
const thread = new PreparedElsewhere();
const { prepared } = thread;

beforeAll(async () => {
  // Above the limit of words, so that it is met first.
  const textLimits = { textBytesMax: TEXT_BYTES_MAX, recordTextBytesMax: TEXT_BYTES_MAX };
  bindery = await openServices({ ...thread, textLimits });
  alice = await bindery.actor("alice", "records:write");
  await bindery.addUser("curator", "curator");
  const { token } = await bindery.createToken({ user: "curator", scopes: ["vocabularies:write"] });
  curator = await bindery.authenticate(token);
});
afterAll(() => bindery.dispose());

const TEXT_BYTES_MAX = 4_000_000;

/** Texts of so many different words. */
const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(" ");

/** A valid record with a long text that is no words: longer than what is prepared beside the transaction. */
function longRecord(changes: { readonly title?: string } = {}): string {
  const body = makeRecord(1, { title: "Long", organism: () => "taxid:9606", ...changes }) as {
    metadata: { general_parameters: object };
  };
  const general = { ...body.metadata.general_parameters, padding: Array(4).fill("-".repeat(50_000)) };
  return JSON.stringify({ metadata: { ...body.metadata, general_parameters: general } });
}

/** Gives the organism that each of these records cites another title. */
async function rename(title: string): Promise<void> {
  const address = { vocabulary: "organisms", id: "taxid:9606" };
  const stored = await bindery.readTerm(address.vocabulary, address.id);
  if (stored.kind !== "found") throw new Error("There is no such item.");
  const { props } = JSON.parse(stored.term.json) as { props: object };
  await bindery.replaceTerm(curator, address, JSON.stringify({ id: address.id, title: { en: title }, props }));
}

describe("a record with too many words", () => {
  const titleWords = LIMITS.recordWordsMax + 50_000;
  const text = words(titleWords);
  const body = JSON.stringify({
    metadata: { general_parameters: { record_information: { title: text, publisher: "two words" } }, unknown: "a b c" },
  });

  it("is refused by deposit, replacement, check and import, with the fields that hold most of them", async () => {
    const { record } = await bindery.createDraft(alice, "mst", longRecord());
    const address = { model: "mst", id: record.id };
    const file = bindery.file("long.jsonl", `${body}\n${JSON.stringify(makeRecord(2))}\n`);
    const said =
      `The record has ${titleWords + 5} words; the maximum is ${LIMITS.recordWordsMax}. Most of them are in ` +
      `metadata.general_parameters.record_information.title (${titleWords}), ` +
      "fields that the model does not know (3), " +
      "metadata.general_parameters.record_information.publisher (2). " +
      "Shorten these fields, or cite the text where it is published.";
    const refusals = [
      await refusalOf(bindery.createDraft(alice, "mst", body)),
      await refusalOf(bindery.replaceDraft(alice, address, body)),
      await refusalOf(bindery.validateRecord(alice, "mst", body)),
    ];
    expect(refusals.map(({ code, status, message }) => [code, status, message])).toEqual(
      refusals.map(() => ["RECORD_TOO_LONG", 400, said]),
    );
    expect((await bindery.readDraft(alice, address)).revision).toBe(1);
    const { created, refused } = await bindery.importRecords({ model: "mst", file, owner: "alice", publish: false });
    expect([created, refused.map(({ line, reason }) => [line, reason])]).toEqual([1, [[1, said]]]);
    const validated: string[][] = [];
    const onDocument = ({ errors }: { errors: readonly { messages: readonly string[] }[] }): void => {
      validated.push(errors.flatMap(({ messages }) => messages));
    };
    await bindery.validateFile({ model: "mst", file, onDocument });
    expect(validated[0]).toEqual([said]);
  });

  it("is refused by publish too, where it was stored before there was the limit", async () => {
    const { record } = await bindery.createDraft(alice, "mst", JSON.stringify(makeRecord(1)));
    const stored = JSON.parse(record.json) as RecordBody;
    const metadata = { ...stored.metadata, notes: words(LIMITS.recordWordsMax + 1) };
    const putting = { store: bindery.store, catalog: builtInCatalog() };
    await bindery.store.transaction((tx) => putRecord(putting, tx.records, { ...stored, metadata, revision_id: 2 }));
    const address = { model: "mst", id: record.id };
    const { code, message } = await refusalOf(bindery.publishDraft(alice, address));
    expect([code, message]).toEqual([
      "RECORD_TOO_LONG",
      expect.stringContaining(`does not know (${LIMITS.recordWordsMax + 1})`),
    ]);
    const left = await bindery.readDraft(alice, address);
    expect([left.state, left.revision]).toEqual(["draft", 2]);
    await bindery.deleteDraft(alice, address);
  });

  it("has texts above the limits: it is read, and is published once they are shorter", async () => {
    const { record } = await bindery.createDraft(alice, "mst", JSON.stringify(makeRecord(3)));
    const stored = JSON.parse(record.json) as RecordBody;
    const address = { model: "mst", id: record.id };
    const putting = { store: bindery.store, catalog: builtInCatalog() };
    const keep = (more: object, revision_id: number) =>
      bindery.store.transaction((tx) =>
        putRecord(putting, tx.records, { ...stored, metadata: { ...stored.metadata, ...more }, revision_id }),
      );
    await keep({ notes: ["-".repeat(TEXT_BYTES_MAX + 1)] }, 2);
    const tooLong = await refusalOf(bindery.publishDraft(alice, address));
    expect([tooLong.code, tooLong.issues[0]?.field]).toEqual(["DRAFT_INVALID", "metadata.notes.0"]);
    await keep({ notes: Array(3).fill("-".repeat(TEXT_BYTES_MAX / 2)) }, 3);
    expect((await refusalOf(bindery.publishDraft(alice, address))).code).toBe("RECORD_TOO_LARGE");
    await keep({ notes: "\u001b[31m" }, 4);
    const control = await refusalOf(bindery.publishDraft(alice, address));
    expect(control.issues).toMatchObject([{ code: "BAD_CHARACTER", field: "metadata.notes" }]);
    expect((await bindery.readDraft(alice, address)).revision).toBe(4);
    await bindery.replaceDraft(alice, address, JSON.stringify({ metadata: makeRecord(3).metadata }));
    expect((await bindery.publishDraft(alice, address)).record.state).toBe("published");
  });

  it("counts a word once for each 32 letters, and takes as many as the limit says", async () => {
    const titled = (title: string): string =>
      JSON.stringify({ metadata: { general_parameters: { record_information: { title } } } });
    const most = `${words(LIMITS.recordWordsMax - 2)} ${"x".repeat(33)}`;
    const { record } = await bindery.createDraft(alice, "mst", titled(most));
    expect(record.revision).toBe(1);
    const refused = await refusalOf(bindery.createDraft(alice, "mst", titled(`${most} more`)));
    expect(refused.message).toMatch(`The record has ${LIMITS.recordWordsMax + 1} words`);
  });
});

describe("a long body", () => {
  it("is prepared before its transaction, and stored and found as any other", async () => {
    prepared.length = 0;
    const short = await bindery.createDraft(alice, "mst", JSON.stringify(makeRecord(1, { title: "Short" })));
    expect(prepared).toEqual([]);
    const long = await bindery.createDraft(alice, "mst", longRecord({ title: "Unheardof" }));
    const address = { model: "mst", id: long.record.id };
    expect(prepared).toEqual(["sent"]);
    expect(Object.keys(bodyOf(long))).toEqual(Object.keys(bodyOf(short)));
    const again = await bindery.replaceDraft(alice, address, longRecord({ title: "Unheardof" }));
    expect(again.record.revision).toBe(1);
    const other = await bindery.replaceDraft(alice, address, longRecord({ title: "Unthoughtof" }));
    expect(other.record.revision).toBe(2);
    const { record } = await bindery.publishDraft(alice, address);
    expect([record.state, record.revision, prepared.length]).toEqual(["published", 3, 4]);
    const q = {
      q: "title:unthoughtof",
      window: { page: 1, size: 1 },
      filters: {},
      facetSize: 0,
      lang: "en",
      own: false,
    };
    expect((await bindery.searchRecords(alice, q)).hits.map(({ id }) => id)).toEqual([record.id]);
  });

  it("has the terms as they are in its transaction, though they changed after it was prepared", async () => {
    thread.meanwhile = () => rename("Man, renamed meanwhile");
    const made = await bindery.createDraft(alice, "mst", longRecord());
    expect(made.record.json).toContain("Man, renamed meanwhile");
    const address = { model: "mst", id: made.record.id };
    thread.meanwhile = () => rename("Man, renamed again");
    const replaced = await bindery.replaceDraft(alice, address, longRecord());
    expect([replaced.record.json, replaced.record.revision]).toEqual([
      expect.stringContaining("Man, renamed again"),
      2,
    ]);
    thread.meanwhile = () => rename("Man, renamed at last");
    const { record } = await bindery.publishDraft(alice, address);
    expect(record.json).toContain("Man, renamed at last");
  });

  it("is published as it is in the transaction, though it was replaced after it was prepared", async () => {
    const { record } = await bindery.createDraft(alice, "mst", longRecord({ title: "Before" }));
    const address = { model: "mst", id: record.id };
    thread.meanwhile = async () => void (await bindery.replaceDraft(alice, address, longRecord({ title: "After" })));
    const published = await bindery.publishDraft(alice, address);
    expect(bodyOf(published).metadata).toMatchObject({
      general_parameters: { record_information: { title: "After" } },
    });
    expect(published.record.revision).toBe(3);
  });

  it("is validated in the transaction by what its draft, and who may change it, are by then", async () => {
    const draft = async () => {
      const { record } = await bindery.createDraft(alice, "mst", longRecord());
      return { model: "mst", id: record.id };
    };
    const during = async (change: () => Promise<unknown>, write: () => Promise<unknown>): Promise<string> => {
      thread.meanwhile = async () => void (await change());
      return (await refusalOf(write())).code;
    };
    const first = await draft();
    const replace = (actor: Actor, address = first, revision?: number) =>
      bindery.replaceDraft(actor, address, longRecord({ title: "Mine" }), revision === undefined ? {} : { revision });
    const elsewise = () => bindery.replaceDraft(alice, first, JSON.stringify(makeRecord(1, { title: "Theirs" })));
    expect(await during(elsewise, () => replace(alice, first, 1))).toBe("REVISION_STALE");
    expect(await during(elsewise, () => bindery.publishDraft(alice, first, { revision: 1 }))).toBe("REVISION_STALE");

    const bob = await bindery.actor("bob", "records:write");
    const shared = await draft();
    await bindery.putGrant(alice, shared, JSON.stringify({ user: "bob", permission: "write" }));
    const unshare = () => bindery.deleteGrant(alice, shared, "bob");
    expect(await during(unshare, () => replace(bob, shared))).toBe("DRAFT_NOT_FOUND");

    const published = await draft();
    expect(
      await during(
        () => bindery.publishDraft(alice, published),
        () => replace(alice, published),
      ),
    ).toBe("DRAFT_NOT_FOUND");
    const gone = await draft();
    expect(
      await during(
        () => bindery.deleteDraft(alice, gone),
        () => bindery.publishDraft(alice, gone),
      ),
    ).toBe("DRAFT_NOT_FOUND");
  });

  it("is made once for one Idempotency-Key, though another request with it comes while it is prepared", async () => {
    const once = { key: "twice", request: "r" };
    const create = (): Promise<unknown> =>
      bindery.createDraft(alice, "mst", longRecord(), { once }).then(
        ({ record }) => record.id,
        ({ code }) => code,
      );
    let second: Promise<unknown> | undefined;
    thread.meanwhile = async () => {
      second = create();
    };
    const answers = [await create(), await second];
    const made = await create();
    expect(made).toMatch(/^[0-9a-z-]{8,}$/);
    expect(answers).toContain(made);
    for (const answer of answers) expect([made, "IDEMPOTENCY_KEY_BUSY"]).toContain(answer);
  });

  it("is refused in the order in which all else is decided", async () => {
    const stranger = await bindery.actor("stranger", "records:write");
    const { record } = await bindery.createDraft(alice, "mst", longRecord());
    prepared.length = 0;
    const address = { model: "mst", id: record.id };
    expect((await refusalOf(bindery.replaceDraft(stranger, address, longRecord()))).code).toBe("DRAFT_NOT_FOUND");
    expect(prepared).toEqual([]);
    const bad = `{"metadata": ${"[".repeat(100_000)}`;
    expect((await refusalOf(bindery.createDraft(alice, "mst", bad))).code).toBe("BODY_TOO_COMPLEX");
    const once = { key: "k", request: "r" };
    const first = await bindery.publishDraft(alice, address, { once }).catch((error: { code: string }) => error.code);
    expect(await bindery.publishDraft(alice, address, { once }).catch((error: { code: string }) => error.code)).toEqual(
      first,
    );
  });
});

describe("a record without problems", () => {
  /** A long record whose fields are all declared. */
  const declared = (title: string): string => {
    const { metadata } = makeRecord(1, { title, organism: () => "taxid:9606" });
    const general = metadata.general_parameters as { readonly results: readonly object[] };
    const results = Array.from({ length: 400 }, (_, n) => ({ ...general.results[n % 2], id: `result-${n}` }));
    return JSON.stringify({ metadata: { ...metadata, general_parameters: { ...general, results } } });
  };
  const deposit = async (title: string) => {
    prepared.length = 0;
    const { record } = await bindery.createDraft(alice, "mst", declared(title));
    return { model: "mst", id: record.id };
  };
  const metadataOf = ({ json }: { readonly json: string }) => (JSON.parse(json) as RecordBody).metadata;

  it("is published and edited as it was prepared when it was written", async () => {
    const address = await deposit("Prepared once");
    const draft = await bindery.readDraft(alice, address);
    const { record } = await bindery.publishDraft(alice, address);
    expect(metadataOf(record)).toEqual(metadataOf(draft));
    const edit = await bindery.editRecord(alice, address);
    expect(metadataOf(edit.record)).toEqual(metadataOf(draft));
    expect(prepared).toEqual(["sent"]);
    await bindery.replaceDraft(alice, address, declared("Prepared twice"));
    const again = await bindery.publishDraft(alice, address);
    expect(again.record.json).toContain('"title":"Prepared twice"');
    expect(prepared).toEqual(["sent", "sent"]);
  });

  it("has the terms as they are when it is published", async () => {
    const address = await deposit("Cites a term");
    await rename("Man, renamed before publication");
    const { record } = await bindery.publishDraft(alice, address);
    expect(record.json).toContain("Man, renamed before publication");
  });

  it("is prepared again if another program has replaced its metadata", async () => {
    const address = await deposit("Replaced below");
    const stored = JSON.parse((await bindery.readDraft(alice, address)).json) as RecordBody;
    const metadata = { ...stored.metadata, notes: "written by another program" };
    const putting = { store: bindery.store, catalog: builtInCatalog() };
    await bindery.store.transaction((tx) => putRecord(putting, tx.records, { ...stored, metadata, revision_id: 2 }));
    const { record, warnings } = await bindery.publishDraft(alice, address);
    expect(record.json).toContain("written by another program");
    expect(warnings).toMatchObject([{ field: "metadata.notes" }]);
    expect(prepared).toEqual(["sent", "draft"]);
  });
});

it("prepares a draft with problems again when it is published", async () => {
  prepared.length = 0;
  const { record } = await bindery.createDraft(alice, "mst", longRecord({ title: " " }));
  const refused = await refusalOf(bindery.publishDraft(alice, { model: "mst", id: record.id }));
  expect(refused.code).toBe("DRAFT_INVALID");
  expect(prepared).toEqual(["sent", "draft"]);
});

it("indexes a record by the terms of its transaction, whatever it was prepared with", async () => {
  const { record } = await bindery.createDraft(alice, "mst", longRecord());
  const stored = JSON.parse(record.json) as RecordBody;
  const model = builtInCatalog().models.get("mst")!;
  // As if no vocabulary had any of the terms.
  const { leaves, terms } = checkedLeaves(model, stored.metadata, []);
  const index = structuredClone(bindery.store.prepareIndex(leaves, terms));
  const body = { ...stored, revision_id: 2, metadata: new RawJson(JSON.stringify(stored.metadata)) };
  await bindery.store.transaction((tx) => tx.records.put(body, index));
  expect((await bindery.readDraft(alice, { model: "mst", id: record.id })).revision).toBe(2);
});

it("leaves a store with which nothing is wrong", async () => {
  expect((await bindery.verifyStore(() => undefined)).findings).toEqual([]);
});

it("keeps metadata and errors as the last members of every body, so that the head can be read without them", () => {
  const made = { id: "a", parent: "b", owner: "1", model: "mst", now: "2026-01-01T00:00:00.000000+00:00" };
  const metadata = new RawJson('{"x":",\\"metadata\\":"}');
  const issues = [{ field: "", pointer: "", code: "REQUIRED", messages: ["m"] }];
  const draft = newDraft({ ...made, metadata, issues });
  const record = publishedOf(draft, metadata, { now: made.now, revision: 2 });
  expect(Object.keys(draft).slice(-2)).toEqual(["metadata", "errors"]);
  expect(Object.keys(record).at(-1)).toBe("metadata");
  for (const body of [draft, record]) {
    const { metadata: _, ...head } = body;
    expect(parseHead({ id: "r", json: recordText(body) })).toEqual({ ...head, errors: undefined });
    expect(JSON.parse(recordText(body))).toEqual({ ...body, metadata: JSON.parse(metadata.text) });
  }
});

it("makes what the first body of each model needs", async () => {
  const { store, dispose } = await openServices();
  const catalog = builtInCatalog();
  const compiled: string[] = [];
  const onDemand = makeOnDemand();
  const prepareRecord = makePrepareRecord({
    store,
    catalog,
    clock: { nowMicros: () => Date.now() * 1000 },
    findNearTerms: async () => [],
    ...onDemand,
    validatorOf: (model) => {
      compiled.push(model.name);
      return onDemand.validatorOf(model);
    },
  });
  let pauses = 0;
  await prepareExamples({ prepareRecord }, catalog, async () => {
    pauses += 1;
  });
  expect(compiled).toEqual([...catalog.models.keys()]);
  expect(pauses).toBe(catalog.models.size);
  await dispose();
});
