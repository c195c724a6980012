import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyOf, type OpenServices, openServices, refusalOf } from "../../test/support/open-services.js";
import { makeRecord } from "../../test/support/records.js";
import type { Actor } from "../core/actor.js";
import { LIMITS } from "../core/limits.js";
import { headOf, RawJson, recordText } from "../core/record.js";
import { makePrepareRecord, type PrepareServices } from "./prepare-record.js";
import { newDraft, publishedOf } from "./record-body.js";

let bindery: OpenServices;
let alice: Actor;
/** What happens between the preparation of a long body and its transaction. */
let meanwhile = async (): Promise<void> => undefined;
const prepared: string[] = [];

beforeAll(async () => {
  bindery = await openServices({
    prepareElsewhere: (deps): PrepareServices["prepareRecord"] => {
      const prepare = makePrepareRecord(deps);
      return async (job) => {
        // As it passes between threads.
        const result = structuredClone(await prepare(structuredClone(job)));
        prepared.push(result.kind);
        await meanwhile();
        meanwhile = async () => undefined;
        return result;
      };
    },
  });
  alice = await bindery.actor("alice", "records:write");
});
afterAll(() => bindery.dispose());

/** Texts of so many different words. */
const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(" ");

/** A valid record with a long text that is no words: longer than what is prepared beside the transaction. */
function longRecord(changes: { readonly title?: string } = {}): string {
  const body = makeRecord(1, { title: "Long", ...changes }) as { metadata: { general_parameters: object } };
  const general = { ...body.metadata.general_parameters, padding: "-".repeat(200_000) };
  return JSON.stringify({ metadata: { ...body.metadata, general_parameters: general } });
}

describe("a record with too many words", () => {
  const text = words(150_000);
  const body = JSON.stringify({
    metadata: { general_parameters: { record_information: { title: text, publisher: "two words" } }, unknown: "a b c" },
  });

  it("is refused by deposit, replacement, check and import, with the fields that hold most of them", async () => {
    const { record } = await bindery.createDraft(alice, "mst", longRecord());
    const address = { model: "mst", id: record.id };
    const file = bindery.file("long.jsonl", `${body}\n${JSON.stringify(makeRecord(2))}\n`);
    const said =
      `The record has 150005 words, and ${LIMITS.recordWordsMax} are the most. Most of them stand in ` +
      "metadata.general_parameters.record_information.title (150000), fields that the model does not know (3), " +
      "metadata.general_parameters.record_information.publisher (2); " +
      "shorten that, or cite the text where it is published.";
    const refusals = [
      await refusalOf(bindery.createDraft(alice, "mst", body)),
      await refusalOf(bindery.replaceDraft(alice, address, body)),
      await refusalOf(bindery.judgeRecord(alice, "mst", body)),
    ];
    expect(refusals.map(({ code, status, message }) => [code, status, message])).toEqual(
      refusals.map(() => ["RECORD_TOO_LONG", 400, said]),
    );
    expect((await bindery.readDraft(alice, address)).revision).toBe(1);
    const { created, refused } = await bindery.importRecords({ model: "mst", file, owner: "alice", publish: false });
    expect([created, refused.map(({ line, reason }) => [line, reason])]).toEqual([1, [[1, said]]]);
    const judged: string[][] = [];
    const onJudged = ({ errors }: { errors: readonly { messages: readonly string[] }[] }): void => {
      judged.push(errors.flatMap(({ messages }) => messages));
    };
    await bindery.judgeFile({ model: "mst", file, onJudged });
    expect(judged[0]).toEqual([said]);
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
    expect(prepared).toEqual(["ready"]);
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
    const { findings } = await bindery.verifyStore(() => undefined);
    expect(findings).toEqual([]);
  });

  it("has the terms as they are in its transaction, though they changed after it was prepared", async () => {
    await bindery.addUser("curator", "curator");
    const { token } = await bindery.createToken({ user: "curator", scopes: ["vocabularies:write"] });
    const curator = await bindery.authenticate(token);
    meanwhile = async () => {
      const stored = await bindery.readTerm("organisms", "taxid:9606");
      if (stored.kind !== "found") throw new Error("There is no such item.");
      const item = JSON.parse(stored.term.json) as { title: object; props: object };
      const changed = JSON.stringify({ ...item, title: { en: "Man, renamed meanwhile" } });
      await bindery.replaceTerm(curator, { vocabulary: "organisms", id: "taxid:9606" }, changed);
    };
    const cites = { source_organism: { id: "taxid:9606" }, type: "Polymer", name: "a", id: "e1" };
    const metadata = { general_parameters: { entities_of_interest: [cites] }, padding: "-".repeat(200_000) };
    const made = await bindery.createDraft(alice, "mst", JSON.stringify({ metadata }));
    expect(made.record.json).toContain("Man, renamed meanwhile");
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
    expect(headOf(recordText(body))).toEqual({ ...head, errors: undefined });
    expect(JSON.parse(recordText(body))).toEqual({ ...body, metadata: JSON.parse(metadata.text) });
  }
});
