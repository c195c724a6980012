import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BACKGROUND_TASKS } from "../../src/core/background.js";
import { ROOT } from "../support/bindery.js";

it("has a row for each background task", () => {
  const page = readFileSync(join(ROOT, "docs/operating.md"), "utf8");
  const [table] = /^\| Task \|[\s\S]*?\n\n/m.exec(page) ?? [""];
  const rows = [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, task]) => task);
  expect(rows.toSorted()).toEqual(Object.keys(BACKGROUND_TASKS).toSorted());
});
