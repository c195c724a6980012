import { expect, it } from "vitest";
import { CommonPrefixes } from "./save-sets.js";

it("finds common tokens and beginnings, and what each beginning is made of", () => {
  const tokens = new CommonPrefixes(10, "_");
  tokens.add([
    ["_a", 3],
    ["_ab", 2],
    ["_abc", 12],
    ["_abd", 4],
  ]);
  tokens.add([
    ["_ac", 1],
    ["_b", 9],
    ["_environmentally", 20],
    ["_ж", 10],
  ]);
  expect(tokens.prefixes()).toMatchObject([
    {
      token: "_a",
      word: "rare",
      rare: ["_ac"],
      longer: [
        {
          token: "_ab",
          word: "rare",
          rare: ["_abd"],
          longer: [{ token: "_abc", word: "common", rare: [], longer: [] }],
        },
      ],
    },
    { token: "_e", word: undefined, rare: [], longer: [{ token: "_en" }] },
    { token: "_ж", word: "common" },
  ]);
  let last = tokens.prefixes()[1]!;
  while (last.longer.length > 0) last = last.longer[0]!;
  expect(last).toEqual({ token: "_environmenta", longer: [], rare: [], word: undefined, isLast: true });
});
