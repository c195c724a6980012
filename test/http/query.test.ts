import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, publish, recordWith } from "../support/deposit.js";
import { chemical, ETHANOL, polymer } from "../support/entities.js";
import type { Problem, RecordShape, SearchBody } from "../support/http-client.js";
import { ON_POSTGRES, type Service, startService } from "../support/service.js";

let bindery: Service;
let alice: TestUser;
/** Names of the three records by their ids. */
const names = new Map<string, string>();

/** Small records, told apart by their words, numbers and dates. */
const CASES = {
  serum: { title: "Binding of bovine albumin", ph: 7.4, day: "2024-05-17", instrument: "ins:1", value: 10.3 },
  wheat: { title: "Wheat germ agglutinin, TNFα and µM", ph: 2, day: "2024-12-31", instrument: "ins:2", value: 250 },
  tokyo: { title: "東京大学 albumin Ångström bovine", ph: 2.5, day: "2025-01-01", instrument: "ins:2", value: -1 },
};

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
  for (const [name, { title, ph, day, instrument, value }] of Object.entries(CASES)) {
    const environment = { id: "environment", name: "Buffer", ph, solvent: [solvent("Water", value)] };
    const general = {
      chemical_environments: [environment],
      collection_start_time: day,
      instrument: { id: instrument },
    };
    const record = recordWith(names.size, general, { title });
    names.set((await publish(alice.client, record)).id, name);
  }
});
afterAll(() => bindery.dispose());

const solvent = (name: string, value: number) => ({
  name,
  type: "Chemical",
  basic_information: { id: ETHANOL },
  concentration: { value, unit: "mM" },
});

const search = async (q: string, path = "/api/records/mst/") => {
  const { status, body, text } = await bindery.client.get<SearchBody<RecordShape>>(
    `${path}?q=${encodeURIComponent(q)}`,
  );
  expect(status, text.slice(0, 300)).toBe(200);
  return body;
};
const namesOf = (body: SearchBody<RecordShape>) => body.hits.hits.map(({ id }) => names.get(id)).sort();

describe.each(["/api/records/mst/", "/api/search/"])("%s finds", (path) => {
  it.each<[string, string[]]>([
    ["bovine albumin", ["serum", "tokyo"]],
    ['"bovine albumin"', ["serum"]],
    ["BOVINE -tokyo -東京大学", ["serum"]],
    ["bovine NOT binding", ["tokyo"]],
    ["wheat OR binding", ["serum", "wheat"]],
    ["(wheat OR binding) AND albumin", ["serum"]],
    ["wheat || binding && albumin", ["serum", "wheat"]],
    ["agglu*", ["wheat"]],
    ["aggl?tinin", ["wheat"]],
    ["tnf alpha", ["wheat"]],
    ["TNFα", ["wheat"]],
    ["angstrom", ["tokyo"]],
    ["東京", ["tokyo"]],
    ["大京", []],
    ["title:bovine", ["serum", "tokyo"]],
    ["title:(wheat OR binding)", ["serum", "wheat"]],
    ['title:"bovine albumin"', ["serum"]],
    ["record_information.title:wheat", ["wheat"]],
    ["metadata.general_parameters.record_information.title:wheat", ["wheat"]],
    ["TITLE:wheat", ["wheat"]],
    ["ph:2", ["wheat"]],
    ["ph:[2 TO 2.5]", ["tokyo", "wheat"]],
    ["ph:{2 TO 2.5]", ["tokyo"]],
    ["ph:>2.5", ["serum"]],
    ["ph:>=2.5", ["serum", "tokyo"]],
    ["ph:(>=2 AND <7)", ["tokyo", "wheat"]],
    ["ph:[* TO 2]", ["wheat"]],
    ["chemical_environments.ph:7.4", ["serum"]],
    ["collected:2024", ["serum", "wheat"]],
    ["collected:2024-05", ["serum"]],
    ["collected:[2024-05-17 TO 2024]", ["serum", "wheat"]],
    ["collected:>2024", ["tokyo"]],
    ["collected:{2024-05-17 TO *}", ["tokyo", "wheat"]],
    ["collected:<2024-12", ["serum"]],
    ["created:>now-1h", ["serum", "tokyo", "wheat"]],
    ["created:[2000-01-01T00:00:00Z TO 2001]", []],
    ["chemical_environments.solvent.concentration.value:>100", ["wheat"]],
    ["_exists_:chemical_environments.solvent.concentration.value", ["serum", "wheat"]],
    ["_exists_:title AND NOT title:albumin", ["wheat"]],
    ["title:*", ["serum", "tokyo", "wheat"]],
    ["_exists_:associated_publication", []],
    ["*", ["serum", "tokyo", "wheat"]],
    ["instrument:ins\\:2", ["tokyo", "wheat"]],
    ['instrument:"ins:2" bovine', ["tokyo"]],
    ["ins:1", ["serum"]],
    ["instrument:Pico", []],
    ["model:mst", ["serum", "tokyo", "wheat"]],
    ["model:spr", []],
    ["state:published albumin", ["serum", "tokyo"]],
    ["collected:[2024-01-01 TO 2024-12-31] AND ph:<3", ["wheat"]],
  ])("%s", async (q, expected) => {
    const body = await search(q, path);
    expect(namesOf(body)).toEqual(expected);
    expect(body.hits.total).toBe(expected.length);
    expect(body.query.fallback).toBe(false);
  });
});

describe("a query that is no valid syntax", () => {
  it.each<[string, string[]]>([
    ['"bovine albumin', ["serum"]],
    ["(wheat", ["wheat"]],
    ["wheat)", ["wheat"]],
    ["wheat AND", ["wheat"]],
    ["AND wheat", ["wheat"]],
    ["wheat OR OR", ["wheat"]],
    ["AND AND", []],
    ["title:", []],
    ["ph:[2 TO", []],
    ["*eat", []],
  ])("is read as well as may be, and said so: %s", async (q, expected) => {
    const body = await search(q);
    expect(body.warnings!.length).toBeGreaterThan(0);
    if (expected.length > 0) expect(namesOf(body)).toEqual(expected);
  });

  it("is printed as one that is", async () => {
    for (const q of ['"bovine albumin', "(wheat OR (binding", "wheat AND", "C8H10N4O2 (caffeine"]) {
      const first = await search(q);
      expect(first.query.fallback, q).toBe(true);
      const second = await search(first.query.parsed);
      expect(second.query).toEqual({ parsed: first.query.parsed, fallback: false });
      expect(second.hits.total).toBe(first.hits.total);
    }
  });
});

describe("a query that asks for nothing", () => {
  it.each(["/", "*", '""', "…"])("is sorted as no query is: %s", async (q) => {
    const body = await search(q);
    expect(body.hits.total).toBe((await search("")).hits.total);
    expect([body.sortBy, body.query.parsed]).toEqual(["newest", ""]);
    expect(body.query.fallback).toBe(q !== "*");
    expect(body.warnings?.map(({ code }) => code)).toEqual(q === "*" ? undefined : ["QUERY_EMPTY"]);
    expect((await search(q, "/api/vocabularies/instruments")).sortBy).toBe("title");
  });
});

describe("suggest over records", () => {
  const suggest = async (text: string) => {
    const { body } = await bindery.client.get<SearchBody<RecordShape>>(
      `/api/search/?suggest=${encodeURIComponent(text)}`,
    );
    return namesOf(body);
  };
  it.each<[string, string[]]>([
    ["bovine alb", ["serum", "tokyo"]],
    ["BOVINE OR QQ", []],
    ["agglu", ["wheat"]],
    ["(wheat ger", ["wheat"]],
    ["wheat-ger", ["wheat"]],
    ["germ-whe", []],
    ["東京大", ["tokyo"]],
    ["title:wheat", []],
    ["…", ["serum", "tokyo", "wheat"]],
  ])("%s is text whose last word may be unfinished", async (text, expected) => {
    expect(await suggest(text)).toEqual(expected);
  });
});

describe("fuzzy words and conditions on one element", () => {
  it.each<[string, string[]]>([
    ["albumim~", ["serum", "tokyo"]],
    ["lbumni~2", ["serum", "tokyo"]],
    ["lbumni~1", []],
    ["title:bovnie~", ["serum", "tokyo"]],
    ["-title:bovnie~", ["wheat"]],
    ["chemical_environments:(ph:<3 AND solvent:(name:water AND concentration.value:>100))", ["wheat"]],
    ["chemical_environments:(ph:>3 AND solvent:(name:water AND concentration.value:>100))", []],
    ["chemical_environments:(water buffer -ph:2)", ["serum", "tokyo"]],
    ["chemical_environments:(solvent:(NOT concentration.value:*))", ["tokyo"]],
    ["bovine chemical_environments:(wtaer~ AND ph:[2 TO 3])", ["tokyo"]],
  ])("%s", async (q, expected) => {
    const body = await search(q);
    expect(namesOf(body)).toEqual(expected);
    expect(body.hits.total).toBe(expected.length);
    expect(body.query.fallback).toBe(false);
    expect(body).not.toHaveProperty("warnings.0");
  });
});

describe("weights", () => {
  it("are read and have no effect, which is said", async () => {
    const body = await search("wheat^3");
    expect(namesOf(body)).toEqual(namesOf(await search("wheat")));
    expect(body.warnings).toMatchObject([{ code: "QUERY_BOOST_IGNORED", parameter: "q" }]);
  });
});

describe("identifiers", () => {
  it("find their record first, pasted in any case", async () => {
    const entities = {
      entities_of_interest: [
        { ...polymer("entity-assembly", "A", "taxid:562"), external_databases: ["pdb:2HCO", "Uniprot:P69905"] },
        chemical("entity-serum", "B"),
      ],
    };
    const { id } = await publish(alice.client, recordWith(77, entities, { title: "With identifiers" }));
    await publish(alice.client, recordWith(78, {}, { title: "About P69905 and pdb 2HCO and 0000-0002-1825-0097" }));
    for (const q of ["pdb:2HCO", "uniprot:p69905", id, id.toUpperCase()]) {
      expect((await search(q)).hits.hits[0]?.id, q).toBe(id);
    }
    for (const q of ["P69905", "2hco"]) {
      expect((await search(q)).hits.hits.map((hit) => hit.id)).toContain(id);
    }
    expect((await search("0000-0002-1825-0097")).hits.total).toBe(5);
  });
});

describe("limits of a query", () => {
  it.each([
    ["x".repeat(4_097)],
    [Array.from({ length: 257 }, (_, i) => `w${i}`).join(" ")],
    [`${"(a OR (b AND ".repeat(9)}c${"))".repeat(9)}`],
  ])("are 400 beyond them (%#)", async (q) => {
    const { status, body } = await bindery.client.get<Problem>(`/api/search/?q=${encodeURIComponent(q)}`);
    expect(status).toBe(400);
    expect(body.code).toBe("QUERY_TOO_LARGE");
    expect(body.errors![0]!.field).toBe("q");
  });

  it("are reached without harm", async () => {
    await search("x".repeat(4_096));
    await search("x".repeat(51));
    await search("abcdefghij".repeat(5));
    await search("𝔘".repeat(4_096));
    await search(Array.from({ length: 256 }, (_, i) => `w${i}`).join(" OR "));
    // OpenSearch takes fewer of them.
    await search(Array.from({ length: ON_POSTGRES ? 150 : 256 }, (_, i) => `w${i}*`).join(" OR "));
  });
});

it("finds a draft of the caller's by its wrong values as text", async () => {
  const draft = await deposit(alice.client, recordWith(90, { technique: { odd: "Quixotically" } }));
  const { body } = await alice.client.get<SearchBody<RecordShape>>("/api/user/search/?q=quixotically");
  expect(body.hits.hits.map(({ id }) => id)).toEqual([draft.id]);
});
