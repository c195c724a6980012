import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ROOT } from "../../../test/support/bindery.js";
import { readCompiled, saveCompiled } from "./compiled-catalog.js";
import { EXAMPLE_FILE, readCatalog, VOCABULARY_FILE } from "./read-catalog.js";

let parent: string;
let folder: string;
let file: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "bindery-compiled-"));
  folder = join(parent, "catalog");
  file = join(parent, "catalog.bin");
  cpSync(`${ROOT}/catalog`, folder, { recursive: true });
  saveCompiled(file, folder);
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

it("is the catalog that is compiled from the folder, wherever the folder is by now", () => {
  expect(readCompiled(file, folder)).toEqual(readCatalog([folder]));
  const moved = join(parent, "moved");
  cpSync(folder, moved, { recursive: true });
  expect(readCompiled(file, moved)).toEqual(readCatalog([moved]));
});

it("is compiled anew where a declaration has changed, or a file went", () => {
  const declaration = join(folder, "vocabularies/instruments", VOCABULARY_FILE);
  writeFileSync(declaration, readFileSync(declaration, "utf8").replace("title: Instruments", "title: Devices"));
  expect(readCompiled(file, folder).vocabularies.get("instruments")?.title).toBe("Devices");
  rmSync(join(folder, "models/mst", EXAMPLE_FILE));
  expect(readCompiled(file, folder).models.get("mst")).not.toHaveProperty("example");
});

it("is compiled where the file is damaged, or is not there", () => {
  writeFileSync(file, readFileSync(file).subarray(0, 1_000));
  expect(readCompiled(file, folder)).toEqual(readCatalog([folder]));
  rmSync(file);
  expect(readCompiled(file, folder)).toEqual(readCatalog([folder]));
});
