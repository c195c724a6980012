import { expect, it } from "vitest";
import { type Json, mergePatch } from "./json.js";

/** RFC 7396, appendix A. */
const CASES: readonly (readonly [target: Json, patch: Json, result: Json])[] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

it.each(CASES)("makes of %j with the patch %j", (target, patch, result) => {
  expect(mergePatch(target, patch)).toEqual(result);
});

it("takes a key like any other, whatever it is called", () => {
  const patched = mergePatch({}, JSON.parse('{"__proto__": {"a": 1}}') as Json) as object;
  expect(Object.hasOwn(patched, "__proto__")).toBe(true);
  expect("a" in patched).toBe(false);
});
