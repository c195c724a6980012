import { describe, expect, it } from "vitest";
import type { Clause, TextScope } from "../../../query/index-model/clause.js";
import { bestMatchRecordSteps } from "../../../query/ranking/record-steps.js";
import { EMPTY_SET } from "../bitmaps/doc-id-set.js";
import { joinWordLists, makeExpandWords, makeUnsortedList } from "../lexicon/lexicon.js";
import { type CompileContext, compileQuery, compileTest } from "./compile-query.js";
import type { RecordPlan } from "./record-plan.js";

const PATHS: Readonly<Record<string, number>> = {
  title: 1,
  ph: 2,
  "organism.id": 3,
  organism: 4,
  samples: 5,
  "samples.name": 6,
  "samples.steps": 7,
  "samples.steps.name": 8,
};
const WORDS = ["albumin", "alpine", "alp", "b1", "1b"];

const below = (path: string): number[] =>
  Object.entries(PATHS).flatMap(([other, id]) => (other.startsWith(`${path}.`) ? id : []));

const context: CompileContext = {
  findPathId: (path) => PATHS[path],
  expand: makeExpandWords(() => joinWordLists(() => [makeUnsortedList(WORDS)])),
  below,
  rowsWithId: () => EMPTY_SET,
  isKeyPath: (path) => path === "organism.id",
  isHierarchical: (vocabulary) => vocabulary === "species",
  sitesOf: () => ["organism"],
  textBelow: (path, columns) =>
    columns === undefined ? [{ paths: [0, ...below(path)] }] : [{ paths: [6], models: ["mst", "spr"] }],
};

const TEXT: TextScope = { in: "text" };
const at = (...paths: string[]): TextScope => ({ in: "paths", paths });
const word = (...words: string[]): Clause => ({ kind: "words", place: TEXT, words });
const range: Clause = { kind: "range", paths: ["ph", "no"], type: "number", from: { value: 2, inclusive: true } };
const all = (...of: Clause[]): Clause => ({ kind: "all", of });
const any = (...of: Clause[]): Clause => ({ kind: "any", of });
const not = (of: Clause): Clause => ({ kind: "not", of });

/** A plan as one line: `{ }` is a MATCH. */
function show(plan: RecordPlan): string {
  switch (plan.kind) {
    case "records":
    case "elements":
      return plan.matches.map((match) => `{ ${match} }`).join(" + ");
    case "inModels":
      return `${show(plan.scan)} in ${plan.models.join(" ")}`;
    case "numbers": {
      const { from, takesFrom, to, takesTo } = plan.range;
      return `numbers ${plan.paths.join(" ")}: ${takesFrom ? "[" : "{"}${from} ${to}${takesTo ? "]" : "}"}`;
    }
    case "keywords":
      return `keywords ${plan.paths.join(" ")}: ${plan.range.from?.value} ${plan.range.to?.value}`;
    case "keys": {
      const { test } = plan;
      const text = test.kind === "within" ? `${test.vocabulary} ${test.id}` : `${test.from?.value} ${test.to?.value}`;
      return `${test.kind} ${text} at ${plan.paths.join(" ")}`;
    }
    case "rows":
    case "visible":
      return plan.kind;
    case "element":
      return `element ${plan.group.path}: ${show(plan.group.of)}`;
    case "not":
      return `not(${show(plan.of)})`;
    default:
      if (plan.of.length === 0) return plan.kind === "all" ? "every" : "none";
      return `${plan.kind}(${plan.of.map(show).join(", ")})`;
  }
}

const planOf = (clause: Clause): string => show(compileQuery(clause, context));

describe("compileQuery", () => {
  it("makes one MATCH of words, phrases and beginnings", () => {
    expect(planOf(word("serum"))).toMatchInlineSnapshot(`"{ "serum" }"`);
    expect(planOf(word("serum", "albumin"))).toMatchInlineSnapshot(`"{ "serum albumin" }"`);
    const prefix: Clause = { kind: "prefix", place: TEXT, words: ["serum", "alb"] };
    expect(planOf(prefix)).toMatchInlineSnapshot(`"{ "serum alb" * }"`);
    expect(planOf({ ...prefix, place: at("title", "ph", "no") })).toMatchInlineSnapshot(
      `"{ "_1_serum _1_alb" * OR "_2_serum _2_alb" * }"`,
    );
    expect(planOf({ kind: "words", place: at("title"), words: ["serum", "albumin"] })).toMatchInlineSnapshot(
      `"{ "_1_serum _1_albumin" }"`,
    );
    expect(planOf({ kind: "words", place: at("no"), words: ["serum"] })).toBe("none");
  });

  it("takes the words of a wildcard from the index", () => {
    expect(planOf({ kind: "wildcard", place: TEXT, pattern: "al*n" })).toMatchInlineSnapshot(`"{ "albumin" }"`);
    expect(planOf({ kind: "wildcard", place: TEXT, pattern: "alpin?" })).toMatchInlineSnapshot(`"{ "alpine" }"`);
    expect(planOf({ kind: "wildcard", place: TEXT, pattern: "al*?" })).toMatchInlineSnapshot(
      `"{ "albumin" OR "alp" OR "alpine" }"`,
    );
    expect(planOf({ kind: "wildcard", place: at("title"), pattern: "al*" })).toMatchInlineSnapshot(
      `"{ "_1_albumin" OR "_1_alp" OR "_1_alpine" }"`,
    );
    expect(planOf({ kind: "wildcard", place: TEXT, pattern: "x?z" })).toBe("none");
  });

  it("takes the words that are near to a fuzzy one from the index", () => {
    expect(planOf({ kind: "fuzzy", place: TEXT, word: "alpin", edits: 1 })).toMatchInlineSnapshot(`"{ "alpine" }"`);
    expect(planOf({ kind: "fuzzy", place: TEXT, word: "labumin", edits: 1 })).toMatchInlineSnapshot(`"{ "albumin" }"`);
    expect(planOf({ kind: "fuzzy", place: at("title", "ph"), word: "albu", edits: 2 })).toMatchInlineSnapshot(
      `"{ "_1_alp" OR "_2_alp" }"`,
    );
    expect(planOf({ kind: "fuzzy", place: TEXT, word: "zzz", edits: 1 })).toBe("none");
  });

  it("asks about elements by sets of each group's own", () => {
    const name = (path: string): Clause => ({ kind: "words", place: at(path), words: ["a", "b"] });
    const group = (path: string, ...of: Clause[]): Clause => ({ kind: "element", path, of: all(...of) });
    expect(planOf(group("samples", name("samples.name"), not(word("c")))).split(", ")).toMatchInlineSnapshot(`
      [
        "element 5: all({ "_6_a _6_b" }",
        "not(any({ "_6_c" OR "_7_c" OR "_8_c" }",
        "{ ("_0_c") AND ("@5" OR "@6" OR "@7" OR "@8") })))",
      ]
    `);
    expect(planOf(group("samples", group("samples.steps", name("samples.steps.name"), range)))).toMatchInlineSnapshot(
      `"element 5: element 7: all({ "_8_a _8_b" }, numbers 2: [2 Infinity])"`,
    );
    const near = group("samples", { kind: "fuzzy", place: TEXT, word: "albumn", edits: 1 });
    expect(planOf(near).split(", ")).toMatchInlineSnapshot(`
      [
        "element 5: any({ "_6_albumin" OR "_7_albumin" OR "_8_albumin" }",
        "{ ("_0_albumin") AND ("@5" OR "@6" OR "@7" OR "@8") })",
      ]
    `);
    expect(
      planOf(group("samples", { kind: "cites", vocabularies: ["v"], id: "x", within: false })),
    ).toMatchInlineSnapshot(`"element 5: { "~5~v:x" OR "~6~v:x" OR "~7~v:x" OR "~8~v:x" }"`);
    expect(planOf(all(word("a"), group("no", word("b"))))).toBe("none");
  });

  it("asks in several MATCHes for very many words", () => {
    const expand = () => Array.from({ length: 1_300 }, (_, i) => `w${i}`);
    const plan = compileQuery({ kind: "wildcard", place: TEXT, pattern: "w*1" }, { ...context, expand });
    expect(show(plan).split(" + ")).toHaveLength(3);
  });

  it("makes one MATCH of existence and citations", () => {
    expect(planOf({ kind: "exists", paths: ["title", "ph"] })).toMatchInlineSnapshot(`"{ "?1" OR "?2" }"`);
    const cites: Clause = { kind: "cites", vocabularies: ["species", "x_y"], id: "Taxid:5 é", within: false };
    expect(planOf(cites)).toMatchInlineSnapshot(
      `"any({ "~species:^taxid%3a5%20%c3%a9" }, { "~x_y:^taxid%3a5%20%c3%a9" })"`,
    );
    expect(planOf({ ...cites, vocabularies: ["species"], sites: ["organism", "no"] })).toMatchInlineSnapshot(
      `"{ "~4~species:^taxid%3a5%20%c3%a9" }"`,
    );
  });

  it("keeps the leaves of Boolean trees apart, for the sets that may be kept of each", () => {
    expect(planOf(all(word("a"), any(word("b"), word("c"))))).toMatchInlineSnapshot(
      `"all({ "a" }, any({ "b" }, { "c" }))"`,
    );
    expect(planOf(all(word("a"), all(word("b"), not(not(word("c"))))))).toMatchInlineSnapshot(
      `"all({ "a" }, { "b" }, { "c" })"`,
    );
    expect(planOf(any())).toBe("none");
    expect(planOf(all())).toBe("every");
  });

  it("asks columns for numbers and dates, and the values themselves for keywords", () => {
    expect(planOf(range)).toMatchInlineSnapshot(`"numbers 2: [2 Infinity]"`);
    expect(planOf({ ...range, type: "date", to: { value: 5, inclusive: false } })).toMatchInlineSnapshot(
      `"numbers 2: [2 5}"`,
    );
    const keywords: Clause = { kind: "range", paths: ["title"], type: "keyword", to: { value: "b", inclusive: true } };
    expect(planOf(keywords)).toMatchInlineSnapshot(`"keywords 1: undefined b"`);
    expect(planOf({ ...keywords, paths: ["organism.id", "title", "no"] })).toMatchInlineSnapshot(
      `"any(range undefined b at 3, keywords 1: undefined b)"`,
    );
    expect(planOf({ ...keywords, paths: ["no"] })).toBe("none");
    expect(planOf({ ...range, paths: ["no"] })).toBe("none");
  });

  it("asks for what lies below a term where its vocabulary has a hierarchy, else for the term", () => {
    const within: Clause = { kind: "cites", vocabularies: ["species"], id: "sp:1", sites: ["organism"], within: true };
    expect(planOf(within)).toMatchInlineSnapshot(`"any(within species sp:1 at 3, { "~4~species:sp%3a1" })"`);
    expect(planOf({ kind: "cites", vocabularies: ["species"], id: "sp:1", within: true })).toMatchInlineSnapshot(
      `"any(within species sp:1 at 3, { "~species:sp%3a1" })"`,
    );
    const anywhere: Clause = { kind: "cites", vocabularies: ["species"], id: "sp:1", within: true };
    expect(planOf({ kind: "element", path: "samples", of: anywhere })).toBe("element 5: none");
    expect(planOf({ ...within, vocabularies: ["flat"] })).toMatchInlineSnapshot(`"{ "~4~flat:sp%3a1" }"`);
  });

  it("looks at words only: signs and capitals are none", () => {
    expect(planOf(word(""))).toBe("none");
    for (const sign of ['"', "@", "?", "*", "#1", "_1_a", "NEAR", "a b", "~species:x", "=a"]) {
      expect(planOf(word(sign))).toBe("none");
      expect(planOf({ kind: "words", place: at("title"), words: [sign] })).toBe("none");
      if (sign !== "?" && sign !== "*") {
        expect(planOf({ kind: "wildcard", place: TEXT, pattern: `a*${sign}` })).toBe("none");
      }
    }
  });
});

describe("compileTest", () => {
  const steps = (clause: Clause, plain?: string[]): string[] =>
    bestMatchRecordSteps({ clause, ...(plain && { plain }) }).map(
      ({ number, test }) => `${number} ${show(compileTest(test, context))}`,
    );

  it("asks for less with each step", () => {
    expect(steps(word("a", "b"), ["a", "b"])).toMatchInlineSnapshot(`
      [
        "1 { "=wa_b" }",
        "2 { "=ta_b_" }",
        "3 { "=ta_b_" * }",
        "4 { title : "a b" }",
        "5 { {title heavy} : "a b" }",
        "6 every",
      ]
    `);
  });

  it("never restricts what stands under NOT, nor fielded words", () => {
    const fielded: Clause = { kind: "words", place: at("title"), words: ["b"] };
    expect(steps(all(word("a"), not(word("c")), fielded))).toMatchInlineSnapshot(`
      [
        "4 all({ title : "a" }, not({ "c" }), { "_1_b" })",
        "5 all({ {title heavy} : "a" }, not({ "c" }), { "_1_b" })",
        "6 every",
      ]
    `);
    expect(steps(all(fielded, not(word("c"))))).toHaveLength(1);
  });

  it("looks in elements at the paths that are titles or heavy in the model of the record", () => {
    const group: Clause = { kind: "element", path: "samples", of: all(word("a"), not(word("b"))) };
    expect(steps(group)[0]!.split(", ")).toMatchInlineSnapshot(`
      [
        "4 element 5: all({ "_6_a" } in mst spr",
        "not(any({ "_6_b" OR "_7_b" OR "_8_b" }",
        "{ ("_0_b") AND ("@5" OR "@6" OR "@7" OR "@8") })))",
      ]
    `);
  });
});
