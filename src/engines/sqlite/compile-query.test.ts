import { describe, expect, it } from "vitest";
import type { Clause, Place } from "../../query/clause.js";
import { compilePattern } from "../../query/fits-pattern.js";
import { bestMatchSteps } from "./best-match.js";
import { type CompileContext, compileQuery } from "./compile-query.js";
import { type ElementGroup, type ElementPlan, EVERYTHING, type Plan } from "./plan.js";
import { makeEditTest } from "./within-edits.js";

const PATHS: Readonly<Record<string, number>> = {
  ...{ title: 1, ph: 2, "organism.id": 3, organism: 4 },
  ...{ samples: 5, "samples.name": 6, "samples.steps": 7, "samples.steps.name": 8 },
};
const WORDS = ["albumin", "alpine", "_1_albumin", "_1_alp", "_2_albumin", "_6_albumin", "b1", "1b"];

const below = (path: string): number[] =>
  Object.entries(PATHS).flatMap(([other, id]) => (other.startsWith(`${path}.`) ? id : []));

const context: CompileContext = {
  idOf: (path) => PATHS[path],
  expand: (beginning, rest) =>
    WORDS.filter((word) => word.startsWith(beginning) && compilePattern(rest).test(word.slice(beginning.length))),
  similar: (beginning, word, edits) =>
    WORDS.filter((other) => other.startsWith(beginning) && makeEditTest(word, edits)(other.slice(beginning.length))),
  below,
  textBelow: (path, columns) =>
    columns === undefined ? [{ paths: [0, ...below(path)] }] : [{ paths: [6], models: ["mst", "spr"] }],
};

const TEXT: Place = { in: "text" };
const at = (...paths: string[]): Place => ({ in: "paths", paths });
const word = (...words: string[]): Clause => ({ kind: "words", place: TEXT, words });
const range: Clause = { kind: "range", paths: ["ph", "no"], type: "number", from: { value: 2, inclusive: true } };
const all = (...of: Clause[]): Clause => ({ kind: "all", of });
const any = (...of: Clause[]): Clause => ({ kind: "any", of });
const not = (of: Clause): Clause => ({ kind: "not", of });

/** A plan as one line: `{ }` is a MATCH, `scan` goes through values. */
function show(plan: Plan): string {
  switch (plan.kind) {
    case "match":
      return plan.match.kind === "text" ? `{ ${plan.match.text} }` : plan.match.kind;
    case "alternatives":
      return `${plan.matches.length} alternatives`;
    case "scan":
      return `scan(${[...plan.test.paths].join(" ")} of ${show({ kind: "match", match: plan.narrow })})`;
    case "rows":
      return `rows(${plan.ids.join(" ")})`;
    case "element":
      return showGroup(plan.group);
    case "not":
      return `not(${show(plan.of)})`;
    default:
      return `${plan.kind}(${plan.of.map(show).join(", ")})`;
  }
}

const showGroup = ({ path, under, of }: ElementGroup): string =>
  `element ${path} over ${[...under].slice(1).join(" ")}: ${showInside(of)}`;

function showInside(plan: ElementPlan): string {
  switch (plan.kind) {
    case "match":
      return plan.matches.map((match) => show({ kind: "match", match })).join(" + ") + showModels(plan.models);
    case "element":
      return `(${showGroup(plan.group)})`;
    case "scan":
      return show(plan);
    case "not":
      return `not(${showInside(plan.of)})`;
    default:
      return `${plan.kind}(${plan.of.map(showInside).join(", ")})`;
  }
}

const showModels = (models?: readonly string[]): string => (models === undefined ? "" : ` in ${models.join(" ")}`);

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
      `"{ "albumin" OR "alpine" }"`,
    );
    expect(planOf({ kind: "wildcard", place: at("title"), pattern: "al*" })).toMatchInlineSnapshot(
      `"{ "_1_albumin" OR "_1_alp" }"`,
    );
    expect(planOf({ kind: "wildcard", place: TEXT, pattern: "x?z" })).toBe("none");
  });

  it("takes the words that are near to a fuzzy one from the index", () => {
    expect(planOf({ kind: "fuzzy", place: TEXT, word: "alpin", edits: 1 })).toMatchInlineSnapshot(`"{ "alpine" }"`);
    expect(planOf({ kind: "fuzzy", place: TEXT, word: "labumin", edits: 1 })).toMatchInlineSnapshot(`"{ "albumin" }"`);
    expect(planOf({ kind: "fuzzy", place: at("title", "ph"), word: "albu", edits: 2 })).toMatchInlineSnapshot(
      `"{ "_1_alp" }"`,
    );
    expect(planOf({ kind: "fuzzy", place: TEXT, word: "zzz", edits: 1 })).toBe("none");
  });

  it("asks about elements by sets of each group's own", () => {
    const name = (path: string): Clause => ({ kind: "words", place: at(path), words: ["a", "b"] });
    const group = (path: string, ...of: Clause[]): Clause => ({ kind: "element", path, of: all(...of) });
    expect(planOf(group("samples", name("samples.name"), not(word("c"))))).toMatchInlineSnapshot(
      `"element 5 over 6 7 8: all({ "_6_a _6_b" }, not(any({ "_0_c" OR "_6_c" OR "_7_c" OR "_8_c" })))"`,
    );
    expect(planOf(group("samples", group("samples.steps", name("samples.steps.name"), range)))).toMatchInlineSnapshot(
      `"element 5 over 6 7 8: all((element 7 over 8: all({ "_8_a _8_b" }, scan(2 of { "?2" }))))"`,
    );
    expect(planOf(group("samples", { kind: "fuzzy", place: TEXT, word: "albumn", edits: 1 }))).toMatchInlineSnapshot(
      `"element 5 over 6 7 8: all(any({ "_0_albumin" OR "_6_albumin" }))"`,
    );
    expect(
      planOf(group("samples", { kind: "cites", vocabularies: ["v"], id: "x", within: false })),
    ).toMatchInlineSnapshot(`"element 5 over 6 7 8: all({ "~5~v:x" OR "~6~v:x" OR "~7~v:x" OR "~8~v:x" })"`);
    expect(planOf(all(word("a"), group("no", word("b"))))).toBe("none");
  });

  it("asks in several MATCHes for very many words", () => {
    const expand = () => Array.from({ length: 1_300 }, (_, i) => `w${i}`);
    const plan = compileQuery({ kind: "wildcard", place: TEXT, pattern: "w*1" }, { ...context, expand });
    expect(show(plan)).toBe("3 alternatives");
  });

  it("makes one MATCH of existence and citations", () => {
    expect(planOf({ kind: "exists", paths: ["title", "ph"] })).toMatchInlineSnapshot(`"{ "?1" OR "?2" }"`);
    const cites: Clause = { kind: "cites", vocabularies: ["species", "x_y"], id: "Taxid:5 é", within: false };
    expect(planOf(cites)).toMatchInlineSnapshot(`"{ "~species:^taxid%3a5%20%c3%a9" OR "~x_y:^taxid%3a5%20%c3%a9" }"`);
    expect(planOf({ ...cites, vocabularies: ["species"], sites: ["organism", "no"] })).toMatchInlineSnapshot(
      `"{ "~4~species:^taxid%3a5%20%c3%a9" }"`,
    );
  });

  it("folds Boolean trees of text into one MATCH", () => {
    expect(planOf(all(word("a"), any(word("b"), word("c"))))).toMatchInlineSnapshot(`"{ "a" AND ("b" OR "c") }"`);
    expect(planOf(all(word("a"), not(word("b"))))).toMatchInlineSnapshot(`"{ "a" NOT "b" }"`);
    expect(planOf(not(any(word("a"), word("b"))))).toMatchInlineSnapshot(`"{ "@" NOT ("a" OR "b") }"`);
    expect(planOf(all(word("a"), { kind: "everything" }))).toMatchInlineSnapshot(`"{ "a" }"`);
    expect(planOf(all(word("a"), { kind: "nothing" }))).toBe("none");
    expect(planOf(any(range, { kind: "everything" }))).toBe("every");
    expect(planOf(all())).toBe("every");
    expect(planOf(any())).toBe("none");
  });

  it("goes through the values of what else was found for a range", () => {
    expect(planOf(range)).toMatchInlineSnapshot(`"scan(2 of { "?2" })"`);
    expect(planOf({ ...range, paths: ["no"] })).toBe("none");
    expect(planOf(all(range, word("a"), word("b")))).toMatchInlineSnapshot(
      `"all({ "a" AND "b" }, scan(2 of { "?2" }))"`,
    );
    expect(planOf(any(range, not(all(range, word("a")))))).toMatchInlineSnapshot(
      `"any(scan(2 of { "?2" }), not(all({ "a" }, scan(2 of { "?2" }))))"`,
    );
  });

  it("leaves what would be too deep for FTS5 to sets", () => {
    let deep: Clause = word("a");
    for (let i = 0; i < 30; i++) deep = i % 2 ? all(deep, word(`w${i}`)) : any(deep, word(`w${i}`));
    expect(planOf(deep)).toMatch(/^(all|any)\(/);
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

describe("bestMatchSteps", () => {
  const steps = (clause: Clause, plain?: string[]): string[] =>
    bestMatchSteps({ clause, ...(plain && { plain }) }, compileQuery(clause, context), EVERYTHING, context).map(
      ({ number, plan }) => `${number} ${show(plan)}`,
    );

  it("asks for each step without those before it", () => {
    expect(steps(word("a", "b"), ["a", "b"])).toMatchInlineSnapshot(`
      [
        "1 { "=a_b" AND "a b" }",
        "2 { (title : "?t a b ?t" AND "a b") NOT "=a_b" }",
        "3 { (title : "?t a b" AND "a b") NOT ("=a_b" OR title : "?t a b ?t") }",
        "4 { title : "a b" NOT ("=a_b" OR title : "?t a b") }",
        "5 { {title heavy} : "a b" NOT ("=a_b" OR title : "?t a b" OR title : "a b") }",
        "6 { "a b" NOT ("=a_b" OR title : "?t a b" OR {title heavy} : "a b") }",
      ]
    `);
  });

  it("never restricts what stands under NOT, nor fielded words", () => {
    const fielded: Clause = { kind: "words", place: at("title"), words: ["b"] };
    expect(steps(all(word("a"), not(word("c")), fielded))).toMatchInlineSnapshot(`
      [
        "4 { (title : "a" AND "_1_b") NOT "c" }",
        "5 { (({title heavy} : "a" AND "_1_b") NOT "c") NOT ((title : "a" AND "_1_b") NOT "c") }",
        "6 { (("a" AND "_1_b") NOT "c") NOT (({title heavy} : "a" AND "_1_b") NOT "c") }",
      ]
    `);
    expect(steps(all(fielded, not(word("c"))))).toHaveLength(1);
  });

  it("looks in elements at the paths that are titles or heavy in the model of the record", () => {
    const group: Clause = { kind: "element", path: "samples", of: all(word("a"), not(word("b"))) };
    expect(steps(group)[0]).toMatchInlineSnapshot(
      `"4 element 5 over 6 7 8: all(any({ "_6_a" } in mst spr), not(any({ "_0_b" OR "_6_b" OR "_7_b" OR "_8_b" })))"`,
    );
  });
});
