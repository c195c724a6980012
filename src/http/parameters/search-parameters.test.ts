import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { BinderyError } from "../../core/errors.js";
import type { Issue } from "../../core/issue.js";
import { makeRecordFacets, makeTermFacets } from "../../services/search/facets.js";
import { makeRecordSorts } from "../../services/search/record-sorts.js";
import { searchLinks } from "../answers/search-answers.js";
import { readRecordSearch, readTermSearch, type SearchParameters } from "./search-parameters.js";
import { parseQueryString, type Query } from "./url-encoding.js";

const catalog = builtInCatalog();
const recordsOf = (model: string | undefined, own: boolean) => (query: Query) =>
  readRecordSearch(query, catalog, {
    model,
    own,
    facets: makeRecordFacets(catalog)(model, own),
    sorts: makeRecordSorts(catalog)(model),
  });
const RECORDS = recordsOf("mst", false);
const OWN = recordsOf(undefined, true);
const termsOf = (name: string) => (query: Query) =>
  readTermSearch(query, catalog.vocabularies.get(name)!, makeTermFacets(catalog)(name));
const ORGANISMS = termsOf("organisms");
const GRANTS = termsOf("grants");

type Search = (query: Query) => SearchParameters;
const read = (query: string, search: Search = RECORDS) => search(parseQueryString(query));

function refusal(query: string, search: Search = RECORDS): { code: string; issues: readonly Issue[] } {
  try {
    read(query, search);
  } catch (error) {
    if (error instanceof BinderyError) return error;
    throw error;
  }
  throw new Error(`${query} was not refused.`);
}

describe("the parameters of a search", () => {
  it("has the defaults of the core interface", () => {
    expect(read("")).toEqual({
      request: {
        q: "",
        window: { page: 1, size: 10 },
        filters: {},
        facetSize: 20,
        lang: "en",
        highlight: false,
        model: "mst",
        own: false,
        allVersions: false,
        everyone: false,
        stale: false,
        shared: false,
      },
      carried: [],
      sizeName: "size",
      warnings: [],
      result: {},
    });
  });

  it("reads whether hits are highlighted, and carries it on", () => {
    expect(read("highlight=1").request.highlight).toBe(true);
    expect(read("highlight=false").request.highlight).toBe(false);
    expect(read("highlight=true").carried).toEqual([["highlight", "true"]]);
  });

  it("reads both spellings of page and size alike", () => {
    const wanted = { page: 3, size: 25 };
    for (const query of ["p=3&s=25", "page=3&size=25", "page=3&p=3&s=25&size=25"]) {
      expect(read(query).request.window).toEqual(wanted);
    }
  });

  it.each([
    ["p=0", "p", "PARAMETER_INVALID"],
    ["page=-1", "page", "PARAMETER_INVALID"],
    ["s=", "s", "PARAMETER_INVALID"],
    ["s=1e3", "s", "PARAMETER_INVALID"],
    ["s=%2B1", "s", "PARAMETER_INVALID"],
    ["s=1.0", "s", "PARAMETER_INVALID"],
    ["p=1&page=2", "page", "PARAMETERS_CONFLICT"],
    ["q=a&q=b", "q", "PARAMETER_REPEATED"],
    ["sort=title", "sort", "PARAMETER_INVALID"],
    ["l=grid", "l", "PARAMETER_INVALID"],
    ["facets=all", "facets", "PARAMETER_INVALID"],
    ["facet_size=1001", "facet_size", "PARAMETER_INVALID"],
    ["lang=e%20n", "lang", "PARAMETER_INVALID"],
    ["highlight=yes", "highlight", "PARAMETER_INVALID"],
    ["highlight=", "highlight", "PARAMETER_INVALID"],
    ["cursor=*&p=1", "cursor", "PARAMETERS_CONFLICT"],
    ["q=a&suggest=b", "suggest", "PARAMETERS_CONFLICT"],
  ])("refuses ?%s, naming %s (%s)", (query, field, code) => {
    const refused = refusal(query);
    expect(refused.code).toBe("PARAMETER_INVALID");
    expect(refused.issues).toEqual([expect.objectContaining({ field, pointer: `/${field}`, code })]);
  });

  it("names all problems at once", () => {
    expect(refusal("p=x&s=y&sort=z").issues.map(({ field }) => field)).toEqual(["sort", "p", "s"]);
  });

  it("refuses pages of records that are too large, and pages beyond the window", () => {
    expect(refusal("s=1001")).toMatchObject({ code: "PAGE_SIZE_TOO_LARGE", issues: [{ field: "s", value: "1001" }] });
    expect(refusal("page=11&size=1000")).toMatchObject({ code: "PAGE_WINDOW_EXCEEDED", issues: [{ field: "page" }] });
    expect(refusal(`p=${"9".repeat(400)}`)).toMatchObject({ code: "PAGE_WINDOW_EXCEEDED", issues: [{ field: "p" }] });
    expect(read("page=10&size=1000").request.window).toEqual({ page: 10, size: 1000 });
  });

  it("leaves a large page of items to the service, which reduces it", () => {
    expect(read("size=1000000", ORGANISMS).request.window.size).toBe(1_000_000);
  });

  it("says what of the facets is counted and listed", () => {
    const countingOf = (query: string, search = RECORDS) => read(query, search).request.counting;
    expect(countingOf("facets=kd&facets=ph")).toEqual({ names: ["kd", "ph"] });
    expect(countingOf("facets=organism&facet_text=esch")).toEqual({ names: ["organism"], text: "esch" });
    expect(countingOf("facets=organism&facet_below=taxid:2")).toEqual({ names: ["organism"], below: "taxid:2" });
    expect(countingOf("facet_bins=kd:12&facet_bins=ph:200")).toEqual({ steps: { kd: 12, ph: 200 } });
    expect(countingOf("facet_text=&facet_below=&facets=")).toBeUndefined();
    expect(read("facets=none").request.facetSize).toBe(0);
    expect(read("facets=rank", ORGANISMS).request.counting).toEqual({ names: ["rank"] });
    expect(read("facets=kd&facet_bins=kd:12").carried).toEqual([
      ["facets", "kd"],
      ["facet_bins", "kd:12"],
    ]);
  });

  it.each([
    ["facets=kdd", /^The parameter "facets" must be none or names of facets \(access_rights, .*kd.*\), not "kdd"\.$/],
    ["facet_text=a", /^"facet_text" goes with the name of exactly one facet in "facets" \(access_rights,/],
    ["facets=kd&facets=ph&facet_text=a", /^"facet_text" goes with the name of exactly one facet/],
    ["facets=none&facet_text=a", /^"facet_text" goes with/],
    [
      "facets=kd&facet_below=a",
      /^"facet_below" goes with the name of exactly one facet of the type tree in "facets" \(organism\)/,
    ],
    ["facets=organism&facet_text=a&facet_below=b", /^Send "facet_text" or "facet_below", not both\.$/],
    [
      "facet_bins=kd:0",
      /^The parameter "facet_bins" must be the name of a histogram \(ph, kd.*\) and a number of steps from 1 to 200/,
    ],
    ["facet_bins=kd:201", /from 1 to 200, such as "ph:24", not "kd:201"\.$/],
    ["facet_bins=organism:5", /not "organism:5"/],
    ["facet_bins=kd", /not "kd"/],
  ])("refuses %s", (query, message) => {
    const { code, issues } = refusal(query);
    expect(code).toBe("PARAMETER_INVALID");
    expect(issues.map(({ messages }) => messages[0])).toEqual([expect.stringMatching(message)]);
  });

  it("sorts records by any number, date or quantity, in both directions", () => {
    for (const sort of ["kd", "-kd", "temperature", "-affinity", "collected", "KD", "oldest"]) {
      expect(read(`sort=${sort}`).request.sort).toBe(sort);
    }
    const { issues } = refusal("sort=title");
    const message = issues[0]!.messages[0]!;
    expect(message).toContain('The parameter "sort" must be newest or oldest or bestmatch, or one of created,');
    expect(message).toContain("kd, ka, ec50");
    expect(message).toContain('("-temperature": the largest first), not "title".');
    expect(issues[0]!.allowed).toEqual(expect.arrayContaining(["newest", "kd", "temperature", "concentration"]));
    expect(issues[0]!.allowed).not.toContain("organism");
  });

  it("takes ids of records and of terms", () => {
    expect(read("ids=a&ids=b").ids).toEqual(["a", "b"]);
    expect(read("ids=a", ORGANISMS).ids).toEqual(["a"]);
    expect(refusal("ids=a&q=b").issues[0]!.code).toBe("PARAMETERS_CONFLICT");
  });

  it("takes facets as repeatable filters, and leaves out empty ones", () => {
    const { request, carried } = read("instrument=ins:2&instrument=ins:1&access_rights=");
    expect(request.filters).toEqual({ instrument: ["ins:2", "ins:1"] });
    expect(carried).toContainEqual(["instrument", "ins:1"]);
  });

  it("filters by a hundred values at most, of all facets together", () => {
    const years = (count: number) => Array.from({ length: count }, (_, i) => `year=${1900 + i}`).join("&");
    expect(read(`organism=x&${years(99)}`).request.filters.year).toHaveLength(99);
    const { code, issues } = refusal(`organism=x&${years(100)}`);
    expect([code, issues.map(({ field }) => field)]).toEqual(["PARAMETER_INVALID", ["year"]]);
    expect(issues[0]!.messages[0]).toContain("at most 100 values, not 101");
  });

  it("spells ranges with units as canonical numbers, also in links", () => {
    const { request, carried } = read("kd=0.3nM..20nM&kd=1pM..10pM&year=2020..2024");
    expect(request.filters).toEqual({ kd: ["3e-10..2e-8", "1e-12..1e-11"], year: ["2020..2024"] });
    expect(carried).toEqual([
      ["year", "2020..2024"],
      ["kd", "3e-10..2e-8"],
      ["kd", "1e-12..1e-11"],
    ]);
  });

  it("takes of years and histograms keys and ranges, and of terms any text", () => {
    const { filters } = read("year=2024&year=1969&ph=7..8&ph=10..&organism=x&technique=2024-05").request;
    expect(filters).toMatchObject({ year: ["2024", "1969"], ph: ["7..8", "10.."], organism: ["x"] });

    const { code, issues } = refusal("year=2024&year=last&ph=7.5&page=0");
    expect(code).toBe("PARAMETER_INVALID");
    expect(issues.map(({ field, value }) => [field, value])).toEqual([
      ["page", "0"],
      ["year", "last"],
      ["ph", "7.5"],
    ]);
    expect(issues.map(({ messages }) => messages[0])).toEqual([
      expect.stringContaining('"page"'),
      'The parameter "year" must be a year such as "2024", or a range of years or days such as "2020..2024", ' +
        '"2024-05-17.." or "..2020", not "last".',
      'The parameter "ph" must be a range such as "6..7", "6.." or "..7" (the upper end is left out), not "7.5".',
    ]);
  });

  it("filters by state in the user scopes only", () => {
    expect(read("state=draft&is_published=0", OWN).request.filters).toEqual({
      state: ["draft"],
      is_published: ["false"],
    });
    for (const name of ["state", "is_draft"]) {
      const { request, carried, warnings } = read(`${name}=1`);
      expect(request.filters).toEqual({});
      expect(carried).toEqual([]);
      expect(warnings).toMatchObject([{ code: "UNKNOWN_PARAMETER", parameter: name }]);
    }
  });

  it("takes any state, as any key of a facet, and refuses an empty cursor before anything is searched", () => {
    expect(read("state=draft&state=publishd", OWN).request.filters).toEqual({ state: ["draft", "publishd"] });
    const messagesOf = (query: string) => refusal(query, OWN).issues.map(({ messages }) => messages[0]);
    expect(messagesOf("cursor=")).toEqual(['Start with cursor=*; "cursor" cannot be empty.']);
  });

  it("warns of parameters that it does not know, and leaves them out of links", () => {
    const { warnings, carried } = read("siez=5&instrment=ins:2&colour=red&q=a");
    expect(warnings.map(({ parameter, nearest }) => [parameter, nearest?.[0]])).toEqual([
      ["siez", "size"],
      ["instrment", "instrument"],
      ["colour", undefined],
    ]);
    expect(carried).toEqual([["q", "a"]]);
  });

  it("says a warning for a few of thousands of unknown parameters", () => {
    const query = Array.from({ length: 5_000 }, (_, i) => `x${i}=1`).join("&");
    expect(read(query).warnings).toHaveLength(20);
  });

  it("knows ids and a hierarchy where there are some", () => {
    const place = read("parent=taxid:1&ancestor=taxid:2", ORGANISMS);
    expect(place).toMatchObject({ request: { parent: "taxid:1", ancestor: "taxid:2" }, warnings: [] });
    expect(ORGANISMS(parseQueryString("ids=a&ids=b")).ids).toEqual(["a", "b"]);
    expect(read("parent=x", GRANTS).warnings).toHaveLength(1);
    expect(refusal("ids=a&q=b", ORGANISMS).issues).toMatchObject([{ field: "q", code: "PARAMETERS_CONFLICT" }]);
    expect(refusal(Array(201).fill("ids=a").join("&"), ORGANISMS).issues).toMatchObject([{ field: "ids" }]);
  });
});

describe("searchLinks", () => {
  const links = (query: string, found: { total: number; size?: number; sortBy?: string; next?: string }) => {
    const parameters = read(query);
    const { size } = parameters.request.window;
    return searchLinks({ url: "u", parameters, size, sortBy: "newest", ...found }).links;
  };

  it("spells page, size and sort, in alphabetical order with all others", () => {
    expect(links("s=5&q=a+b&instrument=ins:2&l=list", { total: 1, sortBy: "bestmatch" })).toEqual({
      self: "u?instrument=ins%3A2&l=list&page=1&q=a%20b&size=5&sort=bestmatch",
    });
  });

  it("leads to the pages before and after, as they are there", () => {
    expect(links("", { total: 11, next: "c" })).toEqual({
      self: "u?page=1&size=10&sort=newest",
      next: "u?page=2&size=10&sort=newest",
    });
    expect(Object.keys(links("p=2", { total: 20 }))).toEqual(["self", "prev"]);
    expect(Object.keys(links("p=9", { total: 0 }))).toEqual(["self", "prev"]);
  });

  it("goes on by cursor where the window of pages ends", () => {
    expect(links("p=10&s=1000", { total: 20_000, next: "c=1" }).next).toBe("u?cursor=c%3D1&size=1000&sort=newest");
    expect(links("p=2&s=900", { total: 20_000, size: 4_000, next: "c" }).next).toContain("cursor=c");
    expect(links("p=9&s=1000", { total: 20_000, next: "c" }).next).toContain("page=10");
    expect(links("p=10&s=1000", { total: 10_000 })).not.toHaveProperty("next");
  });

  it("stays with the cursor once there is one", () => {
    expect(links("cursor=*&s=2", { total: 9, next: "n" })).toEqual({
      self: "u?cursor=*&size=2&sort=newest",
      next: "u?cursor=n&size=2&sort=newest",
    });
    expect(links("cursor=n", { total: 9 })).not.toHaveProperty("next");
  });
});
