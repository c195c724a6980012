import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Issue } from "../../src/core/issue.js";
import type { JsonObject } from "../../src/core/json.js";
import type { TestUser } from "../support/bindery.js";
import { publish } from "../support/deposit.js";
import type { Problem, RecordShape } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

const MODELS = ["mst", "bli", "spr", "itc"];
const TITLE = "metadata.general_parameters.record_information.title";

let bindery: Service;
let ada: TestUser;
let curator: TestUser;
beforeAll(async () => {
  bindery = await startService({ env: { BINDERY_RATE_LIMITS: "off" } });
  ada = await bindery.user("ada");
  curator = await bindery.user("cara", { role: "curator", scopes: ["records:write", "vocabularies:write"] });
});
afterAll(() => bindery.dispose());

type Body = Problem & RecordShape & { readonly errors?: readonly Issue[] };

/** Metadata of a valid record with another title, and further members. */
const metadataWith = (title: string, more: JsonObject = {}): JsonObject => ({
  ...makeRecord(1, { title }).metadata,
  ...more,
});

const post = (metadata: unknown, model = "mst") => ada.client.post<Body>(`/api/records/${model}/`, { metadata });
const draftsOf = async (): Promise<number> =>
  (await ada.client.get<{ hits: { total: number } }>("/api/user/search/?size=1")).body.hits.total;
const issuesOf = ({ errors = [] }: Body) => errors.map(({ code, field }) => `${code} ${field}`);

describe("a text of more than 100 kB", () => {
  it.each(MODELS)("is refused with its field, and nothing is stored: %s", async (model) => {
    const before = await draftsOf();
    const { status, body } = await post(
      { general_parameters: { record_information: { title: "x".repeat(9_000_000) } } },
      model,
    );
    expect([status, body.code, issuesOf(body)]).toEqual([400, "BODY_INVALID", [`TOO_LONG ${TITLE}`]]);
    expect(JSON.stringify(body).length).toBeLessThan(1_000);
    expect(await draftsOf()).toBe(before);
  });

  it("is refused at any place, declared or not, and by every way in", async () => {
    const long = "-".repeat(100_001);
    const cases: [JsonObject, string][] = [
      [{ unknown: long }, "metadata.unknown"],
      [{ unknown: { deep: [[], ["a", { b: long }]] } }, "metadata.unknown.deep.1.1.b"],
      [
        { general_parameters: { chemical_information: [{ id: long }] } },
        "metadata.general_parameters.chemical_information.0.id",
      ],
      [{ unknown: "ä".repeat(50_001) }, "metadata.unknown"],
    ];
    const draft = (await post(metadataWith("Short"))).body;
    const self = `/api/records/mst/${draft.id}/draft`;
    for (const [metadata, field] of cases) {
      const answers = [
        await post(metadata),
        await ada.client.put<Body>(self, { metadata }),
        await ada.client.post<Body>("/api/records/mst/?validate=only", { metadata }),
      ];
      for (const { status, body } of answers) expect([status, issuesOf(body)]).toEqual([400, [`TOO_LONG ${field}`]]);
    }
    expect((await ada.client.get<RecordShape>(self)).body.revision_id).toBe(1);
    const name = "Terms and records of files";
    const file = join(bindery.data, "long.jsonl");
    writeFileSync(file, JSON.stringify({ metadata: metadataWith(name, { unknown: long }) }));
    const imported = await bindery.cli("import", "records", "mst", file, "--owner", "ada");
    expect([imported.code, imported.stderr + imported.stdout]).toEqual([1, expect.stringContaining("at most 100000")]);
  });

  it("may have exactly as many bytes, and is found by its words", async () => {
    const text = `zanzibarium ${"A".repeat(99_988)}`;
    expect((await post(metadataWith("Just fits", { sequence: text }))).status).toBe(201);
    const found = await ada.client.get<{ hits: { total: number } }>("/api/user/search/?q=zanzibarium");
    expect(found.body.hits.total).toBe(1);
  });
});

describe("all texts of a record", () => {
  it("are refused above 3 MB, with the fields that hold most of them", async () => {
    const texts = Array(32).fill("-- ".repeat(32_000));
    const { status, body } = await post({ unknown: { texts } });
    expect([status, body.code]).toEqual([413, "RECORD_TOO_LARGE"]);
    expect(body.message).toContain("metadata.unknown.texts (3072000)");
    const small = Array.from({ length: 9_500 }, (_, i) => `${i} ${"-".repeat(60)}`);
    expect((await post({ unknown: Array(6).fill(small) })).body.code).toBe("RECORD_TOO_LARGE");
    const keys = Object.fromEntries(Array.from({ length: 3_500 }, (_, i) => [`${i}${"k".repeat(900)}`, 1]));
    expect((await post({ unknown: keys })).body.code).toBe("RECORD_TOO_LARGE");
  });

  it("a word longer than 256 letters counts as what it costs", async () => {
    const { status, body } = await post({
      unknown: Array(10).fill("a".repeat(99_900)),
      words: Array(6).fill("b ".repeat(46_000)),
    });
    expect([status, body.code]).toEqual([400, "RECORD_TOO_LONG"]);
  });
});

describe("keys and what stands beside the metadata", () => {
  it("a key of more than 1,000 characters is refused without being repeated", async () => {
    for (const at of [{ ["k".repeat(9_000_000)]: 1 }, { a: [{ ["k".repeat(1_001)]: { b: "\u0007" } }] }]) {
      const { status, body } = await post(at);
      expect([status, issuesOf(body)[0]]).toEqual([400, expect.stringMatching(/^TOO_LONG metadata/)]);
      expect(JSON.stringify(body).length).toBeLessThan(1_000);
    }
  });

  it("metadata that are a long text are not kept in the errors of the draft", async () => {
    const { status, body } = await post("x".repeat(9_000_000));
    expect([status, body.errors?.map(({ code }) => code)]).toEqual([201, ["WRONG_TYPE"]]);
    expect(JSON.stringify(body).length).toBeLessThan(2_000);
  });
});

describe("a title of more than 1,000 characters", () => {
  it("is kept in a draft as a problem, and keeps it from being published", async () => {
    const title = "Ä".repeat(1_001);
    const { status, body } = await post(metadataWith(title));
    expect([status, issuesOf(body)]).toEqual([201, [`TOO_LONG ${TITLE}`]]);
    const self = `/api/records/mst/${body.id}/draft`;
    const published = await ada.client.post<Body>(`${self}/actions/publish`);
    expect([published.status, published.body.code, issuesOf(published.body)]).toEqual([
      400,
      "DRAFT_INVALID",
      [`TOO_LONG ${TITLE}`],
    ]);
    expect((await ada.client.get<{ metadata: JsonObject }>(self)).body.metadata).toMatchObject({
      general_parameters: { record_information: { title } },
    });
    expect(
      (await ada.client.put<Body>(self, { metadata: metadataWith("😀".repeat(1_000)) })).body.errors ?? [],
    ).toEqual([]);
  });
});

describe("forbidden characters", () => {
  const FORBIDDEN = [
    "\0",
    "\u0007",
    "\u001b[31m",
    "\u000b",
    "\u007f",
    "\u0085",
    "\u009b",
    "\u2028",
    "\u2029",
    "\u202e",
    "\u2066",
    "\ud800",
  ];

  it.each(FORBIDDEN.map((character) => [JSON.stringify(character), character]))(
    "%s is refused in texts and keys, declared or not",
    async (_, character) => {
      const text = `a${character}b`;
      for (const metadata of [
        metadataWith(text),
        { general_parameters: { record_information: { description: text } } },
        { unknown: [[text]] },
        { unknown: { [text]: 1 } },
      ]) {
        const { status, body } = await post(metadata);
        expect([status, body.errors?.map(({ code }) => code)]).toEqual([400, ["BAD_CHARACTER"]]);
        expect(JSON.stringify(body)).not.toMatch(/\\u00|\\v|\\u20|\u202e|\u2066|\u2028/);
      }
      const term = { id: "prod:77", title: { en: text } };
      const added = await curator.client.post<Body>("/api/vocabularies/products", term);
      expect([added.status, added.body.code]).toEqual([400, "BODY_INVALID"]);
    },
  );

  it("line breaks and tabs are allowed in long texts, and a problem of the draft in titles and names", async () => {
    const metadata = metadataWith("Pasted\tfrom a sheet\n", { note: "one\r\ntwo\tthree" });
    const { status, body } = await post(metadata);
    expect([status, issuesOf(body)]).toEqual([201, [`BAD_CHARACTER ${TITLE}`]]);
    expect(body.errors?.[0]?.messages[0]).toBe("Title contains a tab; it must be one line without tabs.");
    expect(body.metadata).toMatchObject({ note: "one\r\ntwo\tthree" });
    const published = await ada.client.post<Body>(`/api/records/mst/${body.id}/draft/actions/publish`);
    expect(published.body.code).toBe("DRAFT_INVALID");
  });

  it("direction marks, joiners and soft hyphens that people paste are allowed", async () => {
    const { status, body } = await post(metadataWith("a\u200eb\u200fc\u061cd\u200de\u00adf"));
    expect([status, body.errors ?? []]).toEqual([201, []]);
  });

  it("are refused in synonyms, props and ids of terms, in reasons, and in names of users and tokens", async () => {
    const colored = "a\u001bb";
    for (const more of [
      { synonyms: [colored] },
      { synonyms: ["a\tb"] },
      { title: { en: "a\nb" } },
      { id: "prod:\u001b" },
    ]) {
      const term = { id: "prod:78", title: { en: "T" }, ...more };
      expect((await curator.client.post<Body>("/api/vocabularies/products", term)).status).toBe(400);
    }
    const published = await publish(ada.client, makeRecord(5));
    const retraction = await curator.client.delete<Body>(`/api/records/mst/${published.id}`, {
      json: { removal_reason: "a\u202eb" },
    });
    expect([retraction.status, issuesOf(retraction.body)]).toEqual([400, ["BAD_CHARACTER removal_reason"]]);
    for (const name of ["a\u001bb", "a\u2028b", "a\u202eb"]) {
      const token = await ada.client.post<Body>("/api/user/tokens", { name, scopes: ["records:read"] });
      expect(token.status).toBe(400);
      expect((await bindery.cli("user", "add", name)).code).not.toBe(0);
    }
  });
});
