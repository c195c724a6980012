import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const ROOTS = "app|authorities|cli|client|config|core|engines|formats|http|ports|query|scripts|services|src|test|web";

/** Returns whether the path exists from the root or below `src`, with or without the ending of its language. */
const exists = (path: string): boolean =>
  ["", "src/"].some((folder) => ["", ".ts", ".tsx"].some((ending) => existsSync(folder + path + ending)));

it.each([
  ["docs/architecture.md", 50],
  ["CONTRIBUTING.md", 15],
] as const)("names in %s only files and folders that exist", (page, pathsMin) => {
  const paths = readFileSync(page, "utf8").matchAll(new RegExp(`\`((?:${ROOTS})/[\\w./-]+)\``, "g"));
  const named = [...paths].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(pathsMin);
  expect(named.filter((path) => !exists(path))).toEqual([]);
});
