import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/bindery.js";

const ROOTS = "app|authorities|cli|client|config|core|engines|formats|http|ports|query|scripts|services|test|web";

it("names files and folders that are there", () => {
  const page = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
  const named = [...page.matchAll(new RegExp(`\`((?:${ROOTS})/[\\w./-]+)\``, "g"))].map(([, path]) => path!);
  const missing = named.filter((path) => !existsSync(join(ROOT, path)) && !isSource(path));
  expect(named.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});

const isSource = (path: string): boolean => ["", ".ts"].some((end) => existsSync(join(ROOT, "src", path + end)));
