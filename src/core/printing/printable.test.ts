import fc from "fast-check";
import { expect, it } from "vitest";
import { printableJson, printableLine, printableText } from "./safe-text.js";

it("escapes what drives a terminal, forges a line or turns the direction of a text", () => {
  expect(printableLine("a\nb\r\tc\u001b[2J\u009b31m\u007f\0")).toBe("a\\nb\\r\\tc\\u001b[2J\\u009b31m\\u007f\\u0000");
  expect(printableLine("\u202eabc\u2066\u2028\u200f\ufeff\u{e0041}\ud800x")).toBe(
    "\\u202eabc\\u2066\\u2028\\u200f\\ufeff\\udb40\\udc41\\ud800x",
  );
  expect(printableText("a\nb\u001b")).toBe("a\nb\\u001b");
});

it("leaves texts of any language as they are", () => {
  for (const text of ["Käse – 蛋白质 👩‍🔬 می‌خواهم é", "C:\\files", '{"a": 1}']) expect(printableLine(text)).toBe(text);
});

it("keeps what JSON says", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      const json = printableJson(JSON.stringify(value));
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(printableLine(json)).toBe(json);
    }),
  );
});
