import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/bindery.js";

const LAYERS = "app|cli|config|core|engines|formats|http|ports|query|services|web";

it("names files and folders of src that are there", () => {
  const page = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
  const named = [...page.matchAll(new RegExp(`\`((?:${LAYERS})/[\\w./-]+)\``, "g"))].map(([, path]) => path!);
  const missing = named.filter((path) => !["", ".ts"].some((end) => existsSync(join(ROOT, "src", path + end))));
  expect(named.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});
