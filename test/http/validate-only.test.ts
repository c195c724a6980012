import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Issue, Warning } from "../../src/core/issue.js";
import type { JsonObject } from "../../src/core/json.js";
import { Sqlite } from "../../src/engines/sqlite/connection/database.js";
import type { TestUser } from "../support/bindery.js";
import { deposit, eventually } from "../support/deposit.js";
import type { Problem, RecordShape, RequestOptions } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { ON_POSTGRES, type Service, startService } from "../support/service.js";

const CREATE = "/api/records/mst/";
const VALIDATE_URL = `${CREATE}?validate=only`;
/** Missing parts, a term that is not there, a term with fields of its own, and a field that the model does not know. */
const FAULTY = {
  stray: 1,
  metadata: {
    general_parameters: {
      instrument: { id: "ins:999999" },
      funding_references: [{ id: "oa:corda__h2020::f219b1de6eeb4e5c5b2ad39010832d79", title: "Mine" }],
      nonsense: true,
    },
  },
};

interface ValidationResult {
  readonly valid: boolean;
  readonly errors: readonly Issue[];
  readonly warnings: readonly Warning[];
  readonly metadata: JsonObject;
}

let bindery: Service;
let ada: TestUser;
let reader: TestUser;

beforeAll(async () => {
  bindery = await startService();
  ada = await bindery.user("ada");
  reader = await bindery.user("rae", { scopes: ["records:read"] });
});
afterAll(() => bindery.dispose());

const check = async (body: object, path = VALIDATE_URL): Promise<ValidationResult> => {
  const { status, body: result, text } = await ada.client.post<ValidationResult>(path, body);
  expect(status, text.slice(0, 2_000)).toBe(200);
  return result;
};

describe("validate=only", () => {
  it("answers with the metadata as it would be stored", async () => {
    const { metadata } = await deposit(ada.client, makeRecord(1));
    expect(await check(makeRecord(1))).toEqual({ valid: true, errors: [], warnings: [], metadata });
  });

  it("says what a draft would say: the same errors, the same warnings", async () => {
    const draft = await deposit(ada.client, FAULTY);
    const { valid, errors, warnings, metadata } = await check(FAULTY);
    expect(valid).toBe(false);
    expect(errors).toEqual(draft.errors);
    expect(errors.map(({ code }) => code)).toEqual(expect.arrayContaining(["REQUIRED", "TERM_UNKNOWN"]));
    expect(warnings).toEqual(draft.warnings);
    expect(warnings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["UNKNOWN_KEY", "UNKNOWN_FIELD", "TERM_FIELD_REPLACED"]),
    );
    expect(metadata).toEqual(draft.metadata);
  });

  it("takes a body without metadata for one error", async () => {
    for (const body of [{}, { metadata: [1] }]) {
      const { valid, errors, metadata } = await check(body);
      expect([valid, errors.map(({ field }) => field), metadata]).toEqual([false, ["metadata"], {}]);
    }
  });

  it("validates a large body too", async () => {
    const note = Array(5).fill("---- ".repeat(20_000));
    const result = await check({ metadata: { ...makeRecord(2).metadata, note } });
    expect(result).toMatchObject({ valid: true, warnings: [{ code: "UNKNOWN_FIELD", field: "metadata.note" }] });
    expect(result.metadata.note).toEqual(note);
  });

  it("keeps what it answers out of all caches, and names nothing that was made", async () => {
    const { headers } = await ada.client.post(VALIDATE_URL, makeRecord(1));
    expect(headers["cache-control"]).toBe("private, no-store");
    expect([headers.location, headers.etag]).toEqual([undefined, undefined]);
  });

  it("is enough with a token that may read records", async () => {
    expect((await reader.client.post<ValidationResult>(VALIDATE_URL, makeRecord(3))).body.valid).toBe(true);
    expect((await reader.client.post<Problem>(CREATE, makeRecord(3))).body.code).toBe("SCOPE_MISSING");
    const { client } = await bindery.user("vic", { scopes: ["vocabularies:write"] });
    const { status, body } = await client.post<Problem>(VALIDATE_URL, makeRecord(3));
    expect([status, body.code]).toEqual([403, "SCOPE_MISSING"]);
    expect((await bindery.client.post<Problem>(VALIDATE_URL, makeRecord(3))).body).toMatchObject({
      ...{ status: 401, code: "TOKEN_MISSING" },
    });
  });
});

describe("a body that is none", () => {
  const deep = `${'{"a":'.repeat(65)}1${"}".repeat(65)}`;
  const cases: readonly (readonly [string, RequestOptions])[] = [
    ["is missing", {}],
    ["is blank", { text: " " }],
    ["is not JSON", { text: '{"metadata": {}' }],
    ["is no object", { text: "[]" }],
    ["nests too deep", { text: deep }],
    ["is too large", { text: `{"metadata": "${"x".repeat(10 * 1024 * 1024)}"}` }],
    ["holds NUL", { json: { metadata: { a: "\0" } } }],
    ["is of another model", { json: { model: "spr", metadata: {} } }],
    ["is not UTF-8", { text: Buffer.from([0x22, 0xff, 0x22]) }],
    ["is of another type", { text: "a: 1", headers: { "content-type": "text/yaml" } }],
  ];
  it.each(cases)("%s is refused as without validate", async (_, options) => {
    const [validated, created] = await Promise.all(
      [VALIDATE_URL, CREATE].map((path) => ada.client.send<Problem>("POST", path, options)),
    );
    const shown = ({ request_id: _id, ...problem }: Problem) => problem;
    expect(validated!.status).toBeGreaterThanOrEqual(400);
    expect(shown(validated!.body)).toEqual(shown(created!.body));
  });

  it("is refused for a model that is not there, too", async () => {
    const { body } = await ada.client.post<Problem>("/api/records/nmr?validate=only", makeRecord(1));
    expect(body).toMatchObject({ status: 404, code: "MODEL_NOT_FOUND" });
  });
});

describe("nothing of it is kept", () => {
  const rows = (): readonly number[] => {
    const db = new Sqlite(join(bindery.data, "bindery.sqlite"), { readonly: true });
    try {
      const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
      return ["rec", "doc", "taken", "use", "change", "audit", "answer", "life"].map(count);
    } finally {
      db.close();
    }
  };

  it.skipIf(ON_POSTGRES)("no record, no id, no change, no line of the audit log, no key", async () => {
    // Requests that were refused before come to the audit log some time later.
    await eventually(async () => {
      const before = rows();
      for (const body of [makeRecord(4), FAULTY, {}]) {
        await ada.client.post(VALIDATE_URL, body, { headers: { "idempotency-key": "validated" } });
      }
      expect(rows()).toEqual(before);
    });
  });

  it("so its Idempotency-Key is free for the deposit that follows", async () => {
    const keyed = { headers: { "idempotency-key": "free" } };
    await ada.client.post(VALIDATE_URL, makeRecord(5), keyed);
    const { status, body } = await ada.client.post<RecordShape>(CREATE, makeRecord(6), keyed);
    expect([status, body.revision_id]).toEqual([201, 1]);
    // And a request that validates is answered anew, whatever the key has done.
    expect((await ada.client.post<ValidationResult>(VALIDATE_URL, FAULTY, keyed)).body.valid).toBe(false);
  });

  it("and nobody who writes has to be waited for", async () => {
    const db = new Sqlite(join(bindery.data, "bindery.sqlite"));
    db.exec("BEGIN IMMEDIATE");
    try {
      expect(await check(makeRecord(7))).toMatchObject({ valid: true });
    } finally {
      db.exec("ROLLBACK");
      db.close();
    }
  });
});

describe("the parameter", () => {
  it.each(["", "true", "Only", "only,all"])("with the value %j is a 400 that says what it takes", async (value) => {
    const { status, body } = await ada.client.post<Problem>(`${CREATE}?validate=${value}`, makeRecord(1));
    expect([status, body.code]).toEqual([400, "PARAMETER_INVALID"]);
    expect(body.errors).toMatchObject([{ field: "validate", value, allowed: ["only"] }]);
  });

  it("may stand there once, and is refused together with other bad ones", async () => {
    const twice = await ada.client.post<Problem>(`${VALIDATE_URL}&validate=only`, makeRecord(1));
    expect(twice.body.errors).toMatchObject([{ field: "validate", code: "PARAMETER_REPEATED" }]);
    const both = await ada.client.post<Problem>(`${CREATE}?validate=all&expand=x`, makeRecord(1));
    expect(both.body.errors!.map(({ field }) => field).sort()).toEqual(["expand", "validate"]);
  });

  it("stands among others: what is not known, or says nothing here, is a warning", async () => {
    const { warnings } = await check(makeRecord(1), "/api/records/mst?expand=true&validate=only&colour=red");
    expect(warnings.map(({ code, parameter }) => [code, parameter])).toEqual([
      ["UNKNOWN_PARAMETER", "colour"],
      ["PARAMETER_IGNORED", "expand"],
    ]);
  });

  it("is not known on other requests", async () => {
    const { id } = await deposit(ada.client, makeRecord(8));
    const path = `${CREATE}${id}/draft?validate=only`;
    const put = await ada.client.put<RecordShape>(path, makeRecord(9));
    expect(put.body).toMatchObject({
      revision_id: 2,
      warnings: [{ code: "UNKNOWN_PARAMETER", parameter: "validate" }],
    });
    const search = await bindery.client.get(VALIDATE_URL);
    expect(search.body).toMatchObject({ warnings: [{ code: "UNKNOWN_PARAMETER", parameter: "validate" }] });
  });
});

// Each node counts for itself.
it.skipIf(ON_POSTGRES)("counts as a search where requests are counted", async () => {
  const counting = await startService({ env: { BINDERY_RATE_LIMITS: "reads=50,searches=2,writes=1" } });
  try {
    const { client } = await counting.user("ada");
    for (const left of ["1", "0"]) {
      const { status, headers } = await client.post(VALIDATE_URL, makeRecord(1));
      expect([status, headers["ratelimit-limit"], headers["ratelimit-remaining"]]).toEqual([200, "2", left]);
    }
    expect((await client.post(VALIDATE_URL, makeRecord(1))).status).toBe(429);
    expect((await client.post(CREATE, makeRecord(1))).status).toBe(201);
    expect((await client.post(`${CREATE}?validate=all`, makeRecord(1))).status).toBe(429);
  } finally {
    await counting.dispose();
  }
});
