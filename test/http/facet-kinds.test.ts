import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import type { TestUser } from "../support/bindery.js";
import { deposit, publish, recordWith } from "../support/deposit.js";
import type { Problem, RecordShape, SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
let alice: TestUser;

/** What the records were measured on, and what came out: organism, pH, day, KD. */
const MEASURED: readonly (readonly [organism: string, ph: number, day: string, kd: number, unit: string])[] = [
  ["taxid:9606", 7.4, "2019-12-31", 5, "nM"],
  ["taxid:9606", 8, "2020-01-01", 0.005, "µM"],
  ["taxid:10090", 7, "2020-06-30", 10, "nM"],
  ["taxid:562", 6.99, "2020-12-31", 0.0005, "nM"],
  ["taxid:562", 3.5, "2021-01-01", 9.999, "nM"],
];

function bodyOf(n: number): { metadata: JsonObject } {
  const [organism, ph, day, value, unit] = MEASURED[n]!;
  const { metadata } = recordWith(n, { collection_start_time: day });
  const general = metadata.general_parameters as Record<string, JsonObject[]>;
  const [entity, ...others] = general.entities_of_interest!;
  const isAbout = (other: JsonObject): boolean => other.source_organism === undefined;
  const entities = [{ ...entity, source_organism: { id: organism } }, ...others.filter(isAbout)];
  const environments = general.chemical_environments!.map((environment) => ({ ...environment, ph }));
  const results = general.results!.map((result) => ({ ...result, type: "Constant of dissociation KD", value, unit }));
  const parts = { entities_of_interest: entities, chemical_environments: environments, results };
  return { metadata: { ...metadata, general_parameters: { ...general, ...parts } } };
}

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
  for (const n of MEASURED.keys()) await publish(alice.client, bodyOf(n));
});
afterAll(() => bindery.dispose());

const search = async (query: string, path = "/api/records/mst", client = bindery.client) => {
  const { status, body, text } = await client.get<SearchBody<RecordShape>>(`${path}?${query}`);
  expect(status, text.slice(0, 300)).toBe(200);
  return body;
};

const bucketsOf = (body: SearchBody<unknown>, name: string) => body.aggregations![name]!.buckets;
const countsOf = (body: SearchBody<unknown>, name: string) =>
  bucketsOf(body, name).map(({ key, doc_count }) => [key, doc_count]);

describe("a facet by year", () => {
  it("counts years in UTC, says when they begin and end, and filters by them", async () => {
    const open = await search("");
    expect(open.aggregations!.collected).toMatchObject({ label: "Year of measurement", type: "year", other: 0 });
    expect(bucketsOf(open, "collected")[0]).toEqual({
      ...{ key: "2020", label: "2020", doc_count: 3, is_selected: false, from: "2020-01-01", to: "2021-01-01" },
    });
    expect(countsOf(open, "collected")).toEqual([
      ["2020", 3],
      ["2019", 1],
      ["2021", 1],
    ]);
    const chosen = await search("collected=2019&collected=2021&s=1");
    expect(chosen.hits.total).toBe(2);
    expect(countsOf(chosen, "collected")).toEqual(countsOf(open, "collected"));
    expect(chosen.links.next).toContain("collected=2019&collected=2021");
    expect((await search("collected=2020&q=collected:2020-06")).hits.total).toBe(1);
  });

  it("shows a year without hits where it is selected", async () => {
    const { hits, aggregations } = await search("collected=1999");
    expect(hits.total).toBe(0);
    expect(aggregations!.collected!.buckets.at(-1)).toMatchObject({ key: "1999", doc_count: 0, is_selected: true });
  });
});

describe("a range of dates", () => {
  it("filters from its first day up to its last one, which is left out, and is listed with its count", async () => {
    const chosen = await search("collected=2020-06..2021");
    expect(chosen.hits.total).toBe(2);
    expect(bucketsOf(chosen, "collected").at(-1)).toEqual({
      ...{ key: "2020-06..2021", label: "2020-06 – 2021", doc_count: 2, is_selected: true },
      ...{ from: "2020-06-01", to: "2021-01-01" },
    });
    expect((await search("collected=..2020")).hits.total).toBe(1);
    expect((await search("collected=2020-12-31..&collected=2019")).hits.total).toBe(3);
    expect(bucketsOf(await search("collected=..2020"), "collected").at(-1)).toMatchObject({ label: "< 2020" });
  });
});

describe("a histogram", () => {
  it("counts numbers between edges, the lower one included, and filters by them", async () => {
    const open = await search("");
    expect(open.aggregations!.ph).toMatchObject({ label: "pH", type: "histogram", other: 0 });
    expect(bucketsOf(open, "ph")).toEqual([
      { key: "7..8", label: "7 – 8", doc_count: 2, is_selected: false, from: 7, to: 8 },
      { key: "..4", label: "< 4", doc_count: 1, is_selected: false, to: 4 },
      { key: "6..7", label: "6 – 7", doc_count: 1, is_selected: false, from: 6, to: 7 },
      { key: "8..9", label: "8 – 9", doc_count: 1, is_selected: false, from: 8, to: 9 },
    ]);
    expect((await search("ph=7..8")).hits.total).toBe(2);
    expect((await search("ph=..4&ph=8..9")).hits.total).toBe(2);
    expect((await search("ph=7..8&collected=2020")).hits.total).toBe(1);
  });
});

describe("a histogram of a quantity", () => {
  it("counts by the canonical unit, and says ranges in people's units", async () => {
    const open = await search("");
    expect(open.aggregations!.kd).toMatchObject({ label: "KD", type: "histogram", other: 0 });
    expect(bucketsOf(open, "kd")).toEqual([
      { key: "1e-9..1e-8", label: "1 nM – 10 nM", doc_count: 3, is_selected: false, from: 1e-9, to: 1e-8 },
      { key: "..1e-12", label: "< 1 pM", doc_count: 1, is_selected: false, to: 1e-12 },
      { key: "1e-8..1e-7", label: "10 nM – 100 nM", doc_count: 1, is_selected: false, from: 1e-8, to: 1e-7 },
    ]);
    expect((await search("kd=1e-9..1e-8")).hits.total).toBe(3);
    expect((await search("kd=1e-9..1e-8&organism=taxid:9606")).hits.total).toBe(2);
    expect((await search("kd=1e-9..1e-8&q=kd:[1nM+TO+10nM%7D")).hits.total).toBe(3);
  });
});

describe("a range of a quantity", () => {
  it("filters in any unit, leaves its upper end out, and is listed with its count", async () => {
    const chosen = await search("kd=0.3nM..5nM");
    expect(chosen.hits.total).toBe(0);
    expect((await search("kd=5nM..9.999nM")).hits.total).toBe(2);
    expect((await search("kd=5e-9..1e-8")).hits.total).toBe(3);
    expect((await search("kd=..1pM&kd=0.01%C2%B5M..")).hits.total).toBe(2);
    const one = await search("kd=5nM..0.01%C2%B5M&collected=2020");
    expect(one.hits.total).toBe(1);
    expect(bucketsOf(one, "kd")).toEqual([
      { key: "..1e-12", label: "< 1 pM", doc_count: 1, is_selected: false, to: 1e-12 },
      { key: "1e-8..1e-7", label: "10 nM – 100 nM", doc_count: 1, is_selected: false, from: 1e-8, to: 1e-7 },
      { key: "1e-9..1e-8", label: "1 nM – 10 nM", doc_count: 1, is_selected: false, from: 1e-9, to: 1e-8 },
      { key: "5e-9..1e-8", label: "5 nM – 10 nM", doc_count: 1, is_selected: true, from: 5e-9, to: 1e-8 },
    ]);
  });

  it("stands in links as canonical numbers, and goes on with a cursor and in the user scopes", async () => {
    const first = await search("kd=5nM..10nM&s=2&cursor=*");
    expect(first.links.self).toContain("kd=5e-9..1e-8");
    const rest = await search(first.links.next!.split("?")[1]!);
    expect([first, rest].map(({ hits }) => hits.hits.length)).toEqual([2, 1]);
    expect((await search("kd=5nM..10nM", "/api/user/search", alice.client)).hits.total).toBe(3);
    expect((await search("kd=5nM..10nM", "/api/search")).hits.total).toBe(3);
  });

  it("says the form that it takes where it is none", async () => {
    const { status, body } = await bindery.client.get<Problem>("/api/records/mst?kd=5kDa..9kDa");
    expect(status).toBe(400);
    expect(body.errors![0]).toMatchObject({ field: "kd", value: "5kDa..9kDa", code: "PARAMETER_INVALID" });
    expect(body.errors![0]!.messages[0]).toContain('or with units: "10nM..100nM"');
  });
});

describe("the counts of a histogram", () => {
  it("say what the numbers are in, how they grow, and the extremes, whatever the facet itself filters", async () => {
    const { kd, ph, collected } = (await search("kd=5nM..10nM")).aggregations!;
    expect(kd).toMatchObject({ unit: "M", scale: "log", min: 5e-13, max: 1e-8 });
    expect(ph).toMatchObject({ scale: "linear", min: 3.5, max: 8 });
    expect(ph).not.toHaveProperty("unit");
    expect(collected).not.toHaveProperty("min");
  });

  it("have no extremes where no hit has a number", async () => {
    const { kd } = (await search("q=nothingatall")).aggregations!;
    expect(kd).toMatchObject({ buckets: [], unit: "M", scale: "log", min: null, max: null });
  });
});

describe("a facet of a hierarchy", () => {
  it("counts what stands above, lists what tells something, and filters by all below", async () => {
    const open = await search("");
    expect(open.aggregations!.organism).toMatchObject({ label: "Organism", type: "tree", other: 0 });
    const buckets = bucketsOf(open, "organism").map(({ label, doc_count, parent }) => [label, doc_count, parent]);
    expect(buckets).toEqual([
      ["Euarchontoglires", 3, undefined],
      ["Escherichia coli", 2, undefined],
      ["Homo sapiens", 2, "taxid:314146"],
      ["Mus musculus", 1, "taxid:314146"],
    ]);
    const primates = await search("organism=taxid:9443");
    expect(primates.hits.total).toBe(2);
    expect(bucketsOf(primates, "organism")).toContainEqual({
      ...{ key: "taxid:9443", label: "Primates", doc_count: 2, is_selected: true, parent: "taxid:314146" },
    });
    expect((await search("organism=taxid:10090&organism=taxid:2")).hits.total).toBe(3);
    expect((await search("organism=taxid:9443&collected=2020")).hits.total).toBe(1);
  });

  it("lists the largest, and sums the others", async () => {
    const { buckets, other } = (await search("facet_size=2")).aggregations!.organism!;
    expect(buckets.map(({ doc_count }) => doc_count)).toEqual([3, 2]);
    expect(other).toBe(3);
  });

  it("counts drafts for their owner only", async () => {
    const draft = await deposit(alice.client, bodyOf(0));
    const own = await search("organism=taxid:9606&collected=2019&state=draft", "/api/user/records/mst", alice.client);
    expect(own.hits.hits.map(({ id }) => id)).toEqual([draft.id]);
    expect((await search("organism=taxid:9606", "/api/search")).hits.total).toBe(2);
  });
});
