import { expect, it } from "vitest";
import { formatLine } from "./logger.js";

it("escapes control characters and line breaks", () => {
  const line = {
    level: 30,
    time: 0,
    msg: "a\n12:00:00 INFO b\u009b2J",
    err: { stack: "x\n  at y\u001b" },
    path: "\u202e",
  };
  expect(formatLine(JSON.stringify(line))).toBe(
    '00:00:00 INFO  a\\n12:00:00 INFO b\\u009b2J {"path":"\\u202e"}\nx\n  at y\\u001b\n',
  );
});

it("prints a line for people on a terminal, with fields and stack", () => {
  const line = JSON.stringify({ level: 50, time: 0, msg: "It failed", err: { stack: "Error: x\n  at y" }, code: 1 });
  expect(formatLine(line)).toBe('00:00:00 ERROR It failed {"code":1}\nError: x\n  at y\n');
});
