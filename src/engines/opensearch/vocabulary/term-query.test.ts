import { describe, expect, it } from "vitest";
import { tinyVocabulary } from "../../../../test/support/tiny-catalog.js";
import type { Clause } from "../../../query/index-model/clause.js";
import { bestMatchTermSteps } from "../../../query/ranking/term-steps.js";
import { hasToken } from "../query/dsl.js";
import { compileStepQuery, compileTermQuery } from "./term-query.js";

const place = { vocabulary: "species", belowQuery: (id: string) => hasToken("id", [`${id}-child`]) };
const queryOf = (clause: Clause) => compileTermQuery(clause, "title", place);
const text = { in: "text" } as const;
const atRank = { in: "paths", paths: ["props.rank"] } as const;

describe("queries of terms", () => {
  it.each<[string, Clause, object]>([
    ["a word", { kind: "words", place: text, words: ["coli"] }, { term: { title: "coli" } }],
    [
      "a phrase",
      { kind: "words", place: text, words: ["e", "coli"] },
      { match_phrase: { title: { query: "e coli" } } },
    ],
    ["a word of a field", { kind: "words", place: atRank, words: ["genus"] }, { term: { at: "props.rank_genus" } }],
    [
      "the first letters of a word, which are a term of their own",
      { kind: "prefix", place: text, words: ["esc"] },
      { term: { "title.begin": "esc" } },
    ],
    [
      "the beginning of a word, however many words have it",
      { kind: "prefix", place: text, words: ["esche"] },
      { prefix: { title: { value: "esche", rewrite: "constant_score" } } },
    ],
    [
      "a phrase with the beginning of a word, however many words have it",
      { kind: "prefix", place: text, words: ["e", "colib"] },
      { match_phrase_prefix: { title: { query: "e colib", max_expansions: 2_147_483_647 } } },
    ],
    [
      "a phrase with the first letters of a word",
      { kind: "prefix", place: text, words: ["e", "c"] },
      {
        span_near: {
          clauses: [
            { span_term: { title: { value: "e" } } },
            { field_masking_span: { query: { span_term: { "title.begin": { value: "c" } } }, field: "title" } },
          ],
          slop: 0,
          in_order: true,
        },
      },
    ],
    [
      "a pattern in a field",
      { kind: "wildcard", place: atRank, pattern: "g?n*" },
      { wildcard: { at: { value: "props.rank_g?n*", rewrite: "constant_score" } } },
    ],
    [
      "a fuzzy word of a field, whose path is exact",
      { kind: "fuzzy", place: atRank, word: "gens", edits: 1 },
      {
        fuzzy: {
          at: {
            value: "props.rank_gens",
            fuzziness: 1,
            prefix_length: 11,
            rewrite: "constant_score",
          },
        },
      },
    ],
    ["a value", { kind: "exists", paths: ["props.rank"] }, { term: { at: "?props.rank" } }],
    [
      "a range of numbers",
      { kind: "range", paths: ["props.size"], type: "number", from: { value: 1, inclusive: false } },
      { range: { "number.props_2e_size": { gt: 1 } } },
    ],
    [
      "a range of keywords, of one path",
      { kind: "range", paths: ["id"], type: "keyword", from: { value: "b", inclusive: true } },
      { range: { keyword: { gte: "id\u0001b", lt: "id\u0002" } } },
    ],
    [
      "an item and all below it",
      { kind: "cites", vocabularies: ["species"], id: "sp:1", within: true },
      { terms: { id: ["sp:1", "sp:1-child"] } },
    ],
    [
      "an item of another vocabulary",
      { kind: "cites", vocabularies: ["x"], id: "1", within: true },
      { match_none: {} },
    ],
  ])("look up %s", (_, clause, query) => {
    expect(queryOf(clause)).toEqual(query);
  });

  it("look for what is negated in all text, and leave it out", () => {
    const [a, b] = ["a", "b"].map((word): Clause => ({ kind: "words", place: text, words: [word] }));
    expect(queryOf({ kind: "all", of: [a!, { kind: "not", of: b! }] })).toEqual({
      bool: {
        filter: [{ term: { title: "a" } }],
        must_not: [
          {
            bool: {
              should: ["title", "names", "rest"].map((column) => ({ term: { [column]: "b" } })),
              minimum_should_match: 1,
            },
          },
        ],
      },
    });
  });

  it("name more values than one query can in several", () => {
    const ids = Array.from({ length: 70_000 }, (_, n) => `${n}`);
    const { bool } = hasToken("id", ids) as { bool: { should: { terms: { id: string[] } }[] } };
    expect(bool.should.map(({ terms }) => terms.id.length)).toEqual([65_536, 4_464]);
  });

  it("ask for each step of a ranking", () => {
    const clause: Clause = { kind: "words", place: text, words: ["562"] };
    const steps = bestMatchTermSteps(clause, { words: ["562"], url: [] }, tinyVocabulary());
    expect(steps.map(({ number, test }) => [number, compileStepQuery(test, place)])).toEqual([
      [1, { term: { whole: "0562" } }],
      [2, { term: { whole: "1562" } }],
      [3, { term: { whole: "2562" } }],
      [4, { term: { title: "\uE000562" } }],
      [5, { term: { title: "562" } }],
      [6, { bool: { should: [{ term: { title: "562" } }, { term: { names: "562" } }], minimum_should_match: 1 } }],
      [7, { match_all: {} }],
    ]);
  });
});
