import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryQueryText } from "../../../test/support/query-arbitraries.js";
import { tinyModel, tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import { BinderyError } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { recordFields, termFields } from "../fields/field-lookup.js";
import { parseQuery, parseSuggestText } from "./parse.js";
import { printQuery } from "./print.js";
import { measureDepth, type QueryNode } from "./tree.js";

const records = recordFields([tinyModel()], [tinyVocabulary()]);
const terms = termFields(tinyVocabulary());

const tree = (text: string): QueryNode => parseQuery(text, records).tree;
const printed = (text: string): string => printQuery(tree(text));
const codes = (text: string): readonly string[] => parseQuery(text, records).warnings.map((warning) => warning.code);
const text = (words: string, field?: string): QueryNode => ({
  kind: "text",
  ...(field === undefined ? {} : { field }),
  text: words,
  quoted: false,
});

describe("valid syntax", () => {
  it.each([
    ["lysozyme binding", "lysozyme AND binding"],
    ['"serum albumin"', '"serum albumin"'],
    ["a OR b AND c", "a OR (b AND c)"],
    ["a b OR c", "(a AND b) OR c"],
    ["a && b || c", "(a AND b) OR c"],
    ["(a OR b) c", "(a OR b) AND c"],
    ["NOT a -b !c +d", "NOT a AND NOT b AND NOT c AND d"],
    ["NOT NOT a", "a"],
    ["-(a b)", "NOT (a AND b)"],
    ["(-a OR b)", "NOT a OR b"],
    ["NOT(a) AND(b)", "NOT a AND b"],
    ["a\tb\nc\u00a0d", "a AND b AND c AND d"],
    ["and or not", "and AND or AND not"],
    ["http://example.org/a?b=c", "http\\://example.org/a\\?b=c"],
    ["State:draft", "State:draft"],
    ["https://doi.org/10.5281/zenodo.1 a", "10.5281/zenodo.1 AND a"],
    ["-https://orcid.org/0000-0002-1825-0097", "NOT 0000-0002-1825-0097"],
    ["((((((((((((((((((((a))))))))))))))))))))", "a"],
    ["mono* mono?ith lyzozyme~ lyzozyme~1", "mono* AND mono?ith AND lyzozyme~ AND lyzozyme~1"],
    ["lyzozyme~0.8 lyzozyme~2 lyzozyme~0", "lyzozyme~ AND lyzozyme~2 AND lyzozyme"],
    ["* AND *:*", "* AND *"],
    ["IL-6* µM*", "IL-6* AND µM*"],
    ["title:a title:(a OR b)", "title:a AND (title:a OR title:b)"],
    ["metadata.samples.name:a samples.name:a", "metadata.samples.name:a AND samples.name:a"],
    ["depositor:(name:a b)", "depositor.name:a AND depositor:b"],
    ["TITLE:a organism.title.de:b", "TITLE:a AND organism.title.de:b"],
    ["title: a", "title:a"],
    ["_exists_:ph ph:*", "ph:* AND ph:*"],
    ["ph:[1 TO 2] ph:{1 TO 2} ph:[1 TO 2}", "ph:[1 TO 2] AND ph:{1 TO 2} AND ph:[1 TO 2}"],
    ["ph:[1 TO *] ph:{* TO 2}", "ph:>=1 AND ph:<2"],
    ["ph:[* TO *]", "ph:*"],
    ["ph:>=1 ph:>1 ph:<=1 ph:<1", "ph:>=1 AND ph:>1 AND ph:<=1 AND ph:<1"],
    ["ph:> 1", "ph:>1"],
    ["ph:(>=10 AND <20)", "ph:[10 TO 20}"],
    ["ph:(>=10 <20 OR 5)", "ph:[10 TO 20} OR ph:5"],
    ["ph:([1 TO 2] OR [5 TO 6])", "ph:[1 TO 2] OR ph:[5 TO 6]"],
    ["ph:-1 -ph:1", "ph:-1 AND NOT ph:1"],
    ["created:[2026-01-01T00:00:00Z TO *}", "created:>=2026-01-01T00:00:00Z"],
    ['created:["2026-01-01" TO now-30d]', "created:[2026-01-01 TO now-30d]"],
    ["created:[2026-01-01T00\\:00\\:00Z TO *]", "created:>=2026-01-01T00:00:00Z"],
    ["ph:[1 mM TO 5 mM]", 'ph:["1 mM" TO "5 mM"]'],
    ["sp:562 SP:562 organism:sp:562", "sp:562 AND SP:562 AND organism:sp:562"],
    ["organism:(sp:562 OR coli)", "organism:sp:562 OR organism:coli"],
    ["organism.within:sp:562", "organism.within:sp:562"],
    ['id:"sp:562" id:sp\\:562', 'id:"sp:562" AND id:sp\\:562'],
    ["samples:(name:a AND NOT steps:(duration:>3 x))", "samples:(name:a AND NOT steps:(duration:>3 AND x))"],
    ["samples:a", "samples:a"],
  ])("%s is read as %s", (query, expected) => {
    const { fallback, warnings } = parseQuery(query, records);
    expect(printed(query)).toBe(expected);
    expect({ fallback, codes: warnings.map(({ code }) => code) }).toMatchObject({ fallback: false });
  });

  it.each([
    ["7.4"],
    ["IL-6"],
    ["a/b"],
    ["5'-GMP"],
    ["Fe(III)"],
    ["(2S)-2-aminobutane"],
    ["bicyclo[2.2.1]heptane"],
    ["C++"],
    ["x&&y"],
    ["Tris:HCl"],
    ["pdb:2HCO"],
    ["https://example.org/a"],
    ["sp:x"],
    ["[a"],
    [">5"],
  ])("%s is one phrase", (query) => {
    const { tree: read, fallback, warnings } = parseQuery(query, records);
    expect({ read, fallback, warnings }).toEqual({ read: text(query), fallback: false, warnings: [] });
  });

  it("leaves out signs that say nothing", () => {
    expect(tree("R & D | …")).toEqual({ kind: "all", of: [text("R"), text("D")] });
    expect(tree('a NOT "…" b')).toEqual({ kind: "all", of: [text("a"), text("b")] });
  });

  it("tells numbers and known ids in a field from text in quotes", () => {
    expect(tree('ph:"2"')).toEqual({ kind: "text", field: "ph", text: "2", quoted: true });
    expect(tree('organism:"sp:562"')).toMatchObject({ kind: "text", quoted: true });
    expect(tree("title:sp:562")).toEqual(text("sp:562", "title"));
  });

  it("reads an id of the vocabulary that is searched as the item itself", () => {
    expect(parseQuery("sp:562", terms).tree).toEqual({ kind: "cites", id: "sp:562", within: false });
    expect(parseQuery("id:sp:562", terms).tree).toMatchObject({ kind: "cites", field: "id" });
    expect(parseQuery("parent:sp:562", terms).tree).toEqual(text("sp:562", "parent"));
    expect(parseQuery("genome_size:>5 rank:genus", terms).tree).toMatchObject({
      of: [{ kind: "range", field: "genome_size" }, text("genus", "rank")],
    });
  });

  it("accepts weights without effect and says so once", () => {
    expect(printed('a^3 "b c"^2 (d e)^2.5')).toBe('a AND "b c" AND d AND e');
    expect(codes('a^3 "b c"^2 (d e)^2.5')).toEqual(["QUERY_BOOST_IGNORED"]);
    expect(tree("10^-3")).toEqual(text("10^-3"));
  });

  it("names fields near to one that is not known", () => {
    expect(parseQuery("titel:x", records).warnings).toMatchObject([
      { code: "QUERY_FIELD_UNKNOWN", parameter: "q", value: "titel", nearest: ["title"] },
    ]);
    expect(codes("zzzzzzzz:x")).toEqual([]);
  });
});

describe("text that is not valid", () => {
  it.each([
    ['"open quote', '"open quote"', ["QUERY_QUOTE_CLOSED"]],
    ["C8H10N4O2 (caffeine", "C8H10N4O2 AND caffeine", ["QUERY_BRACKET_CLOSED"]],
    ["a)", "a", ["QUERY_BRACKET_DROPPED"]],
    ["AND a", "a", ["QUERY_OPERATOR_DROPPED"]],
    ["a OR", "a", ["QUERY_OPERATOR_DROPPED"]],
    ["a AND OR b", "a AND b", ["QUERY_OPERATOR_DROPPED"]],
    ["a - b", "a AND b", ["QUERY_OPERATOR_DROPPED"]],
    ["(a NOT) b", "a AND b", ["QUERY_OPERATOR_DROPPED"]],
    ["AND AND", "and", ["QUERY_OPERATOR_DROPPED", "QUERY_EMPTY"]],
    ["()", "", ["QUERY_EMPTY"]],
    ["…", "", ["QUERY_EMPTY"]],
    ["*ase", "\\*ase", ["QUERY_WILDCARD_REFUSED"]],
    ["IL-?R", "IL-\\?R", ["QUERY_WILDCARD_REFUSED"]],
    ["IL-6~", "IL-6", ["QUERY_FUZZY_IGNORED"]],
    ['"a b"~5', '"a b"', ["QUERY_FUZZY_IGNORED"]],
    ["title:", "title", ["QUERY_FIELD_EMPTY"]],
    ["(title:) a", "title AND a", ["QUERY_FIELD_EMPTY"]],
    ["ph:[5", "ph:5", ["QUERY_RANGE_INVALID"]],
    ["ph:[5]", "ph:5", ["QUERY_RANGE_INVALID"]],
    ["ph:[1 TO 2", "ph:[1 TO 2]", ["QUERY_BRACKET_CLOSED"]],
    ["ph:[1 TO 2 AND lysozyme", "ph:[1 TO 2] AND lysozyme", ["QUERY_BRACKET_CLOSED"]],
    ["ph:[1 TO ]", "ph:>=1", ["QUERY_RANGE_INVALID"]],
    ["zzz:[1 TO 2]", "zzz AND 1 AND 2", ["QUERY_FIELD_UNKNOWN"]],
    ["organism.within:coli", 'organism:"coli"', ["QUERY_ID_UNKNOWN"]],
  ])("%s is read as %s, and the answer says so", (query, expected, said) => {
    const { fallback, warnings } = parseQuery(query, records);
    expect({ printed: printed(query), fallback }).toEqual({ printed: expected, fallback: true });
    expect(warnings.map(({ code }) => code)).toEqual(said);
  });

  it("says in any order when wildcards split into several words", () => {
    expect(printed("al-mono?i")).toBe("al AND mono?i");
    expect(codes("al-mono?i")).toEqual(["QUERY_WILDCARD_SPLIT"]);
  });

  it("never throws but for the limits, and gives few warnings", () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryQueryText, fc.string({ unit: "binary" })), (any) => {
        const parsed = parseQuery(any, records);
        expect(measureDepth(parsed.tree)).toBeLessThanOrEqual(LIMITS.queryDepthMax);
        expect(parsed.warnings.length).toBeLessThanOrEqual(20);
        if (parsed.fallback) expect(parsed.warnings).not.toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("limits", () => {
  const refusal = (query: string): unknown => {
    try {
      return parseQuery(query, records).tree;
    } catch (error) {
      return error instanceof BinderyError ? [error.code, error.params.limit, error.params.max] : error;
    }
  };

  it("counts characters by code point", () => {
    expect(refusal("𝼀".repeat(4_096))).toMatchObject({ kind: "text" });
    expect(refusal("𝼀".repeat(4_097))).toEqual(["QUERY_TOO_LARGE", "characters", 4_096]);
    expect(refusal("(".repeat(102_400))).toEqual(["QUERY_TOO_LARGE", "characters", 4_096]);
  });

  it("counts leaves", () => {
    expect(refusal("a ".repeat(256))).toMatchObject({ kind: "all" });
    expect(refusal("a ".repeat(257))).toEqual(["QUERY_TOO_LARGE", "clauses", 256]);
  });

  it("counts levels of the tree, not brackets that say nothing", () => {
    const nested = (levels: number): string => `${"a OR (b AND (".repeat(levels / 2)}c${")".repeat(levels)}`;
    expect(refusal(nested(16))).toMatchObject({ kind: "any" });
    expect(refusal(nested(18))).toEqual(["QUERY_TOO_LARGE", "levels", 16]);
    expect(refusal(`${"(".repeat(2_000)}a${")".repeat(2_000)}`)).toEqual(text("a"));
  });

  it.each(["(", ")", '"', "\\", "ph:[", "samples:(-", "NOT ", "x(", "((a)b)", "^2", "?", "[", ":", "\ud800"])(
    "reads 4,096 characters of %j or refuses them by a limit",
    (unit) => {
      const outcome = refusal(unit.repeat(4_096).slice(0, 4_096));
      expect(outcome).not.toBeInstanceOf(Error);
    },
  );

  it.each([
    `a b c ${"!".repeat(2_040)}${"?".repeat(2_040)} x`,
    `a b c ${"?!".repeat(2_040)}x`,
    `a b c${" ".repeat(4_080)}?`,
    `${"a ?".repeat(1_360)}`,
  ])("reads %.20s without a regular expression that backtracks", { timeout: 5_000 }, (text) => {
    expect(refusal(text)).not.toBeInstanceOf(Error);
  });
});

it("has each word of a text without syntax in the tree", () => {
  const word = fc.oneof(fc.stringMatching(/^[xyz]{1,5}$/), fc.stringMatching(/^\d{1,4}$/), fc.constant("100"));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
      expect(printed(words.join(" ")).split(/[^\p{L}\d]+/u)).toEqual(expect.arrayContaining(words));
    }),
    { numRuns: 3_000 },
  );
});

describe("parseSuggestText", () => {
  it("takes everything as text, the last word as the beginning of one", () => {
    expect(printQuery(parseSuggestText("Escherichia AND (co"))).toBe("Escherichia AND \\AND AND \\(co*");
    expect(printQuery(parseSuggestText("IL-6 - TNFα"))).toBe("IL-6 AND tnf\\ alpha*");
    expect(parseSuggestText(" … ")).toEqual({ kind: "everything" });
  });

  it("is printed as a query that means the same, whatever was typed", () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryQueryText, fc.string({ unit: "binary" })), (typed) => {
        const suggested = parseSuggestText(typed);
        const { tree: read, fallback, warnings } = parseQuery(printQuery(suggested), records);
        expect({ read, fallback, warnings }).toEqual({ read: suggested, fallback: false, warnings: [] });
      }),
      { numRuns: 3_000 },
    );
  });
});
