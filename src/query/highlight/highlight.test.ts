import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arbitraryMetadata,
  arbitraryTree,
  TINY_NAMES,
  tinyNames,
  tinyTerm,
} from "../../../test/support/query-arbitraries.js";
import { matches } from "../../../test/support/reference-evaluator.js";
import { tinyModel, tinyRecord, tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import type { Highlight } from "../../core/answers/searches.js";
import type { JsonObject } from "../../core/json.js";
import type { TermContent } from "../../core/term.js";
import { RecordInMemory } from "../evaluate/record-in-memory.js";
import { recordFields, termFields } from "../fields/field-lookup.js";
import type { Clause } from "../index-model/clause.js";
import { recordLeaves } from "../index-model/record-leaves.js";
import { parseQuery } from "../parse/parse.js";
import { resolveQuery } from "../resolve/resolve.js";
import { analyse } from "../text/analyse.js";
import { findMatches } from "./find-matches.js";
import { highlightRecord, highlightTerm, readHighlightSource, readTermHighlightSource } from "./highlight.js";

const model = tinyModel();
const vocabulary = tinyVocabulary();
const fields = recordFields([model], [vocabulary]);
const isDescendant = (_: string, id: string, ancestor: string): boolean => id === "sp:562" && ancestor === "sp:561";
const terms = { termSynonyms: tinyNames, isDescendant };
const world = { parentOf: (_: string, id: string) => (id === "sp:562" ? "sp:561" : undefined) };

const clauseOf = (query: string, names = fields) => resolveQuery(parseQuery(query, names).tree, names, 0).clause;

const mark = (query: string, metadata: JsonObject): Highlight =>
  highlightRecord(readHighlightSource(tinyRecord("r", metadata), model), clauseOf(query), terms);

const LYSOZYME: JsonObject = {
  title: "Lysozyme & <b>TNFα</b> in Straße",
  depositor: { name: "Müller", identifiers: ["10.5281/zenodo.7"] },
  keywords: ["serum albumin", "albumin of serum", "serum albumin"],
  measured: "2024-05-17",
  ph: 7.4,
  organism: { id: "sp:562", title: { en: "Escherichia coli", de: "Kolibakterium" } },
  samples: [
    { name: "buffer", concentration: { value: 5 }, steps: [{ name: "stir" }] },
    { name: "buffer albumin", concentration: { value: 50 }, steps: [{ name: "heat" }] },
  ],
  undeclared: { note: "lysozyme hides here" },
};

describe("highlightRecord marks", () => {
  const title = (text: string) => ({ "metadata.title": [text] });
  const plain = "Lysozyme &amp; &lt;b&gt;TNFα&lt;/b&gt; in Straße";
  const keywords = (...texts: string[]) => ({ "metadata.keywords": texts });
  it.each<[string, Highlight]>([
    ["title:lysozyme", title(plain.replace("Lysozyme", "<em>Lysozyme</em>"))],
    ['"strasse"', title(plain.replace("Straße", "<em>Straße</em>"))],
    ["TNF-alpha", title(plain.replace("TNFα", "<em>TNFα</em>"))],
    ["title:lysozim~ stra*", title(plain.replace("Lysozyme", "<em>Lysozyme</em>").replace("Straße", "<em>$&</em>"))],
    ["title:l*z?me", title(plain.replace("Lysozyme", "<em>Lysozyme</em>"))],
    ["muller", { "metadata.depositor.name": ["<em>Müller</em>"] }],
    ['"serum albumin"', keywords("<em>serum albumin</em>")],
    ["keywords:(serum albumin)", keywords("<em>serum</em> <em>albumin</em>", "<em>albumin</em> of <em>serum</em>")],
    ["ph:[7 TO 8]", { "metadata.ph": ["<em>7.4</em>"] }],
    ["measured:2024", { "metadata.measured": ["<em>2024-05-17</em>"] }],
    [
      "organism:sp:562",
      {
        "metadata.organism.title.en": ["<em>Escherichia coli</em>"],
        "metadata.organism.title.de": ["<em>Kolibakterium</em>"],
      },
    ],
    ["hides", { "*": ["lysozyme <em>hides</em> here"] }],
    ["muller -water", { "metadata.depositor.name": ["<em>Müller</em>"] }],
    ["muller OR (straße water)", { "metadata.depositor.name": ["<em>Müller</em>"] }],
    ["samples:(buffer albumin)", { "metadata.samples.name": ["<em>buffer</em> <em>albumin</em>"] }],
    [
      "samples:(steps:(stir) concentration.value:<10)",
      { "metadata.samples.steps.name": ["<em>stir</em>"], "metadata.samples.concentration.value": ["<em>5</em>"] },
    ],
    ["_exists_:ph", {}],
    ["state:published model:tiny", {}],
    ["", {}],
  ])("%s", (query, expected) => {
    expect(mark(query, LYSOZYME)).toEqual(expected);
  });

  it("the title of a cited term that was found by a synonym", () => {
    const titled = { organism: { id: "sp:562", title: { en: "Escherichia coli" } } };
    expect(mark('"e coli"', titled)).toEqual({ "metadata.organism.title.en": ["<em>Escherichia coli</em>"] });
    expect(mark('"e coli"', { organism: { id: "sp:562" } })).toEqual({ "metadata.organism.id": ["<em>sp:562</em>"] });
    expect(mark("organism.within:sp:561", titled)).toEqual(mark('"e coli"', titled));
  });

  it("at most five fields with three fragments each, titles first", () => {
    const all = { name: "a a", concentration: { unit: "a" }, source: { rank: "a", title: { en: "a", de: "a" } } };
    const samples = Array.from({ length: 9 }, (_, i) => ({ ...all, name: `a ${i}` }));
    const marked = mark("a", { samples, depositor: { name: "a" }, title: "a", keywords: ["a"] });
    expect(Object.keys(marked).slice(0, 3)).toEqual([
      "metadata.title",
      "metadata.depositor.name",
      "metadata.samples.name",
    ]);
    expect(Object.keys(marked)).toHaveLength(5);
    expect(marked["metadata.samples.name"]).toEqual(["<em>a</em> 0", "<em>a</em> 1", "<em>a</em> 2"]);
  });
});

it("highlightTerm marks titles, synonyms, props, ids", () => {
  const item: TermContent = {
    id: "sp:562",
    title: { en: "Escherichia coli", la: "coli" },
    synonyms: [{ name: "E. coli", kind: "acronym" }],
    props: { rank: "species", codes: ["cas:7-4"] },
    status: "active",
  };
  const names = termFields(vocabulary);
  const marked = (query: string) => highlightTerm(readTermHighlightSource(item, vocabulary), clauseOf(query, names));
  expect(marked("coli")).toEqual({
    "title.en": ["Escherichia <em>coli</em>"],
    title: ["<em>coli</em>"],
    synonyms: ["E. <em>coli</em>"],
  });
  expect(marked("sp:562")).toEqual({ id: ["<em>sp:562</em>"] });
  expect(marked("rank:species cas")).toEqual({
    "props.rank": ["<em>species</em>"],
    "props.codes": ["<em>cas</em>:7-4"],
  });
  // Not all of it is true of this item (it was found by a typo): what is true is marked.
  expect(marked("escherichia coly")).toEqual({ "title.en": ["<em>Escherichia</em> coli"] });
});

it("highlightTerm marks what the first clause asks for that the item fulfils, the strictest first", () => {
  const item: TermContent = { id: "sp:562", title: { en: "Escherichia coli" }, props: {}, status: "active" };
  const names = termFields(vocabulary);
  const [whole, begun, near] = ["esch coli", "esch* coli*", "escherchia~ coli"].map((query) => clauseOf(query, names));
  const marked = (...forgiving: Clause[]) =>
    highlightTerm(readTermHighlightSource(item, vocabulary), whole!, forgiving)["title.en"];
  expect(highlightTerm(readTermHighlightSource(item, vocabulary), whole!)["title.en"]).toEqual([
    "Escherichia <em>coli</em>",
  ]);
  expect(marked(begun!)).toEqual(["<em>Escherichia</em> <em>coli</em>"]);
  expect(marked(near!)).toEqual(["<em>Escherichia</em> <em>coli</em>"]);
  expect(marked(clauseOf("nothing", names))).toEqual(["Escherichia <em>coli</em>"]);
});

const body = arbitraryMetadata.map((metadata) => tinyRecord("r", metadata));

/** A fragment without its tags and escapes. */
function textOf(fragment: string): string {
  const bare = fragment.replace(/^… | …$/gu, "").replaceAll(/<\/?em>/gu, "");
  expect(bare).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/u);
  const signs = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
  return bare.replace(/&(?:lt|gt|quot|#39|amp);/gu, (sign) => signs[sign as keyof typeof signs]);
}

it("highlightRecord searches the names that cited terms have now", () => {
  const source = readHighlightSource(tinyRecord("r", { organism: { id: "sp:562", title: { en: "Coli" } } }), model);
  const marked = (...names: string[]) =>
    highlightRecord(source, clauseOf("bug"), { ...terms, termSynonyms: () => names });
  const whole = { "metadata.organism.title.en": ["<em>Coli</em>"] };
  expect(marked("bug")).toEqual(whole);
  expect(marked("bug")).toEqual(whole);
  expect(marked("germ")).toEqual({});
  expect(marked("germ", "bug")).toEqual(whole);
  expect(marked()).toEqual({});
});

it("has the same places of a word whether all words are grouped or it is looked for alone", () => {
  fc.assert(
    fc.property(body, (record) => {
      const leaves = recordLeaves(record, model, tinyTerm);
      const { occurrences } = new RecordInMemory(leaves);
      const scanned = new RecordInMemory(leaves);
      for (const [word, places] of occurrences) expect(scanned.wordOccurrences(word)).toEqual(places);
      expect(new RecordInMemory(leaves).wordOccurrences("nowhere")).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

describe("findMatches", () => {
  it("finds a match where the record fulfils the clause, and only there", () => {
    fc.assert(
      fc.property(arbitraryTree(TINY_NAMES), body, (tree, record) => {
        const leaves = recordLeaves(record, model, tinyTerm);
        const { clause } = resolveQuery(tree, fields, 0);
        expect(findMatches(clause, new RecordInMemory(leaves), isDescendant) !== undefined).toBe(
          matches(clause, leaves, world),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("a highlight", () => {
  it("is a part of a value, with nothing but <em> as markup", () => {
    fc.assert(
      fc.property(arbitraryTree(TINY_NAMES), body, (tree, record) => {
        const values: string[] = [];
        recordLeaves(record, model, tinyTerm, (_, text) => values.push(text));
        const { clause } = resolveQuery(tree, fields, 0);
        for (const fragment of Object.values(
          highlightRecord(readHighlightSource(record, model), clause, terms),
        ).flat()) {
          expect(fragment).toContain("<em>");
          expect(values.some((value) => value.includes(textOf(fragment)))).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("shows a word of the record, wherever it stands, and marks nothing else", () => {
    fc.assert(
      fc.property(body, fc.nat(), (record, n) => {
        const found: string[] = [];
        recordLeaves(record, model, tinyTerm, (leaf) => found.push(...(leaf.isFieldOnly ? [] : leaf.words)));
        fc.pre(found.length > 0);
        const word = found[n % found.length]!;
        const clause = { kind: "words", place: { in: "text" }, words: [word] } as const;
        const marked = highlightRecord(readHighlightSource(record, model), clause, {
          ...terms,
          termSynonyms: () => [],
        });
        const marks = Object.values(marked)
          .flat()
          .flatMap((fragment) => [...fragment.matchAll(/<em>(.*?)<\/em>/gu)].map(([, text]) => text!));
        expect(marks.length).toBeGreaterThan(0);
        for (const text of marks) expect(analyse(textOf(text))).toContain(word);
      }),
      { numRuns: 1_000 },
    );
  });
});
