import { expect, it } from "vitest";
import { makeTypoTest, mayHaveTypos, typosIn } from "./typos.js";

const whole = (word: string) => ({ word, isPrefix: false });

it("allows a wrong letter in four, two in eight, and none in numbers", () => {
  expect(["abc", "abcd", "abcdefg", "abcdefgh", "12345678", "a1b2c3"].map(typosIn)).toEqual([0, 1, 1, 2, 0, 0]);
  expect(mayHaveTypos([whole("il"), whole("1234")])).toBe(false);
  expect(mayHaveTypos([whole("il"), whole("water")])).toBe(true);
});

it("tests words, and beginnings of words, with as many edits as there may be", () => {
  const water = makeTypoTest(whole("watre"));
  expect([water("water"), water("waters")]).toEqual([true, false]);
  const beginning = makeTypoTest({ word: "eschricia", isPrefix: true });
  expect([beginning("escherichia"), beginning("eschatology")]).toEqual([true, false]);
  const short = makeTypoTest({ word: "il", isPrefix: true });
  expect([short("ilex"), short("li")]).toEqual([true, false]);
});
