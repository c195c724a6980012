import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryTree, TINY_NAMES } from "../../../test/support/query-arbitraries.js";
import { tinyModel, tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import { recordFields } from "../fields/field-meanings.js";
import { parseQuery } from "../parse/parse.js";
import { printQuery } from "../parse/print.js";
import type { QueryNode } from "../parse/tree.js";
import { degradeTree } from "./degrade.js";
import type { IndexSupports } from "./supports.js";

const fields = recordFields([tinyModel()], [tinyVocabulary()]);
const NONE: IndexSupports = { fuzzy: false, sameElement: false, within: false };
const ALL: IndexSupports = { fuzzy: true, sameElement: true, within: true };

function usedBy(node: QueryNode): readonly (keyof IndexSupports)[] {
  switch (node.kind) {
    case "all":
    case "any":
      return node.of.flatMap(usedBy);
    case "not":
      return usedBy(node.of);
    case "group":
      return ["sameElement", ...usedBy(node.of)];
    case "fuzzy":
      return ["fuzzy"];
    case "cites":
      return node.within ? ["within"] : [];
    default:
      return [];
  }
}

describe("degradeTree", () => {
  it.each([
    ["lyzozyme~ title:lyso~1", "lyzozyme AND title:lyso"],
    ["organism.within:sp:562 a", '"sp:562" AND a'],
    ["samples:(name:a* AND steps:(duration:>3 OR x)) b", 'a* AND "3" AND x AND b'],
    ["results:(type:KD value:[1 TO 2] -x) OR b", '(KD AND "1" AND "2") OR b'],
    ["NOT samples:(name:a b)", "NOT (a AND b)"],
    ["samples:(-a)", ""],
    ["samples:(_exists_:name) b", "b"],
  ])("reads %s as %s where nothing is supported", (query, expected) => {
    const { tree, warnings } = degradeTree(parseQuery(query, fields).tree, NONE);
    expect(printQuery(tree)).toBe(expected);
    expect(warnings.length).toBeGreaterThan(0);
    for (const { code } of warnings) expect(code).toBe("QUERY_FEATURE_MISSING");
  });

  it("says what was read as what", () => {
    expect(degradeTree(parseQuery("lyzozyme~", fields).tree, NONE).warnings).toEqual([
      {
        code: "QUERY_FEATURE_MISSING",
        message: 'The search does not support fuzzy words yet; "lyzozyme~" was read as "lyzozyme".',
        parameter: "q",
        value: "lyzozyme~",
      },
    ]);
  });

  it("changes nothing that is supported, and leaves only that", () => {
    const supports = fc.record({ fuzzy: fc.boolean(), sameElement: fc.boolean(), within: fc.boolean() });
    fc.assert(
      fc.property(arbitraryTree(TINY_NAMES), supports, (tree, some) => {
        expect(degradeTree(tree, ALL)).toEqual({ tree, warnings: [] });
        const { tree: rewritten, warnings } = degradeTree(tree, some);
        for (const feature of usedBy(rewritten)) expect(some[feature]).toBe(true);
        if (warnings.length === 0) expect(rewritten).toEqual(tree);
        expect(parseQuery(printQuery(rewritten), fields).tree).toEqual(rewritten);
      }),
    );
  });
});
