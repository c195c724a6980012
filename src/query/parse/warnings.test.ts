/** What is said of a query that was read otherwise than it was written: every code, and every such reading. */
import { describe, expect, it } from "vitest";
import { tinyModel, tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import { ISSUE_CODES } from "../../core/issue.js";
import { recordFields } from "../fields/field-lookup.js";
import { resolveQuery } from "../resolve/resolve.js";
import { parseQuery } from "./parse.js";
import { printQuery } from "./print.js";

/** As the species, but without a hierarchy. */
const flat = tinyVocabulary("flat", {
  idPrefixes: ["fl"],
  idPattern: "fl:\\d+",
  hierarchy: false,
});
const fields = recordFields([tinyModel()], [tinyVocabulary(), flat]);

function read(query: string) {
  const parsed = parseQuery(query, fields);
  const resolved = resolveQuery(parsed.tree, fields, 0);
  const warnings = [...parsed.warnings, ...resolved.warnings];
  const fallback = parsed.fallback || resolved.fallback;
  return { parsed: printQuery(parsed.tree), fallback, codes: warnings.map(({ code }) => code), warnings };
}

type Row = readonly [query: string, parsed: string, ...codes: string[]];

/** Read otherwise than written. */
const FALLBACKS: readonly Row[] = [
  ['title:"a b', 'title:"a b"', "QUERY_QUOTE_CLOSED"],
  ["a (b OR c", "a AND (b OR c)", "QUERY_BRACKET_CLOSED"],
  ["ph:[1 TO 2", "ph:[1 TO 2]", "QUERY_BRACKET_CLOSED"],
  ["samples:(name:a", "samples:(name:a)", "QUERY_BRACKET_CLOSED"],
  ["a) b", "a AND b", "QUERY_BRACKET_DROPPED"],
  ["a AND OR b", "a AND b", "QUERY_OPERATOR_DROPPED"],
  ["a NOT", "a", "QUERY_OPERATOR_DROPPED"],
  ["a + b", "a AND b", "QUERY_OPERATOR_DROPPED"],
  ["ph:[1 2]", "ph:1 AND 2]", "QUERY_RANGE_INVALID"],
  ["ph:>", "ph:*", "QUERY_RANGE_INVALID"],
  ["ph:[TO 2]", "ph:<=2", "QUERY_RANGE_INVALID"],
  ["[a TO b]", "[a AND TO AND b]", "QUERY_RANGE_INVALID"],
  ["ph:>abc", "ph:>abc", "QUERY_RANGE_AS_TEXT"],
  ["measured:[2024-13 TO x]", "measured:[2024-13 TO x]", "QUERY_RANGE_AS_TEXT", "QUERY_RANGE_AS_TEXT"],
  ["*foo", "\\*foo", "QUERY_WILDCARD_REFUSED"],
  ["title:?foo", "title:\\?foo", "QUERY_WILDCARD_REFUSED"],
  ["*β", "\\*β", "QUERY_WILDCARD_REFUSED"],
  ["*-6", "\\*-6", "QUERY_WILDCARD_REFUSED"],
  ["IL-*", "il", "QUERY_WILDCARD_IGNORED"],
  ["TNFα*", "tnf\\ alpha", "QUERY_WILDCARD_IGNORED"],
  ["/lyso.*/", "lyso", "QUERY_WILDCARD_IGNORED"],
  ['"a b"~5', '"a b"', "QUERY_FUZZY_IGNORED"],
  ["a-b~", "a-b", "QUERY_FUZZY_IGNORED"],
  ["lyzozyme~7", "lyzozyme~2", "QUERY_FUZZY_REDUCED"],
  ["foo:[1 TO 5]", "foo AND 1 AND 5", "QUERY_FIELD_UNKNOWN"],
  ["foo:>5", "foo\\:>5", "QUERY_FIELD_UNKNOWN"],
  ["foo:(a OR b)", "foo\\: AND (a OR b)", "QUERY_FIELD_UNKNOWN"],
  ["_exists_:foo", "_exists_\\:foo", "QUERY_FIELD_UNKNOWN"],
  ["KD < 10 nM", "KD:<10nM", "QUERY_READ_AS"],
  ["ph 7.4", "ph:7.4 OR (ph AND 7.4)", "QUERY_READ_AS"],
  ["kd:10-100 nM", "kd:[10 TO 100nM]", "QUERY_READ_AS"],
  ["title:", "title", "QUERY_FIELD_EMPTY"],
  ["organism.within:", "organism", "QUERY_FIELD_EMPTY"],
  ["organism.within:xyz", 'organism:"xyz"', "QUERY_ID_UNKNOWN"],
  ["/", "", "QUERY_EMPTY"],
  ['""', "", "QUERY_EMPTY"],
  ["AND", "and", "QUERY_OPERATOR_DROPPED", "QUERY_EMPTY"],
  ["&&", "", "QUERY_OPERATOR_DROPPED", "QUERY_EMPTY"],
  ["AND OR", "and AND or", "QUERY_OPERATOR_DROPPED", "QUERY_OPERATOR_DROPPED", "QUERY_EMPTY"],
];

/** Read as written; there is something to say about it. */
const REMARKS: readonly Row[] = [
  ["a^2 (b c)^3", "a AND b AND c", "QUERY_BOOST_IGNORED"],
  ["Titel:x", "Titel\\:x", "QUERY_FIELD_UNKNOWN"],
  ["title = lysozyme", "title AND lysozyme", "QUERY_FIELD_NEAR"],
  ["samples:(ph:2)", "samples:(ph:2)", "QUERY_FIELD_OUTSIDE"],
  ["a-b*c", "a AND b*c", "QUERY_WILDCARD_SPLIT"],
  ["kd:<10", "kd:<10", "QUERY_UNIT_MISSING"],
  ["kd:<10K", "kd:<10K", "QUERY_UNIT_MISMATCH"],
  ["kd:<10furlongs", "kd:<10furlongs", "QUERY_UNIT_UNKNOWN"],
  ["measured:2024-13", "measured:2024-13", "QUERY_DATE_INVALID"],
  ['measured:"2024-02-31"', 'measured:"2024-02-31"', "QUERY_DATE_INVALID"],
  ["stated:yes", "stated:yes", "QUERY_VALUE_UNKNOWN"],
  ["organism.within:fl:1", "organism.within:fl:1", "QUERY_WITHIN_FLAT"],
];

describe("a query that is read otherwise than it was written says so", () => {
  it.each(FALLBACKS)("%s is read as %s: %s", (query, parsed, ...codes) => {
    expect(read(query)).toMatchObject({ parsed, fallback: true, codes });
  });
});

it.each(REMARKS)("%s is read as %s, with a remark: %s", (query, parsed, ...codes) => {
  expect(read(query)).toMatchObject({ parsed, fallback: false, codes });
});

it("says nothing of a star that changes nothing", () => {
  expect(read("東京*")).toEqual({ ...read("東\\ 京"), codes: [] });
});

it.each([...FALLBACKS, ...REMARKS])("what is said of %s names the parameter in a sentence", (query) => {
  for (const { message, parameter } of read(query).warnings) {
    expect(parameter).toBe("q");
    expect(message).toMatch(/^["A-Z][\s\S]*\.$/u);
  }
});

it("says each of the codes that there are", () => {
  const said = new Set([...FALLBACKS, ...REMARKS].flatMap(([, , ...codes]) => codes));
  expect([...said].sort()).toEqual(
    Object.keys(ISSUE_CODES)
      .filter((code) => code.startsWith("QUERY_"))
      .sort(),
  );
});
