import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryTree, TINY_NAMES } from "../../../test/support/query-arbitraries.js";
import { tinyModel, tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import { type FieldLookup, recordFields, termFields } from "../fields/field-lookup.js";
import type { Clause } from "../index-model/clause.js";
import { parseQuery } from "../parse/parse.js";
import { type ResolvedQuery, resolveQuery } from "./resolve.js";

const NOW = Date.UTC(2026, 10, 21) * 1000;
const fields = recordFields([tinyModel()], [tinyVocabulary()]);

const resolve = (text: string, among: FieldLookup = fields): ResolvedQuery =>
  resolveQuery(parseQuery(text, among).tree, among, NOW);
const clause = (text: string, among: FieldLookup = fields): Clause => resolve(text, among).clause;
const words = (text: string, ...paths: readonly string[]): Clause => ({
  kind: "words",
  place: paths.length === 0 ? { in: "text" } : { in: "paths", paths },
  words: text.split(" "),
});
const number = (ends: object, path = "metadata.ph"): object => ({
  kind: "range",
  paths: [path],
  type: "number",
  ...ends,
});
const including = (value: number): object => ({ value, inclusive: true });

describe("texts", () => {
  it("become analysed words, in all text or at the paths of a field", () => {
    expect(clause("IL-6")).toEqual(words("il 6"));
    expect(clause('title:"Binding α"')).toEqual({
      kind: "any",
      of: [words("binding alpha", "metadata.title"), words("bindingalpha", "metadata.title")],
    });
    const below = ["organism.id", "organism.title.en", "organism.title.de", "organism.rank", "organism.synonyms"];
    expect(clause("organism:coli")).toEqual(words("coli", ...below.map((path) => `metadata.${path}`)));
    expect(clause("µM*")).toEqual({ kind: "prefix", place: { in: "text" }, words: ["um"] });
    expect(clause("Mono?ith")).toEqual({ kind: "wildcard", place: { in: "text" }, pattern: "mono?ith" });
  });

  it("may be one word with a Greek letter beside them", () => {
    expect(clause("delta G")).toEqual({
      kind: "any",
      of: [{ kind: "all", of: [words("delta"), words("g")] }, words("delta g"), words("deltag")],
    });
    expect(clause("protein delta G -delta")).toMatchObject({
      kind: "all",
      of: [words("protein"), { kind: "any" }, {}],
    });
    const [nf, kappa, b] = ["nf", "kappa", "b"].map((word) => words(word));
    expect(clause("NF kappa B")).toMatchObject({
      kind: "any",
      of: [
        { kind: "all", of: [nf, kappa, b] },
        { kind: "all", of: [{ of: [words("nf kappa"), words("nfkappa")] }, b] },
        { kind: "all", of: [nf, { of: [words("kappa b"), words("kappab")] }] },
        words("nf kappa b"),
        words("nfkappa b"),
        words("nf kappab"),
        words("nfkappab"),
      ],
    });
    expect(clause("title:delta G")).toEqual({ kind: "all", of: [words("delta", "metadata.title"), words("g")] });
    expect(clause("beta2*")).toMatchObject({ of: [{ words: ["beta2"] }, { words: ["beta", "2"] }] });
    expect(clause("serum albumin")).toEqual({ kind: "all", of: [words("serum"), words("albumin")] });
  });

  it("have a fuzzy distance by their length", () => {
    expect(clause("lyzoz~")).toMatchObject({ word: "lyzoz", edits: 1 });
    expect(clause("lyzozy~")).toMatchObject({ word: "lyzozy", edits: 2 });
    expect(clause("lyzozy~1")).toMatchObject({ edits: 1 });
  });

  it("in a number's field compare as numbers, but not in quotes and not where they are none", () => {
    expect(clause("ph:2")).toEqual(number({ from: including(2), to: including(2) }));
    expect(clause("ph:-1")).toEqual(number({ from: including(-1), to: including(-1) }));
    expect(clause("ph:1e1")).toEqual(number({ from: including(10), to: including(10) }));
    expect(clause('ph:"2"')).toEqual(words("2", "metadata.ph"));
    expect(clause("ph:acid")).toEqual(words("acid", "metadata.ph"));
  });

  it("in a date's field stand for the whole unit", () => {
    const year = {
      from: including(Date.UTC(2024, 0) * 1000),
      to: { value: Date.UTC(2025, 0) * 1000, inclusive: false },
    };
    expect(clause("measured:2024")).toEqual({ kind: "range", paths: ["metadata.measured"], type: "date", ...year });
  });
});

describe("ranges", () => {
  it("keep the narrowest bounds of one value", () => {
    expect(clause("ph:(>=1 AND >2 AND <9 AND <=9)")).toEqual(
      number({ from: { value: 2, inclusive: false }, to: { value: 9, inclusive: false } }),
    );
  });

  it.each([
    [">=2024", { from: including(Date.UTC(2024, 0) * 1000) }],
    [">2024", { from: including(Date.UTC(2025, 0) * 1000) }],
    ["<=2024", { to: { value: Date.UTC(2025, 0) * 1000, inclusive: false } }],
    ["<2024", { to: { value: Date.UTC(2024, 0) * 1000, inclusive: false } }],
    [">=now-1d", { from: including(NOW - 86_400_000_000) }],
  ])("over dates: %s includes or leaves out whole units", (range, ends) => {
    expect(clause(`measured:${range}`)).toEqual({
      kind: "range",
      paths: ["metadata.measured"],
      type: "date",
      ...ends,
    });
  });

  it("over keywords compare folded", () => {
    expect(clause("title:[Äpfel TO *]")).toEqual({
      kind: "range",
      paths: ["metadata.title"],
      type: "keyword",
      from: { value: "apfel", inclusive: true },
    });
  });

  it("in an object are about what can be compared", () => {
    expect(clause("samples.steps:>5")).toEqual(
      number({ from: { value: 5, inclusive: false } }, "metadata.samples.steps.duration"),
    );
    expect(clause("samples.steps:>x")).toMatchObject({ type: "keyword" });
  });

  it("that cannot be compared are read as words, and the answer says so", () => {
    const { clause: read, fallback, warnings } = resolve("ph:<10nM");
    expect(read).toEqual(words("10nm", "metadata.ph"));
    expect({ fallback, codes: warnings.map(({ code }) => code) }).toEqual({
      fallback: true,
      codes: ["QUERY_RANGE_AS_TEXT"],
    });
  });
});

it("a number that no plain words find is compared where its field is named", () => {
  const taxa = { path: "props.taxa", type: "number", weight: "rest", elementPath: "", isWhole: true } as const;
  const fields = termFields(tinyVocabulary("species", { leaves: new Map([[taxa.path, taxa]]) }));
  const end = { value: 2_000, inclusive: true };
  expect(clause("props.taxa:2000", fields)).toEqual({
    kind: "range",
    paths: [taxa.path],
    type: "number",
    from: end,
    to: end,
  });
});

describe("ids", () => {
  it("cite anywhere, or at the sites of a field; an alias is followed", () => {
    const cites = { kind: "cites", vocabularies: ["species"], id: "sp:562", within: false };
    expect(clause("SP:562")).toEqual(cites);
    expect(clause("organism:sp:562")).toEqual({ ...cites, sites: ["metadata.organism"] });
    expect(clause("organism.id:sp:562")).toEqual({ ...cites, sites: ["metadata.organism"] });
    expect(clause("samples:sp:562")).toEqual({ ...cites, sites: ["metadata.samples.source"] });
    expect(clause("organism.within:sp:562")).toEqual({ ...cites, sites: ["metadata.organism"], within: true });
    expect(clause("id:sp:562", termFields(tinyVocabulary()))).toEqual(cites);
    expect(clause("ID:sp:562", termFields(tinyVocabulary()))).toEqual(cites);
    const other = tinyVocabulary("strains", { aliases: new Map([["sp:562", "sp:7"]]) });
    expect(clause("sp:562", recordFields([tinyModel()], [tinyVocabulary(), other]))).toEqual({
      kind: "any",
      of: [cites, { ...cites, vocabularies: ["strains"], id: "sp:7" }],
    });
  });
});

describe("plain words", () => {
  it.each([
    ["lysozyme binding", ["lysozyme", "binding"]],
    ['a "b c" AND IL-6', ["a", "b", "c", "il", "6"]],
    ["sp:x", ["sp", "x"]],
    ["a OR b", undefined],
    ["a -b", undefined],
    ["title:a", undefined],
    ["a*", undefined],
    ["sp:562", undefined],
    ["", undefined],
  ])("of %s are %j", (query, expected) => {
    expect(resolve(query).plain).toEqual(expected);
  });
});

describe("several models", () => {
  const two = tinyModel("two");
  const moved = tinyModel("three", {
    fields: new Map([["title", { name: "title", path: "metadata.samples.name" }]]),
  });

  it("that agree give one clause, also where one of them lacks the field", () => {
    const lacking = tinyModel("four", { leaves: new Map([...two.leaves].filter(([path]) => path !== "metadata.ph")) });
    expect(clause("title:a", recordFields([tinyModel(), two], []))).toEqual(words("a", "metadata.title"));
    expect(clause("ph:2", recordFields([lacking, tinyModel()], []))).toMatchObject({ kind: "range", type: "number" });
  });

  it("that differ give one alternative each", () => {
    expect(clause("title:a", recordFields([tinyModel(), two, moved], []))).toEqual({
      kind: "any",
      of: [
        {
          kind: "all",
          of: [{ kind: "any", of: [words("tiny", "model"), words("two", "model")] }, words("a", "metadata.title")],
        },
        { kind: "all", of: [words("three", "model"), words("a", "metadata.samples.name")] },
      ],
    });
  });

  it("that differ in the type of a path give one alternative each", () => {
    const ph = { path: "metadata.ph", type: "keyword", weight: "rest", elementPath: "" } as const;
    const textual = tinyModel("textual", { leaves: new Map([...two.leaves, [ph.path, ph]]) });
    expect(clause("ph:2", recordFields([two, textual], []))).toMatchObject({
      of: [
        { of: [words("two", "model"), { type: "number" }] },
        { of: [words("textual", "model"), words("2", ph.path)] },
      ],
    });
  });

  it("that differ within a group are told apart outside of it", () => {
    const name = { path: "metadata.samples.name", type: "number", weight: "rest" } as const;
    const leaf = { ...name, elementPath: "metadata.samples" };
    const counted = tinyModel("counted", { leaves: new Map([...two.leaves, [name.path, leaf]]) });
    expect(clause("samples:(name:7)", recordFields([two, counted], []))).toMatchObject({
      kind: "any",
      of: [
        { of: [words("two", "model"), { kind: "element", of: words("7", name.path) }] },
        { of: [words("counted", "model"), { kind: "element", of: { kind: "range" } }] },
      ],
    });
  });
});

describe("groups", () => {
  it("take names relative to the element first, and find nothing by names outside of it", () => {
    expect(clause("samples:(name:a steps:(duration:>3) x)")).toEqual({
      kind: "element",
      path: "metadata.samples",
      of: {
        kind: "all",
        of: [
          words("a", "metadata.samples.name"),
          {
            kind: "element",
            path: "metadata.samples.steps",
            of: number({ from: { value: 3, inclusive: false } }, "metadata.samples.steps.duration"),
          },
          words("x"),
        ],
      },
    });
    expect(clause("samples:(samples.name:a)")).toMatchObject({ of: words("a", "metadata.samples.name") });
    expect(resolve("samples:(title:a)")).toMatchObject({
      clause: { of: { kind: "nothing" } },
      warnings: [{ code: "QUERY_FIELD_OUTSIDE", value: "title" }],
    });
  });

  it("keep all of their paths within the element", () => {
    const two = recordFields([tinyModel(), tinyModel("two")], [tinyVocabulary()]);
    fc.assert(
      fc.property(arbitraryTree(TINY_NAMES), (tree) => {
        for (const path of strayPaths(resolveQuery(tree, two, NOW).clause, "")) expect.unreachable(path);
      }),
    );
  });
});

function strayPaths(one: Clause, element: string): readonly string[] {
  const stray = (paths: readonly string[]): readonly string[] => paths.filter((path) => !path.startsWith(element));
  switch (one.kind) {
    case "all":
    case "any":
      return one.of.flatMap((of) => strayPaths(of, element));
    case "not":
      return strayPaths(one.of, element);
    case "element":
      return [...stray([one.path]), ...strayPaths(one.of, `${one.path}.`)];
    case "range":
    case "exists":
      return stray(one.paths);
    case "words":
    case "prefix":
    case "wildcard":
    case "fuzzy":
      return one.place.in === "paths" ? stray(one.place.paths) : [];
    default:
      return [];
  }
}
