import { expect, it } from "vitest";
import { formatLine, hideTokens } from "./logger.js";

it("hides whatever looks like a token of ours", () => {
  expect(hideTokens('{"url":"/api/?t=bnd_abcDEF0123"}')).toBe('{"url":"/api/?t=bnd_***"}');
  expect(hideTokens("/bnd_a-1/x whsec_Ab+/c9== y")).toBe("/bnd_***/x whsec_*** y");
  expect(hideTokens("nothing here")).toBe("nothing here");
});

it("prints a line for people on a terminal, with fields and stack", () => {
  const line = JSON.stringify({ level: 50, time: 0, msg: "It failed", err: { stack: "Error: x\n  at y" }, code: 1 });
  expect(formatLine(line)).toBe('00:00:00 ERROR It failed {"code":1}\nError: x\n  at y\n');
});
