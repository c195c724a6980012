import { beforeEach, describe, expect, it } from "vitest";
import type { FacetValues } from "../../src/core/catalog/facet-kinds/facet-kinds.js";
import type { Facet } from "../../src/core/catalog/types.js";
import type { RecordBody } from "../../src/core/record.js";
import type { TermContent } from "../../src/core/term.js";
import type { FacetRequest, RecordPage, RecordSearch } from "../../src/ports/search-index.js";
import { namesFacet } from "../../src/query/facets/declared-facets.js";
import { type Clause, valueClause } from "../../src/query/index-model/clause.js";
import { at, not, number, text } from "../differential/clauses.js";
import {
  contractCatalog,
  type EngineUnderTest,
  putAll,
  type RecordEngine,
  tinyDraft,
  tinyRecord,
} from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";
import { item } from "../support/engines/term-fixtures.js";
import { withFacets } from "../support/with-facets.js";

const PUBLIC = { kind: "public", models: ["other", "tiny"] } as const;
const OWN = { kind: "owner", owner: "1", models: ["other", "tiny"] } as const;
const EVERYTHING: Clause = { kind: "everything" };

/** Declares a facet at some paths; it is asked for by its name. */
function declare(name: string, values: FacetValues, ...paths: string[]): FacetRequest {
  for (const path of paths) {
    DECLARED.push({ ...values, name, label: name, path: path === "created" ? path : `metadata.${path}` });
  }
  return { name, size: 20, selected: [] };
}

const DECLARED: Facet[] = [];
const SAMPLE_IDS = "samples.@molecule";
const SPECIES = { kind: "tree", vocabulary: "species" } as const;

const organism = declare("organism", { kind: "terms" }, "organism.id");
const keyword = declare("keyword", { kind: "terms" }, "keywords");
const molecule = declare("molecule", { kind: "terms", namesPath: `metadata.${SAMPLE_IDS}=` }, SAMPLE_IDS);
const moleculeNames: FacetRequest = { name: namesFacet("molecule"), size: 20, selected: [] };
const state: FacetRequest = { name: "state", size: 20, selected: [] };
const anyText = declare("any_text", { kind: "terms" }, "keywords", "organism.id", "no.such.path");
const measured = declare("measured", { kind: "year" }, "measured");
const prepared = declare("prepared", { kind: "year" }, "samples.prepared");
const dated = declare("dated", { kind: "year" }, "measured", "samples.prepared");
const created = declare("created", { kind: "year" }, "created");
const ph = declare("ph", { kind: "histogram", scale: "linear", edges: [4, 7, 7.5] }, "ph");
const amount = declare(
  "amount",
  { kind: "histogram", scale: "log", edges: [1e-9, 1e-6] },
  "samples.concentration.value",
);
const taxon = declare("taxon", SPECIES, "organism.id");
const anyTaxon = declare("any_taxon", SPECIES, "organism.id", "samples.source.id");

/** `x=2 y=1 +0` by name of the facet; in a tree `x=2 y=1<x +0`. */
function shown({ facets }: RecordPage): Record<string, string> {
  const text = (bucket: { key: string; count: number; parent?: string }): string =>
    `${bucket.key}=${bucket.count}${bucket.parent === undefined ? "" : `<${bucket.parent}`}`;
  return Object.fromEntries(
    facets.map(({ name, buckets, other }) => [name, `${buckets.map(text).join(" ")} +${other}`]),
  );
}

/** An engine for each test, and ways to fill and to ask it. */
function setUp<E extends RecordEngine>(under: EngineUnderTest<E>) {
  let engine: E;
  const take = (opened: E): void => {
    engine = opened;
  };
  openForEachTest(under, take, withFacets(contractCatalog(), DECLARED));
  const search = (clause: Clause, facets: readonly FacetRequest[], changes: Partial<RecordSearch> = {}) =>
    engine.index.searchRecords({
      ...{ clause, facets, scope: PUBLIC, sort: "newest", page: { offset: 0, limit: 100 } },
      ...changes,
    });
  return {
    engine: () => engine,
    search,
    put: (records: Record<string, RecordBody["metadata"]>, changes: Partial<RecordBody> = {}) =>
      putAll(
        engine,
        Object.entries(records).map(([id, metadata]) => tinyRecord(id, metadata, changes)),
      ),
    counts: async (clause: Clause, ...facets: FacetRequest[]) =>
      shown(await search(clause, facets, { page: { offset: 0, limit: 0 } })),
    own: async (...facets: FacetRequest[]) => shown(await search(EVERYTHING, facets, { scope: OWN })),
    find: async (clause: Clause, ...facets: FacetRequest[]): Promise<string> => {
      const { hits, total } = await search(clause, facets);
      expect(total).toBe(hits.length);
      return hits.map(({ id }) => id).join(" ");
    },
  };
}

const UNIPROT = "uniprot:P00698";
const ALANINE = ["inchikey:QNAYBMKLOCPYGJ-REOHCLBHSA-N", "inchikey:QNAYBMKLOCPYGJ-UWTATZPHSA-N"] as const;

/** How every index finds, counts and names molecules. */
function moleculeContract(under: EngineUnderTest<RecordEngine>): void {
  describe(`molecules: ${under.name}`, () => {
    const { put, counts, find } = setUp(under);
    const idsOf = (text: string) => valueClause([`metadata.${SAMPLE_IDS}`, `metadata.${SAMPLE_IDS}~`], text);
    beforeEach(() =>
      put({
        a: {
          samples: [{ name: "Lysozyme", codes: ["Uniprot:p00698-1", "pdb:1lyz", "see there"] }, { name: "Lysozyme" }],
        },
        b: { samples: [{ name: "lysozyme C", codes: ["https://www.uniprot.org/uniprotkb/P00698/entry"] }] },
        c: {
          samples: [{ name: "complex", steps: [{ name: "Lysozyme", codes: ["P00698"] }] }, { codes: [ALANINE[0]] }],
        },
        d: { samples: [{ name: "L-Ala", codes: [ALANINE[1]] }], "@molecule": UNIPROT, codes: [UNIPROT] },
      }),
    );

    it("have one id in all its forms, and are counted once per record", async () => {
      const ids = `${UNIPROT}=3 ${ALANINE[0]}=1 ${ALANINE[1]}=1 pdb:1LYZ=1`;
      expect(await counts(EVERYTHING, molecule)).toEqual({ molecule: `${ids} +0` });
      expect(await find(EVERYTHING, { ...molecule, selected: [UNIPROT] })).toBe("c b a");
      expect(await find(EVERYTHING, { ...molecule, selected: ["pdb:1LYZ"] })).toBe("a");
    });

    it("are named by their own objects", async () => {
      const named = `${UNIPROT} Lysozyme=2 ${ALANINE[1]} L-Ala=1 pdb:1LYZ Lysozyme=1 ${UNIPROT} lysozyme C=1`;
      expect(await counts(EVERYTHING, moleculeNames)).toEqual({ [moleculeNames.name]: `${named} +0` });
    });

    it("are found by their id in any case, by the first block of an InChIKey, and in the same element", async () => {
      expect(await find(idsOf("UNIPROT:p00698"))).toBe("c b a");
      expect(await find(idsOf("inchikey:QNAYBMKLOCPYGJ"))).toBe("d c");
      expect(await find(idsOf("inchikey:QNAYBMKLOCPYG"))).toBe("");
      const element = (...of: Clause[]): Clause => ({
        kind: "element",
        path: "metadata.samples",
        of: { kind: "all", of },
      });
      expect(await find(element(idsOf(UNIPROT), at("samples.name", "lysozyme")))).toBe("b a");
      expect(await find(element(idsOf(ALANINE[0]), at("samples.name", "complex")))).toBe("");
    });
  });
}

/** How every index counts texts, and filters by them. */
export function termFacetContract(under: EngineUnderTest<RecordEngine>): void {
  moleculeContract(under);
  describe(`facets of terms: ${under.name}`, () => {
    const { put, counts, find } = setUp(under);
    beforeEach(() =>
      put({
        a: { organism: { id: "sp:1" }, keywords: ["x", "y", "x"], title: "t" },
        b: { organism: { id: "sp:2" }, keywords: ["x"], title: "t" },
        c: { organism: { id: "sp:1" }, keywords: ["X", "z"] },
        d: { keywords: ["y"], title: "t" },
      }),
    );

    it("count each record once per value, over all hits and not over the page", async () => {
      expect(await counts(EVERYTHING, organism, keyword)).toEqual({
        organism: "sp:1=2 sp:2=1 +0",
        keyword: "x=2 y=2 X=1 z=1 +0",
      });
      expect(await counts(text("t"), organism)).toEqual({ organism: "sp:1=1 sp:2=1 +0" });
      expect(await counts(not(number("ph")), organism)).toEqual({ organism: "sp:1=2 sp:2=1 +0" });
      expect(await counts({ kind: "nothing" }, organism)).toEqual({ organism: " +0" });
    });

    it("filter by OR within a facet and AND between facets", async () => {
      expect(await find(EVERYTHING, { ...organism, selected: ["sp:1"] })).toBe("c a");
      expect(await find(EVERYTHING, { ...organism, selected: ["sp:1", "sp:2"] })).toBe("c b a");
      const both = [
        { ...organism, selected: ["sp:1"] },
        { ...keyword, selected: ["y"] },
      ];
      expect(await find(EVERYTHING, ...both)).toBe("a");
      expect(await find(EVERYTHING, { ...keyword, selected: ["X"] })).toBe("c");
      expect(await find(EVERYTHING, { ...keyword, size: 0, selected: ["nowhere"] })).toBe("");
      expect(await find(not(number("ph")), { ...keyword, selected: ["y"] })).toBe("d a");
    });

    it("count as if they did not filter themselves, and always list what is selected", async () => {
      expect(await counts(EVERYTHING, { ...organism, selected: ["sp:2"] }, keyword)).toEqual({
        organism: "sp:1=2 sp:2=1 +0",
        keyword: "x=1 +0",
      });
      expect(await counts(text("t"), { ...keyword, size: 1, selected: ["y", "nowhere"] })).toEqual({
        keyword: "x=2 y=2 nowhere=0 +0",
      });
    });

    it("sum what they do not list, and are left out where they only filter", async () => {
      expect(await counts(EVERYTHING, { ...keyword, size: 1 })).toEqual({ keyword: "x=2 +4" });
      expect(await counts(EVERYTHING, { ...keyword, size: 0, selected: ["z"] }, organism)).toEqual({
        organism: "sp:1=1 +0",
      });
    });

    it("put the same value at several paths into one bucket", async () => {
      await put({ e: { organism: { id: "sp:1" }, keywords: ["sp:1"] } });
      expect(await counts(EVERYTHING, anyText)).toEqual({ any_text: "sp:1=3 x=2 y=2 X=1 sp:2=1 z=1 +0" });
    });

    it("follow an edit", async () => {
      await put({ a: { organism: { id: "sp:3" } } });
      expect(await counts(EVERYTHING, organism)).toEqual({ organism: "sp:1=1 sp:2=1 sp:3=1 +0" });
    });
  });
}

/**
 *        sp:1
 *       /    \
 *    sp:2    sp:5
 *     |      /  \
 *   sp:3   sp:6  sp:7
 *     |
 *   sp:4
 */
const ITEMS = [
  item(1, "root"),
  item(2, "bacteria", { parent: "sp:1" }),
  item(3, "escherichia", { parent: "sp:2" }),
  item(4, "coli", { parent: "sp:3" }),
  item(5, "eukaryota", { parent: "sp:1" }),
  item(6, "human", { parent: "sp:5" }),
  item(7, "yeast", { parent: "sp:5" }),
];

const cites = (id: string, ...sources: string[]): RecordBody["metadata"] => ({
  organism: { id },
  samples: sources.map((source) => ({ source: { id: source } })),
});

/**
 * How every index counts years, ranges of numbers and trees, and filters by them.
 * @param putTerms puts items into the vocabulary `species`
 */
export function facetKindsContract<E extends RecordEngine>(
  under: EngineUnderTest<E>,
  putTerms: (engine: E, items: readonly TermContent[]) => Promise<void>,
): void {
  describe(`facets by year: ${under.name}`, () => {
    const { put, counts, find } = setUp(under);
    beforeEach(() =>
      put({
        a: {
          measured: "2024-01-01",
          samples: [{ prepared: "2020-05" }, { prepared: "2020-12-31" }, { prepared: "2021" }],
        },
        b: { measured: "2023-12-31T23:59:59.999Z", samples: [{ prepared: "1969-12-31T23:59:59Z" }] },
        c: { measured: "2024-12-31T23:30:00-02:00", title: "late" },
        d: { measured: "2023-02-29", title: "no such day" },
        e: { measured: 2024 },
      }),
    );

    it("count each record once per year in UTC, and none where there is no date", async () => {
      expect(await counts(EVERYTHING, measured, prepared)).toEqual({
        measured: "2023=1 2024=1 2025=1 +0",
        prepared: "1969=1 2020=1 2021=1 +0",
      });
      expect(await counts(EVERYTHING, dated)).toEqual({
        dated: "1969=1 2020=1 2021=1 2023=1 2024=1 2025=1 +0",
      });
      expect(await counts(text("late"), measured)).toEqual({ measured: "2025=1 +0" });
      expect(await counts(EVERYTHING, created)).toEqual({ created: "2026=5 +0" });
    });

    it("filter by whole years", async () => {
      expect(await find(EVERYTHING, { ...measured, selected: ["2024"] })).toBe("a");
      expect(await find(EVERYTHING, { ...measured, selected: ["2023", "2025", "1800"] })).toBe("c b");
      expect(await find(EVERYTHING, { ...prepared, size: 0, selected: ["1969"] })).toBe("b");
      expect(await find(EVERYTHING, { ...prepared, selected: ["2020"] }, { ...measured, selected: ["2023"] })).toBe("");
      expect(await find(EVERYTHING, { ...created, selected: ["2026"] })).toBe("e d c b a");
      expect(await find(not(text("late")), { ...measured, selected: ["2024", "2025"] })).toBe("a");
    });

    it("find nothing by a key that is none, and show it", async () => {
      for (const key of ["", "24", "2024-01", "*", "__proto__"]) {
        expect(await find(EVERYTHING, { ...measured, selected: [key] })).toBe("");
        const { measured: shown } = await counts(EVERYTHING, { ...measured, size: 1, selected: [key, "2025"] });
        expect(shown).toBe(`2023=1 2025=1 ${key}=0 +1`);
      }
    });
  });

  describe(`facets of ranges: ${under.name}`, () => {
    const { put, counts, find } = setUp(under);
    const sample = (value: number | string) => ({ concentration: { value } });
    beforeEach(() =>
      put({
        a: { ph: 7, samples: [sample(1e-9), sample(2e-8), sample(5)] },
        b: { ph: 7.499, samples: [sample(9.99e-10)], keywords: ["x"] },
        c: { ph: -1, samples: [sample(-3), sample("1e-9")] },
        d: { ph: 7.5, keywords: ["x"] },
        e: { ph: "7", samples: [sample(1e-6)] },
      }),
    );

    it("count each record once per range, which begins with its lower edge", async () => {
      expect(await counts(EVERYTHING, ph, amount)).toEqual({
        ph: "7..7.5=2 7.5..=1 +0",
        amount: "..1e-9=2 1e-6..=2 1e-9..1e-6=1 +0",
      });
      expect(await counts(at("keywords", "x"), ph)).toEqual({ ph: "7..7.5=1 7.5..=1 +0" });
      expect(await counts(number("samples.concentration.value", 1e-7), amount)).toEqual({
        amount: "1e-6..=2 1e-9..1e-6=1 +0",
      });
    });

    it("filter by ranges, and by those of several facets at once", async () => {
      expect(await find(EVERYTHING, { ...ph, selected: ["7..7.5"] })).toBe("b a");
      expect(await find(EVERYTHING, { ...ph, selected: ["7.5..", "..4"] })).toBe("d");
      expect(await find(EVERYTHING, { ...amount, size: 0, selected: ["..1e-9", "1e-9..1e-6"] })).toBe("c b a");
      const both = [
        { ...ph, selected: ["7..7.5"] },
        { ...amount, selected: ["..1e-9"] },
      ];
      expect(await find(EVERYTHING, ...both)).toBe("b");
      expect(await counts(EVERYTHING, ...both)).toEqual({
        ph: "7..7.5=1 +0",
        amount: "..1e-9=1 1e-6..=1 1e-9..1e-6=1 +0",
      });
    });

    it("find nothing by a key that is none; a range without hits is shown where it is selected", async () => {
      expect(await find(EVERYTHING, { ...ph, selected: ["7"] })).toBe("");
      expect(await counts(EVERYTHING, { ...ph, size: 1, selected: ["..4"] })).toEqual({ ph: "7..7.5=2 ..4=0 +1" });
    });
  });

  describe(`facets of trees: ${under.name}`, () => {
    const { engine, put, counts, find } = setUp(under);
    beforeEach(async () => {
      await putTerms(engine(), ITEMS);
      await put({
        a: cites("sp:4", "sp:4", "sp:6"),
        b: cites("sp:3"),
        c: { ...cites("sp:6", "sp:6", "sp:7"), title: "t" },
        d: cites("sp:99", "sp:1"),
        e: { organism: { title: { en: "sp:4" } }, samples: [{ name: "sp:4" }] },
      });
    });

    it("count cited items and all above them, once in a record, and list those that tell something", async () => {
      expect(await counts(EVERYTHING, taxon)).toEqual({
        taxon: "sp:1=3 sp:3=2<sp:1 sp:4=1<sp:3 sp:6=1<sp:1 sp:99=1 +0",
      });
      expect(await counts(EVERYTHING, anyTaxon)).toEqual({
        any_taxon: "sp:1=4 sp:3=2<sp:1 sp:6=2<sp:1 sp:4=1<sp:3 sp:7=1<sp:1 sp:99=1 +0",
      });
      expect(await counts(text("t"), anyTaxon)).toEqual({ any_taxon: "sp:6=1 sp:7=1 +0" });
    });

    it("filter by an item and all below it", async () => {
      expect(await find(EVERYTHING, { ...taxon, selected: ["sp:2"] })).toBe("b a");
      expect(await find(EVERYTHING, { ...taxon, selected: ["sp:4"] })).toBe("a");
      expect(await find(EVERYTHING, { ...taxon, selected: ["sp:7"] })).toBe("");
      expect(await find(EVERYTHING, { ...anyTaxon, selected: ["sp:5"] })).toBe("c a");
      expect(await find(EVERYTHING, { ...anyTaxon, selected: ["sp:7", "sp:4"] })).toBe("c a");
      expect(await find(EVERYTHING, { ...anyTaxon, selected: ["sp:99", "sp:404"] })).toBe("d");
      expect(await find(EVERYTHING, { ...anyTaxon, size: 0, selected: ["sp:2"] })).toBe("b a");
    });

    it("list selected items in their place, with 0 too, and count as if they did not filter themselves", async () => {
      expect(await counts(EVERYTHING, { ...taxon, selected: ["sp:2", "sp:7"] })).toEqual({
        taxon: "sp:1=3 sp:2=2<sp:1 sp:3=2<sp:2 sp:4=1<sp:3 sp:6=1<sp:1 sp:99=1 sp:7=0<sp:1 +0",
      });
    });

    it("sum what they do not list", async () => {
      expect(await counts(EVERYTHING, { ...taxon, size: 1 })).toEqual({ taxon: "sp:1=3 +5" });
      expect(await counts(EVERYTHING, { ...taxon, size: 1, selected: ["sp:4"] })).toEqual({
        taxon: "sp:1=3 sp:4=1<sp:1 +4",
      });
    });

    it("follow the vocabulary", async () => {
      await putTerms(engine(), [item(99, "late", { parent: "sp:5" }), item(4, "coli", { parent: "sp:5" })]);
      expect(await counts(EVERYTHING, taxon)).toEqual({
        taxon: "sp:5=3 sp:3=1 sp:4=1<sp:5 sp:6=1<sp:5 sp:99=1<sp:5 +0",
      });
      expect(await find(EVERYTHING, { ...taxon, selected: ["sp:5"] })).toBe("d c a");
    });
  });

  describe(`facets of every kind: ${under.name}`, () => {
    const { engine, put, search, counts, own } = setUp(under);
    const all = [organism, keyword, state, measured, prepared, created, ph, amount, anyTaxon];
    const everything = {
      ...{ organism: { id: "sp:6" }, keywords: ["x"], measured: "2024-05", ph: 7 },
      samples: [{ source: { id: "sp:4" }, prepared: "2020", concentration: { value: 2e-9 } }],
    };
    const theirs = { parent: { id: "p", owner: { user: "2" } } };
    beforeEach(async () => {
      await putTerms(engine(), ITEMS);
      await put({ a: everything, b: { keywords: ["x", "y"], ph: 3, measured: "2023" }, c: cites("sp:3", "sp:7") });
      await put({ d: { ...everything, measured: "1960" } }, theirs);
      await putAll(engine(), [
        tinyDraft("b", { measured: "2022", ph: 9 }, { is_published: true }),
        tinyDraft("e", { ...everything, ph: 8 }),
        tinyDraft("f", { ...everything, ph: 9 }, theirs),
        tinyRecord("g", everything, { versions: { index: 1, is_latest: false, is_latest_draft: false } }),
      ]);
    });

    it("filter to exactly what their buckets count, in every scope", async () => {
      for (const scope of [PUBLIC, OWN, { ...PUBLIC, models: ["other"] }]) {
        const { facets } = await search(EVERYTHING, all, { scope });
        expect(facets.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
        for (const [i, { buckets }] of facets.entries()) {
          for (const { key, count } of buckets) {
            const { total } = await search(EVERYTHING, [{ ...all[i]!, selected: [key] }], { scope });
            expect(total, `${all[i]!.name} ${key}`).toBe(count);
          }
        }
      }
    });

    it("show the public what is published, and owners their drafts in its place", async () => {
      expect(await counts(EVERYTHING, state, measured, ph, taxon)).toEqual({
        state: "published=4 +0",
        measured: "1960=1 2023=1 2024=1 +0",
        ph: "7..7.5=2 ..4=1 +0",
        taxon: "sp:6=2 sp:3=1 +0",
      });
      expect(await own(state, measured, ph, taxon)).toEqual({
        state: "draft=2 published=2 +0",
        measured: "2024=2 2022=1 +0",
        ph: "7.5..=2 7..7.5=1 +0",
        taxon: "sp:6=2 sp:3=1 +0",
      });
    });

    it("follow edits and deletions", async () => {
      await put({ a: { measured: "2021", ph: 5, organism: { id: "sp:7" } } });
      await engine().store.transaction((tx) => tx.records.delete("d", "published"));
      await engine().store.transaction((tx) => tx.records.delete("b", "draft"));
      expect(await counts(EVERYTHING, measured, ph, taxon)).toEqual({
        measured: "2021=1 2023=1 +0",
        ph: "..4=1 4..7=1 +0",
        taxon: "sp:3=1 sp:7=1 +0",
      });
      expect(await own(measured)).toEqual({ measured: "2021=1 2023=1 2024=1 +0" });
    });

    it("filter each other", async () => {
      const chosen = [
        { ...keyword, selected: ["x"] },
        { ...measured, selected: ["2024", "1960"] },
        { ...ph, size: 0, selected: ["7..7.5"] },
        { ...taxon, selected: ["sp:5"] },
      ];
      expect(await counts(EVERYTHING, ...chosen)).toEqual({
        keyword: "x=2 +0",
        measured: "1960=1 2024=1 +0",
        taxon: "sp:5=2 sp:6=2<sp:5 +0",
      });
    });
  });
}
