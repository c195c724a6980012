import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Problem, RecordShape, SearchBody } from "../support/http-client.js";
import { publishKds } from "../support/kd-records.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;

beforeAll(async () => {
  bindery = await startService();
  const { client } = await bindery.user("alice");
  await publishKds(client, [
    ["taxid:9606", 5, "nM"],
    ["taxid:9606", 50, "nM"],
    ["taxid:10090", 0.5, "µM"],
    ["taxid:562", 5, "µM"],
    ["taxid:562", 1, "mM"],
  ]);
});
afterAll(() => bindery.dispose());

const countsIn = async (query: string, path = "/api/search") => {
  const { status, body, text } = await bindery.client.get<SearchBody<RecordShape>>(`${path}?${query}`);
  expect(status, text.slice(0, 300)).toBe(200);
  return body.aggregations!;
};

const shown = ({ buckets }: { buckets: readonly { label: string; doc_count: number }[] }) =>
  buckets.map(({ label, doc_count }) => [label, doc_count]);

describe("the facets that are counted", () => {
  it("are those that are named, each with what it counts otherwise", async () => {
    const all = await countsIn("");
    const some = await countsIn("facets=kd&facets=organism");
    expect(Object.keys(some)).toEqual(["organism", "kd"]);
    expect(some).toEqual({ organism: all.organism, kd: all.kd });
    expect(Object.keys(await countsIn("facets=rank", "/api/vocabularies/organisms"))).toEqual(["rank"]);
  });

  it("are counted without a filter of their own, and filter where they are not counted", async () => {
    const { organism } = await countsIn("facets=organism&kd=..100nM&organism=taxid:562");
    expect(shown(organism!)).toContainEqual(["Homo sapiens", 2]);
    expect(shown(organism!)).toContainEqual(["Escherichia coli", 0]);
  });

  it("have names: others are refused with the list of them", async () => {
    const { status, body } = await bindery.client.get<Problem>("/api/vocabularies/organisms?facets=ranks");
    expect(status).toBe(400);
    expect(body.errors![0]).toMatchObject({ field: "facets", value: "ranks", allowed: ["none", "rank"] });
  });
});

describe("buckets by what somebody types", () => {
  it("are found by the words of a title, the last one unfinished, by a synonym and by the key", async () => {
    const labels = async (text: string) =>
      shown((await countsIn(`facets=organism&facet_text=${encodeURIComponent(text)}`)).organism!);
    expect(await labels("homo sap")).toEqual([["Homo sapiens", 2]]);
    expect(await labels("E. coli")).toEqual([["Escherichia coli", 2]]);
    expect(await labels("taxid:562")).toEqual([["Escherichia coli", 2]]);
    expect(await labels("bacteria")).toEqual([["Bacteria", 2]]);
    expect(await labels("saccharomyces")).toEqual([]);
    expect((await labels("...")).length).toBeGreaterThan(2);
  });

  it("are found by their own names where they have no titles", async () => {
    const { result_type } = await countsIn("facets=result_type&facet_text=dissoc");
    expect(shown(result_type!)).toEqual([["Constant of dissociation KD", 5]]);
    expect(shown((await countsIn("facets=result_type&facet_text=enthalpy")).result_type!)).toEqual([]);
  });

  it("are as many as asked for, and the others are summed up", async () => {
    const { organism } = await countsIn("facets=organism&facet_text=mammal&facet_size=1");
    expect(organism!.buckets.length).toBeLessThanOrEqual(1);
    const names = await countsIn("facets=technique&facet_text=microscale&facet_size=1");
    expect(names.technique).toMatchObject({ buckets: [{ doc_count: 5 }], other: 0 });
  });
});

describe("buckets below one of a tree", () => {
  it("are the nearest that tell something, each with whether more are below it", async () => {
    const below = async (key: string) =>
      (await countsIn(`facets=organism&facet_below=${key}`)).organism!.buckets.map(
        ({ label, doc_count, has_below = false }) => [label, doc_count, has_below],
      );
    expect(await below("taxid:314146")).toEqual([
      ["Homo sapiens", 2, false],
      ["Mus musculus", 1, false],
    ]);
    expect(await below("taxid:131567")).toEqual([
      ["Euarchontoglires", 3, true],
      ["Escherichia coli", 2, false],
    ]);
    expect(await below("taxid:562")).toEqual([]);
    expect(await below("taxid:999999999")).toEqual([]);
  });
});

describe("a histogram in equal steps", () => {
  it("has as many as asked for between the extremes, on the scale of the facet, with the empty ones", async () => {
    const { kd, ph } = await countsIn("facet_bins=kd:3&facet_bins=ph:1");
    expect(kd!.buckets.map(({ key, doc_count }) => [key, doc_count])).toEqual([
      ["5e-9..2.92e-7", 2],
      ["2.92e-7..1.71e-5", 2],
      ["1.71e-5..1.01e-3", 1],
    ]);
    expect(kd).toMatchObject({ type: "histogram", unit: "M", scale: "log", min: 5e-9, max: 1e-3, other: 0 });
    expect(ph!.buckets).toHaveLength(1);
    const all = (await countsIn("facets=kd&facet_bins=kd:200")).kd!.buckets;
    expect(all).toHaveLength(200);
    expect(all.filter(({ doc_count }) => doc_count > 0)).toHaveLength(5);
  });

  it("filters by the keys of its steps, which stay as they are", async () => {
    const own = await countsIn("facets=kd&facet_bins=kd:3&kd=5e-9..2.92e-7");
    expect(own.kd!.buckets.map(({ is_selected }) => is_selected)).toEqual([true, false, false]);
  });
});
