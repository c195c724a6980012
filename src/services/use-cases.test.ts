import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { USE_CASES } from "./use-cases.js";

const FOLDER = import.meta.dirname;

/** Files that declare use cases. */
const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter(
  (file) =>
    file.endsWith(".ts") &&
    !file.endsWith(".test.ts") &&
    /= (operatorUseCase|useCase)\(/.test(readFileSync(join(FOLDER, file), "utf8")),
);

it("has every use case that a service file declares, and none that another one of its name replaces", async () => {
  const known: Readonly<Record<string, unknown>> = USE_CASES;
  const names: string[] = [];
  for (const file of files) {
    const exports = (await import(pathToFileURL(join(FOLDER, file)).href)) as Readonly<Record<string, unknown>>;
    for (const [name, value] of Object.entries(exports)) {
      if (typeof value !== "object" || value === null || !("make" in value)) continue;
      expect(known[name], `${name} of ${file}`).toBe(value);
      names.push(name);
    }
  }
  expect(names.sort()).toEqual(Object.keys(USE_CASES).sort());
  expect(names.length).toBeGreaterThan(80);
});
