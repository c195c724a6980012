import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyOf, type OpenServices, openServices, refusalOf } from "../../../test/support/open-services.js";
import { makeRecord } from "../../../test/support/records.js";
import { ANONYMOUS } from "../../core/actor.js";
import type { ValidatedDocument } from "../api/records.js";

let bindery: OpenServices;
beforeAll(async () => {
  bindery = await openServices();
});
afterAll(() => bindery.dispose());

/** What a write would add to. */
const traces = async (): Promise<unknown> => [
  await bindery.store.changes.head(),
  await bindery.listAudit({ limit: 1 }),
];

describe("validating the body of a record", () => {
  it("says what a draft of it would say, and changes nothing", async () => {
    const actor = await bindery.actor("alice", "records:write");
    const body = JSON.stringify({ metadata: { general_parameters: { instrument: { id: "ins:0" }, x: 1 } } });
    const answer = await bindery.createDraft(actor, "mst", body);
    const before = await traces();
    const { errors, warnings, metadata } = await bindery.validateRecord(actor, "mst", body);
    const draft = bodyOf(answer);
    expect([errors, warnings, JSON.parse(metadata)]).toEqual([draft.errors, answer.warnings, draft.metadata]);
    expect(await traces()).toEqual(before);
  });

  it("is for those who may read records", async () => {
    const curator = await bindery.actor("carol", "vocabularies:write");
    const body = JSON.stringify(makeRecord(1));
    expect((await refusalOf(bindery.validateRecord(curator, "mst", body))).code).toBe("SCOPE_MISSING");
    expect((await refusalOf(bindery.validateRecord(ANONYMOUS, "mst", body))).code).toBe("TOKEN_MISSING");
    const reader = await bindery.actor("rae", "records:read");
    expect((await refusalOf(bindery.validateRecord(reader, "nmr", body))).code).toBe("MODEL_NOT_FOUND");
    expect((await bindery.validateRecord(reader, "mst", body)).errors).toEqual([]);
  });
});

describe("validating a file", () => {
  const check = async (name: string, content: string) => {
    const documents: ValidatedDocument[] = [];
    const onDocument = (document: ValidatedDocument): void => void documents.push(document);
    const file = bindery.file(name, content);
    return { counts: await bindery.validateFile({ model: "mst", file, onDocument }), documents };
  };

  it("counts and names its documents, those that are no records too", async () => {
    const before = await traces();
    const lines = [makeRecord(1), makeRecord(2).metadata, { metadata: {} }, "text", { model: "spr", metadata: {} }];
    const text = lines.map((line) => JSON.stringify(line)).join("\n");
    const { counts, documents } = await check("f.jsonl", `${text}\n{"metadata"`);
    expect(counts).toEqual({ valid: 2, invalid: 4, warnings: 0 });
    expect(documents.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6]);
    const codes = documents.map(({ errors }) => [...new Set(errors.map(({ code }) => code))]);
    expect(codes).toEqual([[], [], ["REQUIRED"], ["WRONG_TYPE"], ["NOT_ALLOWED"], ["UNREADABLE"]]);
    expect(documents[4]!.errors).toMatchObject([{ field: "model", value: "spr", allowed: ["mst"] }]);
    expect(await traces()).toEqual(before);
  });

  it("says that what follows cannot be read", async () => {
    const { documents } = await check("cut.json", `[${JSON.stringify(makeRecord(1))}`);
    expect(documents.map(({ errors }) => errors.length)).toEqual([1]);
  });

  it("says that there is no such file, or model", async () => {
    const input = { model: "mst", file: "/nowhere/x.jsonl", onDocument: () => undefined };
    expect((await refusalOf(bindery.validateFile(input))).issues).toMatchObject([{ field: "file" }]);
    expect((await refusalOf(bindery.validateFile({ ...input, model: "nmr" }))).code).toBe("MODEL_NOT_FOUND");
  });
});
