import { expect, it } from "vitest";
import { isBlank } from "./characters.js";

const INVISIBLE = [
  "\u00a0",
  "\u00ad",
  "\u034f",
  "\u200b",
  "\u200d",
  "\u2060",
  "\u3164",
  "\ufe0f",
  "\ufeff",
  "\u{e0020}",
];

it.each(["", " ", "\t\r\n", "\u3000\u2003", "\u0007", "\u2800", "\ufffa", ...INVISIBLE, INVISIBLE.join(" ")])(
  "takes %j for a text that shows nothing",
  (text) => {
    expect(isBlank(text)).toBe(true);
  },
);

it.each([".", "0", " a ", "\u200b1", "北京", "👩🏽‍🔬", "\u05d0", "e\u0301", "\u0301", "\u0600"])(
  "sees something in %j",
  (text) => {
    expect(isBlank(text)).toBe(false);
  },
);
