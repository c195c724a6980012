import { describe, expect, it } from "vitest";
import { tinyCatalog } from "../../../../test/support/tiny-catalog.js";
import type { Clause, TextScope } from "../../../query/index-model/clause.js";
import { bestMatchRecordSteps } from "../../../query/ranking/record-steps.js";
import { numberPaths } from "../documents/index-fields.js";
import { compileQuery, compileTest, makeCompileContext } from "./compile-query.js";

const catalog = tinyCatalog();
const numbers = numberPaths(catalog, ["metadata.title", "metadata.ph", "metadata.samples", "metadata.samples.name"]);
const context = makeCompileContext(catalog, numbers);

const TEXT: TextScope = { in: "text" };
const at = (...paths: string[]): TextScope => ({ in: "paths", paths: paths.map((path) => `metadata.${path}`) });
const words = (place: TextScope, ...all: string[]): Clause => ({ kind: "words", place, words: all });
const group = (path: string, of: Clause): Clause => ({ kind: "element", path: `metadata.${path}`, of });

/** The query as a line: `=` is term or terms, `…` a prefix, `"` a phrase, `~` fuzzy, `e[ ]` nested. */
function show(query: object): string {
  const [kind, of] = Object.entries(query)[0] as [string, Record<string, never>];
  const [field, value] = (Object.entries(of)[0] ?? []) as [string, never];
  const list = (queries: object[], sign: string): string => `(${queries.map(show).join(sign)})`;
  switch (kind) {
    case "term":
      return `${field}=${value}`;
    case "terms":
      return `${field}=${(value as string[]).join("|")}`;
    case "prefix":
      return `${field}=${(value as { value: string }).value}…`;
    case "match_phrase":
      return `${field}="${(value as { query: string }).query}"`;
    case "match_phrase_prefix":
      return `${field}="${(value as { query: string }).query}…"`;
    case "nested":
      return `${of.path}[${show(of.query!)}]`;
    case "bool": {
      if (of.should !== undefined) return list(of.should, " or ");
      const negated = ((of.must_not ?? []) as object[]).map((each) => `not((${show(each)}))`);
      if (of.filter === undefined) return negated.join(" and ");
      return `(${[...(of.filter as object[]).map(show), ...negated].join(" and ")})`;
    }
    default:
      return JSON.stringify(query).replaceAll('"', "");
  }
}

const queryOf = (clause: Clause): string => show(compileQuery(clause, context));

describe("compileQuery", () => {
  it("looks for words, phrases and beginnings in all text, or with their paths", () => {
    expect(queryOf(words(TEXT, "serum"))).toBe("(t=serum or h=serum or r=serum)");
    expect(queryOf(words(at("title", "ph", "no"), "serum"))).toBe("at=_1_serum|_2_serum");
    expect(queryOf(words(at("title"), "serum", "albumin"))).toBe('at="_1_serum _1_albumin"');
    expect(queryOf({ kind: "prefix", place: at("title"), words: ["alb"] })).toBe("at=_1_alb…");
    expect(queryOf({ kind: "prefix", place: at("title"), words: ["serum", "alb"] })).toBe('at="_1_serum _1_alb…"');
    expect(queryOf(words(at("no"), "serum"))).toBe("{match_none:{}}");
  });

  it("looks for all words of which any will do by one query of each field", () => {
    const typed = { kind: "prefix", place: TEXT, words: ["b"] } as const;
    const any: Clause = { kind: "any", of: [words(TEXT, "a"), { kind: "any", of: [typed, words(TEXT, "c")] }] };
    expect(queryOf(any)).toBe("(t=a|c or h=a|c or r=a|c or t=b… or h=b… or r=b…)");
    const both: Clause = { kind: "any", of: [{ kind: "all", of: [words(TEXT, "a"), any] }, words(at("title"), "d")] };
    expect(queryOf(both)).toBe(`(at=_1_d or ((t=a or h=a or r=a) and ${queryOf(any)}))`);
  });

  it("has no limit of words that a beginning, a pattern or a typo may stand for", () => {
    expect(queryOf({ kind: "wildcard", place: at("title"), pattern: "a?b*" })).toBe(
      "{wildcard:{at:{value:_1_a?b*,rewrite:constant_score}}}",
    );
    expect(queryOf({ kind: "fuzzy", place: at("title"), word: "serum", edits: 2 })).toBe(
      "{fuzzy:{at:{value:_1_serum,fuzziness:2,prefix_length:3,rewrite:constant_score}}}",
    );
    const prefix = compileQuery({ kind: "prefix", place: at("title"), words: ["serum", "alb"] }, context);
    expect(prefix).toMatchObject({ match_phrase_prefix: { at: { max_expansions: 2 ** 31 - 1 } } });
  });

  it("asks about one element by a query of its own, and for what lies in it", () => {
    expect(queryOf(group("samples", words(at("samples.name"), "a")))).toBe("e[(e.k=@3 and e.at=_4_a)]");
    expect(queryOf(group("samples", words(TEXT, "a")))).toBe(
      "e[(e.k=@3 and (e.t=a or e.h=a or e.r=a or e.e[(e.e.t=a or e.e.h=a or e.e.r=a)]))]",
    );
    const steps = numbers.tokenOf("metadata.samples.steps");
    const name = numbers.tokenOf("metadata.samples.steps.name");
    expect(queryOf(group("samples", { kind: "not", of: words(at("samples.steps.name"), "a") }))).toBe(
      `e[(e.k=@3 and not((e.e[e.e.at=_${name}_a])))]`,
    );
    expect(queryOf(group("samples", group("samples.steps", words(at("samples.steps.name"), "a"))))).toBe(
      `e[(e.k=@3 and e.e[(e.e.k=@${steps} and e.e.at=_${name}_a)])]`,
    );
    expect(queryOf(group("no", words(TEXT, "a")))).toBe("{match_none:{}}");
  });

  it("compares numbers in fields of their own, others and keywords as tokens", () => {
    const range = { kind: "range", from: { value: 2, inclusive: true } } as const;
    expect(queryOf({ ...range, type: "number", paths: ["metadata.ph"] })).toBe("{range:{n.2:{gte:2}}}");
    expect(queryOf({ ...range, type: "number", paths: ["metadata.ph@odd"] })).toBe(
      "{range:{v:{gte:metadata.ph@odd\\u0002c000000000000000,lt:metadata.ph@odd\\u0003}}}",
    );
    expect(queryOf({ ...range, type: "keyword", paths: ["metadata.title"] })).toBe(
      "{range:{v:{gte:1\\u00012,lt:1\\u0002}}}",
    );
    const everyNumber = { value: Number.NEGATIVE_INFINITY, inclusive: true };
    expect(queryOf({ kind: "range", type: "number", paths: ["metadata.ph"], from: everyNumber })).toBe(
      "{exists:{field:n.2}}",
    );
  });

  it("finds what cites a term, and what cites something below it", () => {
    const cites = { kind: "cites", vocabularies: ["species"], id: "sp:1" } as const;
    const site = numbers.tokenOf("metadata.organism");
    expect(queryOf({ ...cites, within: false })).toBe("k=~~species:sp%3a1");
    expect(queryOf({ ...cites, within: true, sites: ["metadata.organism"] })).toBe(
      `k=~${site}~species:sp%3a1|^${site}~species:sp%3a1`,
    );
    expect(queryOf(group("samples", { ...cites, within: false }))).toBe(
      "e[(e.k=@3 and (e.k=~~species:sp%3a1 or e.e[e.e.k=~~species:sp%3a1]))]",
    );
  });

  it("looks at words only: signs, capitals and blanks are none", () => {
    for (const sign of ["", '"', "@", "?", "_1_a", "A", "a b", "a\u2028b", "~species:x"]) {
      expect(queryOf(words(TEXT, sign))).toBe("{match_none:{}}");
      expect(queryOf(words(at("title"), "a", sign))).toBe("{match_none:{}}");
    }
  });

  it("looks for less with each step of the ranking", () => {
    const steps = bestMatchRecordSteps({ clause: words(TEXT, "a", "b"), plain: ["a", "b"] });
    expect(steps.map(({ test }) => show(compileTest(test, context)))).toEqual([
      "k==wa_b",
      "k==ta_b_",
      "k==ta_b_…",
      't="a b"',
      '(t="a b" or h="a b")',
      "{match_all:{}}",
    ]);
  });
});
