import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyOf, type OpenServices, openServices, refusalOf } from "../../../test/support/open-services.js";
import { makeRecord } from "../../../test/support/records.js";
import { type Actor, ANONYMOUS } from "../../core/actor.js";
import type { RecordSearchRequest, SearchAnswer, TermSearchRequest } from "../api/searches.js";

let bindery: OpenServices;
let alice: Actor;
/** Ids of alice's records in order of creation: even ones published, odd ones drafts. */
const published: string[] = [];
const drafts: string[] = [];

beforeAll(async () => {
  bindery = await openServices();
  alice = await bindery.actor("alice", "records:write");
  for (let n = 0; n < 12; n++) {
    const body = JSON.stringify(makeRecord(n, { title: `Binding of zymosan number ${n}` }));
    const { id } = bodyOf(await bindery.createDraft(alice, "mst", body));
    if (n % 2 === 1) drafts.push(id);
    else published.push((await bindery.publishDraft(alice, { model: "mst", id })).record.id);
  }
});
afterAll(() => bindery.dispose());

const PLAIN = { window: { size: 10 }, filters: {}, facetSize: 0, lang: "en" };
const records = (request: Partial<RecordSearchRequest> = {}, actor: Actor = ANONYMOUS) =>
  bindery.searchRecords(actor, { ...PLAIN, own: false, ...request });
const terms = (vocabulary: string, request: Partial<TermSearchRequest> = {}) =>
  bindery.searchTerms(ANONYMOUS, { ...PLAIN, vocabulary, ...request });
const idsOf = (answer: SearchAnswer<{ readonly id: string }>): string[] => answer.hits.map(({ id }) => id);
const newestFirst = (ids: readonly string[]): string[] => [...ids].reverse();

describe("searching records", () => {
  it("finds the published ones, newest first where nothing is asked", async () => {
    const all = await records();
    expect(idsOf(all)).toEqual(newestFirst(published));
    expect(all).toMatchObject({ total: 6, size: 10, sortBy: "newest", query: { parsed: "", fallback: false } });
    expect(all.aggregations).toBeUndefined();
    expect(all).not.toHaveProperty("next");
    expect(idsOf(await records({ sort: "oldest" }))).toEqual(published);
    expect((await records({ model: "itc" })).total).toBe(0);
    expect((await records({ sort: "bestmatch", q: " " })).sortBy).toBe("newest");
  });

  it("sorts by best match where something is asked", async () => {
    const answer = await records({ q: '"zymosan number 4"' });
    expect(answer).toMatchObject({ total: 1, sortBy: "bestmatch", query: { parsed: '"zymosan number 4"' } });
    expect(idsOf(answer)).toEqual([published[2]]);
    expect((await records({ q: published[3]!.toUpperCase() })).hits[0]!.id).toBe(published[3]);
  });

  it("reads suggest as raw text whose last word is a prefix", async () => {
    expect((await records({ suggest: "number zymos" })).total).toBe(6);
    expect((await records({ suggest: "... " })).total).toBe(6);
    expect((await refusalOf(records({ suggest: "a", q: "b" }))).issues).toMatchObject([
      { code: "PARAMETERS_CONFLICT", field: "suggest" },
    ]);
  });

  it("says how it read text that is no query", async () => {
    const answer = await records({ q: '"zymosan AND (' });
    expect(answer.query.fallback).toBe(true);
    expect(answer.warnings.length).toBeGreaterThan(0);
    const within = await records({ q: "organism.within:taxid:562" });
    expect(within).toMatchObject({ query: { fallback: false }, warnings: [] });
    const fuzzy = await records({ q: "zymosam~" });
    expect(fuzzy).toMatchObject({ total: 6, query: { parsed: "zymosam~", fallback: false }, warnings: [] });
  });

  it("shows in the user scope what the caller owns, drafts in place of records", async () => {
    const mine = await records({ own: true, facetSize: 20, window: { size: 20 } }, alice);
    expect(new Set(idsOf(mine))).toEqual(new Set([...drafts, ...published]));
    expect(mine.aggregations!.state!.buckets).toEqual([
      { key: "draft", label: "draft", doc_count: 6, is_selected: false },
      { key: "published", label: "published", doc_count: 6, is_selected: false },
    ]);
    const filtered = (filters: Record<string, string[]>) => records({ own: true, filters }, alice);
    expect(new Set(idsOf(await filtered({ state: ["draft"] })))).toEqual(new Set(drafts));
    expect(new Set(idsOf(await filtered({ is_draft: ["false"] })))).toEqual(new Set(published));
    expect(new Set(idsOf(await filtered({ is_published: ["true"] })))).toEqual(new Set(published));
    expect((await filtered({ is_draft: ["true"], is_published: ["true"] })).total).toBe(0);
    expect((await refusalOf(filtered({ is_draft: ["yes"] }))).issues).toMatchObject([{ field: "is_draft" }]);
    const bob = await bindery.actor("bob", "admin");
    expect((await records({ own: true }, bob)).total).toBe(0);
  });

  it("asks for a token, then the model, then the scope", async () => {
    const curator = await bindery.actor("curator", "vocabularies:write");
    expect((await refusalOf(records({ own: true, model: "x" }))).code).toBe("TOKEN_MISSING");
    expect((await refusalOf(records({ own: true, model: "x" }, curator))).code).toBe("MODEL_NOT_FOUND");
    expect((await refusalOf(records({ own: true }, curator))).code).toBe("SCOPE_MISSING");
    expect((await records({}, curator)).total).toBe(6);
  });
});

describe("facets", () => {
  it("are labelled by the titles of their terms and count over all hits", async () => {
    const { aggregations } = await records({ facetSize: 20, window: { size: 1 } });
    const instrument = aggregations!.instrument!;
    expect(instrument.label).toBe("Instrument");
    expect(instrument.buckets.reduce((sum, { doc_count }) => sum + doc_count, instrument.other)).toBe(6);
    for (const { key, label } of instrument.buckets) {
      const item = await bindery.readTerm("instruments", key);
      expect(item.kind === "found" && item.term.json).toContain(JSON.stringify(label));
    }
    expect(aggregations).not.toHaveProperty("state");
  });

  it("filter, and keep their own counts", async () => {
    const open = (await records({ facetSize: 20 })).aggregations!.instrument!.buckets;
    const { key, doc_count } = open[0]!;
    const chosen = await records({ facetSize: 20, filters: { instrument: [key, key], nofacet: ["x"] } });
    expect(chosen.total).toBe(doc_count);
    expect(chosen.aggregations!.instrument!.buckets).toEqual(
      open.map((bucket) => ({ ...bucket, is_selected: bucket.key === key })),
    );
    expect((await records({ filters: { instrument: ["ins:none"] } })).total).toBe(0);
  });
});

describe("pages", () => {
  it("go on by cursor without a repeat or a gap, in every sort", async () => {
    for (const request of [{ sort: "newest" }, { sort: "oldest" }, { q: "zymosan" }, { suggest: "zymo" }]) {
      const seen: string[] = [];
      for (let cursor: string | undefined = "*"; cursor !== undefined; ) {
        const page: Awaited<ReturnType<typeof records>> = await records({ ...request, window: { size: 4, cursor } });
        expect(page.total).toBe(6);
        seen.push(...idsOf(page));
        cursor = page.next;
      }
      expect(seen, JSON.stringify(request)).toEqual(idsOf(await records(request)));
    }
  });

  it("by number follow those by cursor, carry no cursor, and are empty past the end", async () => {
    const first = await records({ window: { size: 4, cursor: "*" } });
    expect(await records({ window: { size: 4, page: 1 } })).not.toHaveProperty("next");
    const second = await records({ window: { size: 4, cursor: first.next! } });
    expect(idsOf(second)).toEqual(idsOf(await records({ window: { size: 4, page: 2 } })));
    const past = await records({ window: { size: 4, page: 3 } });
    expect(past).toMatchObject({ hits: [], total: 6 });
    const other = await refusalOf(records({ sort: "oldest", window: { size: 4, cursor: first.next! } }));
    expect(other.code).toBe("CURSOR_INVALID");
  });

  it("have limits", async () => {
    const refused = (window: RecordSearchRequest["window"]) => refusalOf(records({ window }));
    expect(await refused({ size: 1001 })).toMatchObject({ code: "PAGE_SIZE_TOO_LARGE", params: { max: 1000 } });
    expect((await records({ window: { size: 1000, page: 10 } })).hits).toEqual([]);
    expect((await refused({ size: 1000, page: 11 })).code).toBe("PAGE_WINDOW_EXCEEDED");
    expect((await refused({ size: 1, page: 10_001 })).code).toBe("PAGE_WINDOW_EXCEEDED");
    expect((await refused({ size: 1, cursor: "x" })).code).toBe("CURSOR_INVALID");
    expect((await refusalOf(records({ sort: "title" }))).issues).toMatchObject([
      { field: "sort", value: "title", allowed: ["newest", "oldest", "bestmatch"] },
    ]);
  });
});

describe("searching a vocabulary", () => {
  it("goes by title where nothing is asked, else by best match", async () => {
    const all = await terms("products", { window: { size: 3 } });
    expect(all).toMatchObject({ sortBy: "title", total: 7 });
    expect(all.hits.map(({ json }) => JSON.parse(json).title.en)).toEqual(["Beer", "Bread", "Cheese"]);
    expect((await terms("products", { sort: "bestmatch" })).sortBy).toBe("title");
    const coli = await terms("organisms", { q: '"coli"', window: { size: 2 } });
    expect(coli.sortBy).toBe("bestmatch");
    expect(coli.hits[0]!.id).toBe("taxid:562");
    for (const sort of ["newest", "oldest", "title", "bestmatch"]) {
      expect((await terms("organisms", { q: "coli", sort })).sortBy).toBe(sort);
    }
    expect((await refusalOf(terms("organisms", { sort: "x" }))).code).toBe("PARAMETER_INVALID");
    expect((await refusalOf(terms("organism"))).code).toBe("VOCABULARY_NOT_FOUND");
  });

  it("suggests, says what matched, and ignores sort with a word", async () => {
    const answer = await terms("organisms", { suggest: "esch", sort: "title" });
    expect(answer).toMatchObject({ sortBy: "bestmatch", warnings: [{ code: "PARAMETER_IGNORED", parameter: "sort" }] });
    expect(answer.hits[0]).toMatchObject({ id: "taxid:562", matched: { field: "title.en" } });
    expect((await terms("organisms", { suggest: "." })).sortBy).toBe("title");
  });

  it("cuts the size of a page with a warning, and gives a page of ten thousand", async () => {
    const answer = await terms("products", { window: { size: 20_000, page: 1 } });
    expect(answer).toMatchObject({ size: 10_000, total: 7, warnings: [{ code: "PAGE_SIZE_REDUCED" }] });
    expect((await terms("products", { window: { size: 10_000 } })).warnings).toEqual([]);
    expect((await refusalOf(terms("products", { window: { size: 20_000, page: 2 } }))).code).toBe(
      "PAGE_WINDOW_EXCEEDED",
    );
  });

  it("goes on by cursor in every sort, also of suggestions", async () => {
    for (const request of [{ sort: "title" }, { sort: "newest" }, { q: "escherichia" }, { suggest: "e" }]) {
      const whole = await terms("organisms", { ...request, window: { size: 1000 } });
      const seen: string[] = [];
      for (let cursor: string | undefined = "*"; cursor !== undefined; ) {
        const page: Awaited<ReturnType<typeof terms>> = await terms("organisms", {
          ...request,
          window: { size: 7, cursor },
        });
        seen.push(...idsOf(page));
        cursor = page.next;
      }
      expect(seen, JSON.stringify(request)).toEqual(idsOf(whole));
    }
  });

  it("filters by lineage where there is one, else says that it cannot", async () => {
    const below = await terms("organisms", { ancestor: "taxid:2759", window: { size: 1000 } });
    expect(below.total).toBeGreaterThan(0);
    expect(below.total).toBeLessThan((await terms("organisms")).total);
    const flat = await terms("products", { ancestor: "prod:1", parent: "prod:1" });
    expect(flat.total).toBe(7);
    expect(flat.warnings.map(({ parameter }) => parameter)).toEqual(["parent", "ancestor"]);
  });

  it("sorts by the titles of a language that it has, else by English ones", async () => {
    const titles = async (lang: string) => idsOf(await terms("languages", { lang, window: { size: 5 } }));
    expect(await titles("cs")).not.toEqual(await titles("en"));
    expect(await titles("xx")).toEqual(await titles("en"));
  });
});

describe("items by id", () => {
  it("come in the order asked, once each, with unknown ones named", async () => {
    const answer = await bindery.fetchTerms("languages", ["de", "xx", "eng", "en", "xx", "cs"]);
    expect(idsOf(answer)).toEqual(["de", "en", "cs"]);
    expect(answer.warnings).toMatchObject([{ code: "UNKNOWN_ID", parameter: "ids", value: "xx" }]);
    const many = Array.from({ length: 201 }, (_, i) => `x${i}`);
    expect((await refusalOf(bindery.fetchTerms("languages", many))).issues).toMatchObject([{ field: "ids" }]);
  });

  it("have a lineage where there is a hierarchy; aliases say where the item lives", async () => {
    const found = await bindery.readTerm("organisms", "taxid:562");
    expect(found.kind === "found" && found.ancestors[0]!.id).toBe("taxid:1");
    expect(await bindery.readTerm("languages", "eng")).toEqual({ kind: "moved", to: "en" });
    expect((await refusalOf(bindery.readTerm("organisms", "taxid:0"))).code).toBe("TERM_NOT_FOUND");
    expect((await refusalOf(bindery.readTerm("organism", "taxid:0"))).code).toBe("VOCABULARY_NOT_FOUND");
  });
});
