import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, importItems } from "../support/deposit.js";
import { at, type ItemShape, type Problem, type RecordShape, type SearchBody } from "../support/http-client.js";
import {
  CITED_AFFILIATIONS,
  REAL_MODELS,
  REAL_VOCABULARIES,
  realRecord,
  vocabularyFile,
} from "../support/real-data.js";
import { type Service, startService } from "../support/service.js";

const AFFILIATIONS = [
  {
    id: CITED_AFFILIATIONS[0],
    title: { en: "First missing institute" },
    props: { city: "Helsinki", country: "Finland" },
  },
  { id: CITED_AFFILIATIONS[1], title: { en: "Second missing university" }, props: { country: "United States" } },
];
const PEOPLE = "metadata.general_parameters.depositors";

let bindery: Service;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

describe("the vocabularies that MBDB starts with", () => {
  it.each(REAL_VOCABULARIES)("%s is imported, and a second time changes nothing", async (vocabulary) => {
    const path = vocabularyFile(vocabulary);
    const documents = readFileSync(path, "utf8").match(/^id:/gm)!.length;
    const first = await bindery.cli("import", "vocabulary", vocabulary, path, "--json");
    expect(first.code, first.stderr).toBe(0);
    const summary = JSON.parse(first.stdout) as { new: number; changed: number; unchanged: number; refused: [] };
    expect(summary.refused).toEqual([]);
    expect(summary.new + summary.changed + summary.unchanged).toBe(documents);

    const list = `/api/vocabularies/${vocabulary}?s=1000&sort=newest`;
    const before = await bindery.client.get<SearchBody<ItemShape>>(list);
    const second = await bindery.cli("import", "vocabulary", vocabulary, path, "--json");
    expect(JSON.parse(second.stdout)).toMatchObject({ new: 0, changed: 0, unchanged: documents });
    const after = await bindery.client.get<SearchBody<ItemShape>>(list);
    expect(after.body).toEqual(before.body);
    expect(before.body.hits.total).toBeGreaterThanOrEqual(documents);
  });
});

describe.each(REAL_MODELS)("a deposited %s record", (model) => {
  let draft: RecordShape;

  it("is kept, and its unknown affiliations are named, each at its place", async () => {
    const known = await bindery.client.get(`/api/vocabularies/affiliations/${AFFILIATIONS[0]!.id}`);
    draft = await deposit(alice.client, realRecord(model), model);
    if (known.status === 200) return expect(draft.errors).toBeUndefined();
    const unknown = draft.errors!.filter(({ code }) => code === "TERM_UNKNOWN");
    expect([...new Set(unknown.map(({ value }) => value))].sort()).toEqual(AFFILIATIONS.map(({ id }) => id));
    expect(draft.errors).toHaveLength(unknown.length);
    for (const { field } of unknown) expect(field).toMatch(/^metadata\.general_parameters\.depositors\..*\.id$/);
    const refused = await alice.client.post<Problem>(`/api/records/${model}/${draft.id}/draft/actions/publish`);
    expect(refused.status).toBe(400);
    expect(refused.body.errors!.map(({ field }) => field)).toEqual(unknown.map(({ field }) => field));
  });

  it("is published once they are imported, with every term filled in", async () => {
    await importItems(bindery, "affiliations", AFFILIATIONS);
    const { status, body, text } = await alice.client.post<RecordShape>(
      `/api/records/${model}/${draft.id}/draft/actions/publish`,
    );
    expect(status, text).toBe(202);
    const item = await bindery.client.get<ItemShape>(`/api/vocabularies/affiliations/${AFFILIATIONS[0]!.id}`);
    const cited = at(body, `${PEOPLE}.depositor.affiliations.0`) as Record<string, unknown>;
    expect(item.body["@v"]).toBe(cited["@v"]);
    expect(cited).toEqual({ "@v": item.body["@v"], id: item.body.id, title: item.body.title, ...item.body.props });
    for (const place of ["instrument", "funding_references.0", "entities_of_interest.0.source_organism"]) {
      expect(at(body, `metadata.general_parameters.${place}.@v`), place).toMatch(/::\d+$/);
    }
  });

  it.each([
    "hemoglobin",
    '"hemoglobin serum"',
    'title:"serum elements"',
    "affiliation:missing",
    '"First missing institute"',
    "helsinki",
    "ror:02hpadn98",
    'affiliation:"ror:02hpadn98"',
    "ph:[1 TO 14]",
    "organism:*",
    "_exists_:instrument.id",
  ])("is found by %s", async (q) => {
    for (const path of [`/api/records/${model}/`, "/api/search/"]) {
      const { body } = await bindery.client.get<SearchBody<RecordShape>>(`${path}?q=${encodeURIComponent(q)}`);
      expect(
        body.hits.hits.map(({ id }) => id),
        path,
      ).toContain(draft.id);
    }
  });

  it("is in a search as its own GET gives it", async () => {
    const alone = await bindery.client.get<RecordShape>(`/api/records/${model}/${draft.id}`);
    const found = await bindery.client.get<SearchBody<RecordShape>>(`/api/search/?q=${draft.id}`);
    expect(found.body.hits.hits[0]).toEqual(alone.body);
  });
});
