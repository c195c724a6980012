import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyOf, type OpenServices, openServices, refusalOf } from "../../../test/support/open-services.js";
import { makeRecord } from "../../../test/support/records.js";
import { type Actor, ANONYMOUS } from "../../core/actor.js";
import type { JsonObject } from "../../core/json.js";
import { parseRecordId } from "../../core/record.js";

let bindery: OpenServices;
let alice: Actor;
let bob: Actor;
let reader: Actor;

beforeAll(async () => {
  bindery = await openServices();
  alice = await bindery.actor("alice", "records:write");
  bob = await bindery.actor("bob", "admin");
  reader = await bindery.actor("reader", "records:read");
});
afterAll(() => bindery.dispose());

const valid = (n = 1): string => JSON.stringify(makeRecord(n));
const create = async (body: unknown = makeRecord(1)) =>
  bodyOf(await bindery.createDraft(alice, "mst", JSON.stringify(body)));

describe("creating a draft", () => {
  it("gives it two ids, an owner and the instant of its transaction", async () => {
    const body = await create();
    expect(parseRecordId(body.id)).toBe(body.id);
    expect(parseRecordId(body.parent.id)).toBe(body.parent.id);
    expect(body).toMatchObject({ revision_id: 1, state: "draft", is_draft: true, is_published: false });
    expect(body.versions).toEqual({ index: 1, is_latest: false, is_latest_draft: true });
    expect(body.updated).toBe(body.created);
    expect(body).not.toHaveProperty("errors");
    const later = await create();
    expect(later.created > body.created).toBe(true);
  });

  it("answers what a later read gives", async () => {
    const made = await bindery.createDraft(alice, "mst", valid());
    const read = await bindery.readDraft(alice, { model: "mst", id: made.record.id.toUpperCase() });
    expect(read).toEqual(made.record);
  });

  it("keeps any metadata as it was typed", async () => {
    const metadata = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(metadata, async (typed) => {
        const text = JSON.stringify({ metadata: typed });
        if (/\\u0000|\\ud[89a-f]/.test(text)) return;
        const { record } = await bindery.createDraft(alice, "bli", text);
        const read = JSON.parse((await bindery.readDraft(alice, { model: "bli", id: record.id })).json) as JsonObject;
        expect(JSON.stringify({ metadata: read.metadata })).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it("keeps wrong shapes where terms are cited, and names each problem", async () => {
    const shapes = ["text", 17, [], [[{ id: 3 }]], { id: 5 }, { id: null }, {}, null, { id: "" }];
    for (const instrument of shapes) {
      const body = await create({ metadata: { general_parameters: { instrument } } });
      expect(body.metadata).toEqual({ general_parameters: { instrument } });
      expect(body.errors!.some(({ field }) => field.startsWith("metadata.general_parameters.instrument"))).toBe(true);
    }
  });

  it("takes a body without metadata as a draft with one problem", async () => {
    const body = await create({});
    expect(body).toMatchObject({ metadata: {}, errors: [{ field: "metadata", code: "REQUIRED" }] });
    const shown = await create({ metadata: "typed" });
    expect(shown).toMatchObject({ metadata: {}, errors: [{ code: "WRONG_TYPE", value: "typed" }] });
  });
});

describe("replacing a draft", () => {
  it("with its own body stores nothing and raises nothing, with problems too", async () => {
    for (const body of [makeRecord(2), { metadata: { general_parameters: { instrument: { id: "ins:0", a: 1 } } } }]) {
      const { record } = await bindery.createDraft(alice, "mst", JSON.stringify(body));
      const again = await bindery.replaceDraft(alice, { model: "mst", id: record.id }, record.json);
      expect(again.record).toEqual(record);
    }
  });

  it("with another body raises the revision once", async () => {
    const made = await create();
    const address = { model: "mst", id: made.id };
    const body = bodyOf(await bindery.replaceDraft(alice, address, valid(3), { revision: 1 }));
    expect(body).toMatchObject({ id: made.id, created: made.created, revision_id: 2 });
    expect(body.updated > made.updated).toBe(true);
    const stale = await refusalOf(bindery.replaceDraft(alice, address, valid(4), { revision: 1 }));
    expect(stale).toMatchObject({ code: "REVISION_STALE", params: { expected: 1, actual: 2 } });
  });

  it("drops the problems that are gone", async () => {
    const made = await create({});
    const body = bodyOf(await bindery.replaceDraft(alice, { model: "mst", id: made.id }, valid()));
    expect(body).not.toHaveProperty("errors");
  });
});

describe("publishing", () => {
  it("makes of the draft a record of the same id that everybody reads", async () => {
    const draft = await create();
    const address = { model: "mst", id: draft.id };
    const record = bodyOf(await bindery.publishDraft(alice, address, { revision: 1 }));
    expect(record).toMatchObject({ id: draft.id, parent: draft.parent, revision_id: 2, state: "published" });
    expect(record).toMatchObject({ is_draft: false, is_published: true, versions: { is_latest: true } });
    expect(record.created > draft.created).toBe(true);
    expect(record.metadata).toEqual(draft.metadata);
    expect((await bindery.readRecord(ANONYMOUS, { id: draft.id })).json).toBe(JSON.stringify(record));
    expect((await bindery.readRecord(ANONYMOUS, address)).revision).toBe(2);
    expect((await refusalOf(bindery.readDraft(alice, address))).code).toBe("DRAFT_NOT_FOUND");
    expect((await refusalOf(bindery.publishDraft(alice, address))).code).toBe("DRAFT_NOT_FOUND");
    const elsewhere = { model: "itc", id: draft.id };
    expect((await refusalOf(bindery.readRecord(ANONYMOUS, elsewhere))).code).toBe("RECORD_NOT_FOUND");
  });

  it("is refused with all problems, and the draft stays", async () => {
    const draft = await create({ metadata: { general_parameters: { instrument: { id: "ins:0" } } } });
    const refusal = await refusalOf(bindery.publishDraft(alice, { model: "mst", id: draft.id }));
    expect(refusal.code).toBe("DRAFT_INVALID");
    expect(refusal.issues).toEqual(draft.errors);
    expect((await bindery.readDraft(alice, { model: "mst", id: draft.id })).revision).toBe(1);
    expect((await refusalOf(bindery.readRecord(alice, { id: draft.id }))).code).toBe("RECORD_NOT_FOUND");
  });
});

it("deletes a draft for good", async () => {
  const { id } = await create();
  const address = { model: "mst", id };
  expect((await refusalOf(bindery.deleteDraft(alice, address, { revision: 7 }))).code).toBe("REVISION_STALE");
  await bindery.deleteDraft(alice, address, { revision: 1 });
  expect((await refusalOf(bindery.deleteDraft(alice, address))).code).toBe("DRAFT_NOT_FOUND");
  expect(await bindery.store.records.isTaken(id)).toBe(true);
});

describe("access", () => {
  it("asks for a token first, then looks for the model, then at the scope, then for the draft", async () => {
    const calls = (actor: Actor, model: string): Promise<unknown>[] => [
      bindery.createDraft(actor, model, "{}"),
      bindery.replaceDraft(actor, { model, id: "x" }, "{}"),
      bindery.deleteDraft(actor, { model, id: "x" }),
      bindery.publishDraft(actor, { model, id: "x" }),
    ];
    const codesOf = async (list: Promise<unknown>[]): Promise<string[]> =>
      (await Promise.all(list.map(refusalOf))).map(({ code }) => code);
    expect(await codesOf(calls(ANONYMOUS, "none"))).toEqual(Array(4).fill("TOKEN_MISSING"));
    expect(await codesOf(calls(reader, "none"))).toEqual(Array(4).fill("MODEL_NOT_FOUND"));
    expect(await codesOf(calls(reader, "mst"))).toEqual(Array(4).fill("SCOPE_MISSING"));
    expect(await codesOf(calls(alice, "mst").slice(1))).toEqual(Array(3).fill("DRAFT_NOT_FOUND"));
    const read = (actor: Actor, model = "mst") => refusalOf(bindery.readDraft(actor, { model, id: "x" }));
    expect((await read(ANONYMOUS)).code).toBe("TOKEN_MISSING");
    expect((await read(alice, "none")).code).toBe("MODEL_NOT_FOUND");
    expect((await read(reader)).code).toBe("DRAFT_NOT_FOUND");
  });

  it("lets a scope that writes read, and one that reads not write", async () => {
    const curator = await bindery.actor("curator", "vocabularies:write");
    const { id } = await create();
    expect((await refusalOf(bindery.readDraft(curator, { model: "mst", id }))).code).toBe("SCOPE_MISSING");
    expect((await bindery.readDraft(alice, { model: "mst", id })).id).toBe(id);
  });

  it("hides a draft from everybody but its owner", async () => {
    const { id } = await create();
    const address = { model: "mst", id };
    for (const call of [
      () => bindery.readDraft(bob, address),
      () => bindery.replaceDraft(bob, address, valid()),
      () => bindery.publishDraft(bob, address),
      () => bindery.deleteDraft(bob, address),
      () => bindery.readDraft(alice, { model: "itc", id }),
    ]) {
      expect((await refusalOf(call())).code).toBe("DRAFT_NOT_FOUND");
    }
  });
});

describe("writes that are sent at once", () => {
  const AT_ONCE = 6;
  const outcomesOf = async (calls: readonly Promise<unknown>[]): Promise<readonly string[]> => {
    const settled = await Promise.allSettled(calls);
    return settled
      .map((each) => (each.status === "fulfilled" ? "done" : (each.reason as { code: string }).code))
      .sort();
  };
  const others = (code: string): readonly string[] => Array.from({ length: AT_ONCE - 1 }, () => code);

  it("let one of those through that saw the same revision", async () => {
    const { id } = await create();
    const address = { model: "mst", id };
    const replace = (n: number) => bindery.replaceDraft(alice, address, valid(n + 2), { revision: 1 });
    const replaced = await outcomesOf(Array.from({ length: AT_ONCE }, (_, n) => replace(n)));
    expect(replaced).toEqual([...others("REVISION_STALE"), "done"]);
    expect(bodyOf({ record: await bindery.readDraft(alice, address), warnings: [] }).revision_id).toBe(2);

    const publish = () => bindery.publishDraft(alice, address, { revision: 2 });
    const published = await outcomesOf(Array.from({ length: AT_ONCE }, publish));
    expect(published).toEqual([...others("DRAFT_NOT_FOUND"), "done"]);
  });

  it("do once what is asked with one key", async () => {
    const once = { key: "at once", request: "r" };
    const deposit = () => bindery.createDraft(alice, "mst", valid(), { once });
    const sent = Array.from({ length: AT_ONCE }, deposit);
    expect(await outcomesOf(sent)).toEqual([...others("IDEMPOTENCY_KEY_BUSY"), "done"]);
    const first = await Promise.any(sent);
    expect((await deposit()).record.id).toBe(first.record.id);
  });
});
