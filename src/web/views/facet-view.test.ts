import { describe, expect, it } from "vitest";
import type { Bucket } from "../../core/answers/searches.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import { chipsOf, facetViews } from "./facet-view.js";
import { SearchAddress } from "./page-addresses.js";

const bucket = (key: string, count: number, more: Partial<Bucket> = {}): Bucket => ({
  key,
  label: key,
  doc_count: count,
  is_selected: false,
  ...more,
});
const ph: SearchedFacet = {
  name: "ph",
  label: "pH",
  kind: "histogram",
  scale: "linear",
  edges: [4, 5, 6, 7],
  paths: [],
  vocabularies: [],
};
const year: SearchedFacet = { name: "year", label: "Year", kind: "year", paths: [], vocabularies: [] };
const country: SearchedFacet = { name: "country", label: "Country", kind: "terms", paths: [], vocabularies: [] };
const address = SearchAddress.of(
  "search",
  new Map([
    ["q", ["a OR b"]],
    ["page", ["3"]],
    ["ph", ["5..6"]],
  ]),
);
/** All of them open. */
const look = { address, first: ["ph", "year", "country", "organism"] };

describe("a histogram", () => {
  const buckets = [bucket("5..6", 2, { from: 5, to: 6, is_selected: true }), bucket("7..", 9, { from: 7 })];
  const aggregations = { ph: { label: "pH", type: "histogram" as const, buckets, other: 0 } };
  const [view] = facetViews([ph], aggregations, look);

  it("has a bar for each range, also for those without hits, but none beyond the edges", () => {
    expect(view!.bars!.map(({ from, count }) => [from, count])).toEqual([
      [4, 0],
      [5, 2],
      [6, 0],
      [7, 9],
    ]);
  });

  it("sets a filter, and takes it away where it is set; both on the first page", () => {
    const pages = view!.bars!.map(({ page }) => page);
    expect(pages).toEqual([undefined, "search?q=a+OR+b", undefined, "search?q=a+OR+b&ph=5..6&ph=7.."]);
    expect(view!.isOpen).toBe(true);
  });
});

describe("years", () => {
  const draw = (...years: string[]) => {
    const buckets = years.map((key) => bucket(key, 1, { from: `${key}-01-01` }));
    const aggregations = { year: { label: "Year", type: "year" as const, buckets, other: 0 } };
    return facetViews([year], aggregations, look)[0]!.bars!.map(({ label }) => label);
  };

  it("stand in their order, with those between", () => {
    expect(draw("2024", "2021")).toEqual(["2021", "2022", "2023", "2024"]);
  });

  it("that are far apart stand alone", () => {
    expect(draw("2024", "0224")).toHaveLength(2);
  });
});

it("puts values of a tree below the nearest one that is listed", () => {
  const buckets = [bucket("a", 3), bucket("b", 2, { parent: "a" }), bucket("c", 1, { parent: "not listed" })];
  const [view] = facetViews([country], { country: { label: "Country", type: "terms", buckets, other: 4 } }, look);
  expect(view!.values.map(({ key, below }) => [key, below.map((each) => each.key)])).toEqual([
    ["a", ["b"]],
    ["c", []],
  ]);
  expect(view!.other).toBe(4);
  const page = "search?q=a+OR+b&ph=5..6&facets=country&facet_size=1000";
  expect(view!.all).toEqual({ page, count: undefined });
});

describe("a facet that does not list all of its values", () => {
  const organism: SearchedFacet = {
    name: "organism",
    label: "Organism",
    kind: "tree",
    vocabulary: "organisms",
    paths: [],
    vocabularies: ["organisms"],
  };
  const asked = SearchAddress.of(
    "search",
    new Map([
      ["organism", ["a", "z"]],
      ["facets", ["organism"]],
      ["facet_below", ["old"]],
    ]),
  );
  const viewOf = (facet: SearchedFacet, buckets: readonly Bucket[], other: number, counting = {}) =>
    facetViews(
      [facet],
      { [facet.name]: { label: facet.label, type: facet.kind, buckets, other } },
      { ...look, address: asked, counting },
    )[0]!;

  it("has a form that finds others, which keeps what is set and no earlier listing", () => {
    const pairs = [
      ["organism", "a"],
      ["organism", "z"],
      ["facets", "organism"],
    ];
    expect(viewOf(organism, [bucket("a", 3)], 4).find).toEqual(pairs);
    expect(viewOf(organism, [bucket("a", 3)], 0).find).toBeUndefined();
    expect(viewOf(organism, [bucket("a", 3)], 0, { text: "a" }).find).toEqual(pairs);
  });

  it("takes away a value that is set, and keeps the others, also those that are not listed", () => {
    const set = { is_selected: true };
    const withoutOf = (...buckets: readonly Bucket[]) =>
      viewOf(organism, buckets, 0, { text: "a" }).values.map(({ without }) => without);
    expect(withoutOf(bucket("a", 3, set), bucket("b", 3))).toEqual([[["organism", "z"]], undefined]);
  });

  it("leads, as a tree, to what is below a value, unless it is known that there is no more", () => {
    const to = "search?organism=a&organism=z&facets=organism&facet_below=";
    const opensOf = (...asked: Parameters<typeof viewOf>) => viewOf(...asked).values.map(({ opens }) => opens);
    const buckets = [bucket("a", 3, { has_below: true }), bucket("b", 2)];
    expect(opensOf(organism, buckets, 4)).toEqual([`${to}a`, `${to}b`]);
    expect(opensOf(organism, buckets, 0, { below: "top" })).toEqual([`${to}a`, undefined]);
    expect(opensOf(organism, buckets, 0)).toEqual([undefined, undefined]);
    expect(opensOf(country, buckets, 4)).toEqual([undefined, undefined]);
  });
});

it("shows the facets that come first in their order, open, and none without a value", () => {
  const filled = { label: "x", type: "terms" as const, buckets: [bucket("a", 1)], other: 0 };
  const aggregations = {
    ph: { ...filled, type: "histogram" as const },
    country: filled,
    year: { ...filled, buckets: [] },
  };
  const views = facetViews([ph, year, country], aggregations, {
    address: address.without(new Set(["ph"])),
    first: ["country"],
  });
  expect(views.map(({ name, isOpen }) => [name, isOpen])).toEqual([
    ["country", true],
    ["ph", false],
  ]);
});

describe("a facet that is closed", () => {
  const closed = { address, first: [] };
  const buckets = [bucket("a", 1), bucket("b", 1)];
  const viewOf = (other: number) => {
    const aggregations = { country: { label: "Country", type: "terms" as const, buckets, other } };
    const [view] = facetViews([country], aggregations, closed);
    return view!;
  };

  it("has no values, but the page that shows it open", () => {
    const page = "search?q=a+OR+b&ph=5..6&facets=country";
    expect(viewOf(0)).toMatchObject({ isOpen: false, values: [], later: page });
    expect(viewOf(0).find).toBeUndefined();
    const opened = { country: { label: "Country", type: "terms" as const, buckets, other: 0 } };
    const [view] = facetViews([country], opened, { ...closed, counting: { names: ["country"] } });
    expect(view).toMatchObject({ isOpen: true, values: [{ key: "a" }, { key: "b" }] });
  });

  it("has the form that finds others of its values, where not all of them will be listed", () => {
    expect(viewOf(3).find).toContainEqual(["facets", "country"]);
  });
});

describe("a filter that is set", () => {
  const chip = (facet: SearchedFacet, key: string, q = "a OR b", more: Partial<Bucket> = {}) => {
    const asked = SearchAddress.of(
      "search",
      new Map([
        ["q", [q]],
        [facet.name, [key]],
      ]),
    );
    const aggregations = {
      [facet.name]: { label: facet.label, type: facet.kind, buckets: [bucket(key, 1, more)], other: 0 },
    };
    return chipsOf([facet], aggregations, { address: asked, filters: { [facet.name]: [key] } })[0]!;
  };

  it("is turned round by its opposite in the query, whose alternatives stay together", () => {
    expect(chip(country, 'Côte "d"').excluded).toBe("search?q=(a+OR+b)+-country%3A%22C%C3%B4te+%5C%22d%5C%22%22");
    expect(chip(year, "2024", "a").excluded).toBe("search?q=a+-year%3A2024");
    expect(chip(ph, "5..6", "", { from: 5, to: 6 }).excluded).toBe("search?q=-ph%3A%5B5+TO+6%7D");
    expect(chip(ph, "7..", "", { from: 7 }).excluded).toBe("search?q=-ph%3A%5B7+TO+*%7D");
  });

  it("is taken away alone", () => {
    expect(chip(year, "2024").removed).toBe("search?q=a+OR+b");
  });
});

describe("values of old records, which may be long,", () => {
  const long = "x".repeat(3_000);
  const counted = (key: string) => ({
    country: { label: "Country", type: "terms" as const, buckets: [bucket(key, 1)], other: 0 },
  });

  it("are shown by their beginning, in facets and chips", () => {
    const [view] = facetViews([country], counted(long), look);
    expect(view!.values.map(({ key, label }) => [key, label])).toEqual([[long, `${"x".repeat(1_000)}…`]]);
    const [chip] = chipsOf([country], counted(long), { address, filters: { country: [long] } });
    expect(chip!.label).toBe(`${"x".repeat(1_000)}…`);
  });

  it("are left out if no parameter can hold them", () => {
    const [view] = facetViews([country], counted("x".repeat(100_000)), look);
    expect(view!.values).toEqual([]);
  });
});
