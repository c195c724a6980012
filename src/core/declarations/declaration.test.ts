import fc from "fast-check";
import { expect, it } from "vitest";
import { escapePointer } from "../json.js";
import { findJsonPositions } from "./declaration.js";

it("finds the line of every member and item", () => {
  const text = '{\n  "a": [1,\n    {"b/c": true}\n  ],\n  "d": null\n}';
  expect(Object.fromEntries(findJsonPositions(text).lines)).toEqual({
    "": 1,
    "/a": 2,
    "/a/0": 2,
    "/a/1": 3,
    "/a/1/b~1c": 3,
    "/d": 5,
  });
});

it("finds keys that one object says twice, escaped ones too", () => {
  const text = '{"a": 1,\n"b": {"a": 2},\n"\\u0061": 3}';
  expect(findJsonPositions(text).repeated).toEqual([{ pointer: "/a", line: 3 }]);
});

it("finds every place of any JSON text", () => {
  const places = (value: unknown, pointer = ""): string[] => {
    const below = typeof value === "object" && value !== null ? Object.entries(value) : [];
    return [pointer, ...below.flatMap(([key, inner]) => places(inner, `${pointer}/${escapePointer(key)}`))];
  };
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, "\t"), (value, space) => {
      const { lines, repeated } = findJsonPositions(JSON.stringify(value, null, space));
      expect([...lines.keys()]).toEqual(places(JSON.parse(JSON.stringify(value))));
      expect(repeated).toEqual([]);
    }),
  );
});
