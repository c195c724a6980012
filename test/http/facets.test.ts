import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { publish, recordWith } from "../support/deposit.js";
import type { ItemShape, Problem, RecordShape, SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";
import { smallRecord } from "../support/small-record.js";

let bindery: Service;
let alice: TestUser;
const INSTRUMENTS = ["ins:1", "ins:1", "ins:1", "ins:2", "ins:2", "ins:3"];

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
  for (const [n, id] of INSTRUMENTS.entries()) {
    const general = {
      instrument: { id },
      results: resultsOf(n % 2 === 0 ? "Concentration" : "Stoichiometry"),
    };
    await publish(alice.client, recordWith(n, general, { title: n < 4 ? `Alpha ${n}` : `Beta ${n}` }));
  }
  const gamma = smallRecord({ model: "bli", title: "Gamma", rights: "open", isValid: true });
  await publish(alice.client, gamma, "bli");
});
afterAll(() => bindery.dispose());

const resultsOf = (type: string) =>
  ["result-0", "result-1"].map((id) => ({
    id,
    name: "R",
    type,
    entities_involved: [{ entity: { id: "entity-serum" }, copy_number: 1 }],
    ...(type === "Concentration" ? { value: 5, unit: "nM" } : {}),
  }));

const search = async (query: string, path = "/api/records/mst/") => {
  const { status, body, text } = await bindery.client.get<SearchBody<RecordShape>>(`${path}?${query}`);
  expect(status, text.slice(0, 300)).toBe(200);
  return body;
};
const bucketsOf = (body: SearchBody<unknown>, name: string) =>
  body.aggregations![name]!.buckets.map(({ key, doc_count }) => [key, doc_count]);

describe("a facet", () => {
  it("counts all hits, most first, labelled with the titles of the terms", async () => {
    const body = await search("s=1");
    expect(bucketsOf(body, "instrument")).toEqual([
      ["ins:1", 3],
      ["ins:2", 2],
      ["ins:3", 1],
    ]);
    const { label, type, buckets, other } = body.aggregations!.instrument!;
    expect([label, type, other]).toEqual(["Instrument", "terms", 0]);
    expect(buckets[1]).toEqual({ key: "ins:2", label: "Monolith NT.115 RED", doc_count: 2, is_selected: false });
  });

  it("counts what q leaves", async () => {
    expect(bucketsOf(await search("q=title:beta"), "instrument")).toEqual([
      ["ins:2", 1],
      ["ins:3", 1],
    ]);
  });

  it("filters by name: OR within, AND between, its own counts as they were", async () => {
    const one = await search("instrument=ins:2");
    expect(one.hits.total).toBe(2);
    expect(bucketsOf(one, "instrument")).toEqual(bucketsOf(await search(""), "instrument"));
    expect(one.aggregations!.instrument!.buckets.map(({ is_selected }) => is_selected)).toEqual([false, true, false]);
    expect(bucketsOf(one, "result_type").reduce((sum, [, count]) => sum + Number(count), 0)).toBe(2);

    expect((await search("instrument=ins:2&instrument=ins:3")).hits.total).toBe(3);
    const both = await search("instrument=ins:2&instrument=ins:1&result_type=Concentration");
    expect(both.hits.total).toBe(3);
    expect(bucketsOf(both, "instrument")).toEqual([
      ["ins:1", 2],
      ["ins:2", 1],
    ]);
  });

  it("stands in links, so that pages stay filtered", async () => {
    const first = await search("instrument=ins:2&instrument=ins:1&s=2");
    const next = await bindery.client.get<SearchBody>(first.links.next!.slice(bindery.url.length));
    expect(next.body.hits.total).toBe(5);
    expect(next.body.page).toBe(2);
  });

  it("lists at most facet_size buckets, the selected ones always, and sums the rest", async () => {
    const body = await search("facet_size=1");
    expect(bucketsOf(body, "instrument")).toEqual([["ins:1", 3]]);
    expect(body.aggregations!.instrument!.other).toBe(3);
    const chosen = await search("facet_size=1&instrument=ins:3");
    expect(bucketsOf(chosen, "instrument")).toEqual([
      ["ins:1", 3],
      ["ins:3", 1],
    ]);
    expect(chosen.aggregations!.instrument!.other).toBe(2);
  });

  it("with a value that nothing has finds nothing and shows it", async () => {
    for (const value of ["ins:404", "x y", '"', "%00", "'; DROP", "__proto__"]) {
      const body = await search(`instrument=${encodeURIComponent(value)}`);
      expect(body.hits.total, value).toBe(0);
      expect(bucketsOf(body, "instrument"), value).toContainEqual([value, 0]);
    }
  });

  it("of years or ranges refuses what is no key, all at once, and says what it takes", async () => {
    const { status, body } = await bindery.client.get<Problem>("/api/records/mst?year=24&ph=7&ph=7..8&collected=2024");
    expect(status).toBe(400);
    expect(body.code).toBe("PARAMETER_INVALID");
    expect(body.errors!.map(({ field, value }) => [field, value])).toEqual([
      ["year", "24"],
      ["ph", "7"],
    ]);
    expect(body.errors![0]!.messages[0]).toContain('must be a year such as "2024", or a range of years or days');
    expect(body.errors![1]!.messages[0]).toContain('must be a range such as "6..7", "6.." or "..7"');
  });

  it("of several models counts over all of them", async () => {
    const body = await search("", "/api/search/");
    expect(body.hits.total).toBe(7);
    const sum = bucketsOf(body, "instrument").reduce((total, [, count]) => total + Number(count), 0);
    expect(sum).toBe(7);
  });

  it("of a vocabulary counts and filters its items", async () => {
    const path = "/api/vocabularies/instruments";
    const all = await bindery.client.get<SearchBody<ItemShape>>(`${path}?s=1000`);
    const techniques = all.body.hits.hits.map(({ props }) => props.technique);
    const mst = techniques.filter((technique) => technique === "MST").length;
    expect(bucketsOf(all.body, "technique")).toContainEqual(["MST", mst]);
    const filtered = await bindery.client.get<SearchBody<ItemShape>>(`${path}?technique=MST&q=monolith`);
    expect(filtered.body.hits.total).toBeGreaterThan(0);
    expect(filtered.body.hits.total).toBeLessThanOrEqual(mst);
    for (const { props } of filtered.body.hits.hits) expect(props.technique).toBe("MST");
  });
});
