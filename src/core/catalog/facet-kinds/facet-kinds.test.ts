import { expect, it } from "vitest";
import { kindsWhere } from "./facet-kinds.js";

const FLAT = { name: "tools", hierarchy: false };
const DEEP = { name: "taxa", hierarchy: true };

it.each([
  ["keyword", undefined, "terms"],
  ["keyword", FLAT, "terms"],
  ["keyword", DEEP, "tree"],
  ["date", undefined, "year"],
  ["number", undefined, "histogram"],
] as const)("has one default for leaves of the type %s that cite %o: %s", (type, vocabulary, expected) => {
  expect(kindsWhere(({ leafType, isDefault }) => leafType === type && isDefault(vocabulary))).toEqual([expected]);
});
