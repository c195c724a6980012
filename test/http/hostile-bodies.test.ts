/** Bodies that are small and valid JSON, but whose checks, issues or filled-in references would be large. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Issue, Warning } from "../../src/core/issue.js";
import type { Json, JsonObject } from "../../src/core/json.js";
import { LIMITS } from "../../src/core/limits.js";
import type { TestUser } from "../support/bindery.js";
import type { Problem, RecordShape } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
let ada: TestUser;
let curator: TestUser;
beforeAll(async () => {
  bindery = await startService({ env: { BINDERY_RATE_LIMITS: "off" } });
  ada = await bindery.user("ada");
  curator = await bindery.user("cara", { role: "curator", scopes: ["records:write", "vocabularies:write"] });
});
afterAll(() => bindery.dispose());

type Body = Problem & RecordShape & { readonly errors?: readonly Issue[]; readonly warnings?: readonly Warning[] };

/** The metadata of a valid record with other general parameters. */
function metadataWith(parameters: JsonObject): JsonObject {
  const metadata = makeRecord(1).metadata as { readonly general_parameters: JsonObject };
  return { ...metadata, general_parameters: { ...metadata.general_parameters, ...parameters } };
}

const post = (parameters: JsonObject) =>
  ada.client.post<Body>("/api/records/mst/", { metadata: metadataWith(parameters) });
const list = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i));
const entity = (id: string, name = "Lysozyme"): JsonObject => ({ id, name, type: "Polymer" });
const resultsOn = (ids: readonly string[], more: JsonObject = {}): Json => [
  { id: "kd", entities_involved: ids.map((id) => ({ entity: { id, ...more } })) },
];
const codesOf = (entries: readonly { readonly code: string }[] = []): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { code } of entries) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
};

describe("a list of problems", () => {
  it("has 1,000 entries and a count, whatever is wrong thousands of times", async () => {
    const cases: [string, JsonObject][] = [
      ["REPEATED_ID", { entities_of_interest: list(5_000, () => entity("a")) }],
      ["REFERENCE_DANGLING", { entities_of_interest: [entity("a")], results: resultsOn(list(5_000, () => "b")) }],
      ["TERM_UNKNOWN", { funding_references: list(5_000, (i) => ({ id: `oa:${i}` })) }],
    ];
    for (const [code, parameters] of cases) {
      const { status, body } = await post(parameters);
      const codes = codesOf(body.errors);
      expect([status, codes.MORE_PROBLEMS, body.errors!.length], code).toEqual([201, 1, LIMITS.issuesMax + 1]);
      expect(codes[code], code).toBeGreaterThan(0);
    }
  });

  it("of warnings has 1,000 entries and a count as well", async () => {
    const referring = {
      entities_of_interest: [entity("a")],
      results: resultsOn(
        list(3_000, () => "a"),
        { title: 1 },
      ),
    };
    const { body } = await post(referring);
    expect([codesOf(body.warnings), body.warnings!.length]).toEqual([
      { REFERENCE_FIELD_REPLACED: LIMITS.issuesMax, MORE_WARNINGS: 1 },
      LIMITS.issuesMax + 1,
    ]);
    const keys = Object.fromEntries(list(5_000, (i) => [`key${i}`, 1]));
    for (const more of [keys, { access: keys }]) {
      const answer = await ada.client.post<Body>("/api/records/mst/", { metadata: metadataWith({}), ...more });
      expect(codesOf(answer.body.warnings)).toEqual({ UNKNOWN_KEY: LIMITS.issuesMax, MORE_WARNINGS: 1 });
    }
  });

  it("names similar ids for five unknown ones only: each is compared with all others", async () => {
    const { body } = await post({
      entities_of_interest: list(300, (i) => entity(`lysozyme-of-hen-${i}`)),
      results: resultsOn(list(300, (i) => `lysozyme-of-hem-${i}`)),
    });
    const isOfResult = ({ code, field }: Issue): boolean =>
      code === "REFERENCE_DANGLING" && field.includes("entities_involved");
    const dangling = body.errors!.filter(isOfResult);
    expect(dangling).toHaveLength(300);
    expect(dangling.filter(({ nearest }) => nearest !== undefined)).toHaveLength(LIMITS.nearestLookupsMax);
    expect(dangling[0]!.nearest![0]).toBe("lysozyme-of-hen-0");
  });

  it("does not repeat long texts", async () => {
    const long = "x".repeat(90_000);
    const { body } = await post({
      entities_of_interest: [entity(long), entity(long)],
      results: resultsOn([`${long}y`]),
      funding_references: [{ id: `oa:${long}` }],
    });
    const codes = codesOf(body.errors);
    for (const code of ["REPEATED_ID", "REFERENCE_DANGLING", "TERM_UNKNOWN"]) expect(codes, code).toHaveProperty(code);
    expect(JSON.stringify(body.errors).length).toBeLessThan(20_000);
  });
});

describe("a text that is filled in at many places", () => {
  const draftsOf = async (): Promise<number> =>
    (await ada.client.get<{ hits: { total: number } }>("/api/user/search/?size=1")).body.hits.total;

  it.each<[string, Json, number]>([
    ["a long name", "-".repeat(90_000), 50],
    ["a name that is a large list", list(9_000, (i) => i), 2_000],
    ["a short name, thousands of times", "-".repeat(450), 9_000],
  ])("is refused if the record becomes too large: %s", async (_, name, count) => {
    const before = await draftsOf();
    const { status, body } = await post({
      entities_of_interest: [{ ...entity("a"), name }],
      results: resultsOn(list(count, () => "a")),
    });
    expect([status, body.code]).toEqual([413, "RECORD_TOO_LARGE"]);
    expect(body.message).toMatch(/filled into .* more than 3000000 bytes .* metadata\.general_parameters\.results/);
    expect(await draftsOf()).toBe(before);
  });

  it("is refused if it is the title of a term", async () => {
    const term = { id: "taxid:999999901", title: { en: `Species ${"-".repeat(9_900)}` } };
    expect((await curator.client.post("/api/vocabularies/organisms", term)).status).toBe(201);
    const citing = (count: number) =>
      post({ entities_of_interest: list(count, (i) => ({ ...entity(`a${i}`), source_organism: { id: term.id } })) });
    expect((await citing(3)).status).toBe(201);
    const { status, body } = await citing(600);
    expect([status, body.code]).toEqual([413, "RECORD_TOO_LARGE"]);
    expect(body.message).toMatch(/metadata\.general_parameters\.entities_of_interest\.source_organism/);
  });

  it("is accepted at as many places as in real records", async () => {
    const { status } = await post({
      entities_of_interest: [entity("a", "Lysozyme C from hen egg white, labelled")],
      results: resultsOn(list(1_500, () => "a")),
    });
    expect(status).toBe(201);
  });
});

it("keys that every object has are data", async () => {
  const text =
    '{"metadata":{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}},"toString":"c"},"__proto__":{"d":1}}';
  const { status, body } = await ada.client.send<Body>("POST", "/api/records/mst/", { text, token: ada.token });
  expect(status).toBe(201);
  expect(body.warnings!.map(({ field }) => field)).toEqual([
    "__proto__",
    "metadata.__proto__",
    "metadata.constructor",
    "metadata.toString",
  ]);
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});
