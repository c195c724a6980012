/** The parts of a text: where they stand, and that they are what the tree was made of. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryQueryText } from "../../../test/support/query-arbitraries.js";
import { tinyModel, tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import { BinderyError } from "../../core/errors.js";
import { recordFields } from "../fields/field-lookup.js";
import { parseQuery } from "./parse.js";
import { printQuery } from "./print.js";
import type { LeafNode, Part, QueryNode } from "./tree.js";

const fields = recordFields([tinyModel()], [tinyVocabulary()]);

/** `kind:text`, those of a group in brackets after it. */
function show(text: string, parts: readonly Part[]): string[] {
  return parts.flatMap((part) => {
    const shown = `${part.kind} ${text.slice(part.from, part.to)}`;
    return part.kind === "group" ? [shown, ...show(text, part.parts).map((inner) => `  ${inner}`)] : [shown];
  });
}

type Row = readonly [query: string, ...parts: string[]];

const ROWS: readonly Row[] = [
  ["a  b", "clause a", "clause b"],
  ["a AND -b", "clause a", "operator AND", "operator -", "clause b"],
  ["a (b || !c)", "clause a", "group (b || !c)", "  clause b", "  operator ||", "  operator !", "  clause c"],
  ["title:(a b", "group title:(a b", "  clause a", "  clause b"],
  ["title: a  ", "clause title: a"],
  [
    "results:(type:KD AND value:<10nM) x",
    "group results:(type:KD AND value:<10nM)",
    "  clause type:KD",
    "  operator AND",
    "  clause value:<10nM",
    "clause x",
  ],
  ["kd:[1 nM TO 5 nM] KD < 10 nM", "clause kd:[1 nM TO 5 nM]", "clause KD < 10 nM"],
  ['"a b"~5 (c)^2', 'clause "a b"', "dropped ~5", "group (c)", "  clause c", "dropped ^2"],
  ["a) ... AND OR b", "clause a", "dropped )", "dropped ...", "operator AND", "dropped OR", "clause b"],
  ["a ... AND NOT", "clause a", "dropped ...", "dropped AND", "dropped NOT"],
  ["() a", "dropped ()", "clause a"],
  ["AND OR", "clause AND OR"],
  ["...", "dropped ..."],
  ["a \\", "clause a", "dropped \\"],
  [" "],
  ["_exists_:title organism.within:sp:1 a^2", "clause _exists_:title", "clause organism.within:sp:1", "clause a^2"],
  ["foo:[1 TO 5]", "clause foo:[1 TO 5]"],
  ["ph:(>6 AND <7)", "group ph:(>6 AND <7)", "  clause >6", "  operator AND", "  clause <7"],
];

describe("the parts of a query's text", () => {
  it.each(ROWS)("are told apart: %s", (query, ...expected) => {
    expect(show(query, parseQuery(query, fields).parts)).toEqual(expected);
  });

  it.each([
    ["(a)^2 NOT", ["^2", "NOT"]],
    ["a (b OR", ["(", "OR"]],
    ['x title:"a b', ['title:"a b']],
    ["a) AND", [")", "AND"]],
    ["a KD < 10 nM b", ["KD < 10 nM"]],
    [" && ", ["&&", "&&"]],
    ["\u200eti\u00adtel:a *b", ["ti\u00adtel:a", "*b"]],
    ["titel:a *b", ["titel:a", "*b"]],
  ])("are what warnings are about: %s", (query, expected) => {
    const { places } = parseQuery(query, fields);
    expect([...places.values()].map(({ from, to }) => query.slice(from, to))).toEqual(expected);
  });

  const anyText = fc.oneof(arbitraryQueryText, fc.string({ unit: "binary", maxLength: 40 }));

  it("stand in order, do not overlap, and lie in what is around them", () => {
    const check = (parts: readonly Part[], from: number, to: number): void => {
      let at = from;
      for (const part of parts) {
        expect([part.from >= at, part.to > part.from, part.to <= to]).toEqual([true, true, true]);
        at = part.to;
        if (part.kind === "group") check(part.parts, part.from, part.to);
      }
    };
    const property = fc.property(anyText, (text) => check(read(text)?.parts ?? [], 0, text.length));
    fc.assert(property, { examples: [["a \\"]] });
  });

  it("are what the tree was made of", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = read(text);
        if (parsed === undefined) return;
        const spoken = new Set(parsed.parts.flatMap(nodesOf).flatMap(leavesOf).map(printQuery));
        const left = leavesOf(parsed.tree).filter(
          (leaf) => leaf.kind !== "everything" && !spoken.has(printQuery(leaf)),
        );
        expect(left).toEqual([]);
      }),
    );
  });

  it("leave nothing of a text out but blanks, brackets, invisible characters and the mark of a question", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = read(text);
        if (parsed === undefined) return;
        const gaps = [...text];
        for (let i = 0, at = 0; i < gaps.length; at += gaps[i]!.length, i++) {
          const isPart = parsed.parts.some(({ from, to }) => from <= at && at < to);
          if (!isPart) expect(gaps[i]).toMatch(/^[\s\p{Default_Ignorable_Code_Point}?!]$/u);
        }
      }),
    );
  });
});

/** Undefined for a text that is beyond the limits. */
function read(text: string) {
  try {
    return parseQuery(text, fields);
  } catch (error) {
    if (error instanceof BinderyError) return undefined;
    throw error;
  }
}

const nodesOf = (part: Part): readonly QueryNode[] => ("node" in part ? [part.node] : []);

function leavesOf(node: QueryNode): readonly LeafNode[] {
  switch (node.kind) {
    case "all":
    case "any":
      return node.of.flatMap(leavesOf);
    case "not":
    case "group":
      return leavesOf(node.of);
    default:
      return [node];
  }
}
