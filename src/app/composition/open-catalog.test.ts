import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ROOT } from "../../../test/support/bindery.js";
import { readCompiled, saveCompiled } from "./open-catalog.js";
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

it("equals the catalog compiled from the folder, even if the folder was moved", () => {
  expect(readCompiled(file, folder)).toEqual(readCatalog([folder]));
  const movedFolder = join(parent, "moved");
  cpSync(folder, movedFolder, { recursive: true });
  expect(readCompiled(file, movedFolder)).toEqual(readCatalog([movedFolder]));
});

it("is compiled again if a declaration changed or a file was removed", () => {
  const declaration = join(folder, "vocabularies/instruments", VOCABULARY_FILE);
  writeFileSync(declaration, readFileSync(declaration, "utf8").replace("title: Instruments", "title: Devices"));
  expect(readCompiled(file, folder).vocabularies.get("instruments")?.title).toBe("Devices");
  rmSync(join(folder, "models/mst", EXAMPLE_FILE));
  expect(readCompiled(file, folder).models.get("mst")?.example).toBeUndefined();
});

it("is compiled if the file is damaged or missing", () => {
  writeFileSync(file, readFileSync(file).subarray(0, 1_000));
  expect(readCompiled(file, folder)).toEqual(readCatalog([folder]));
  rmSync(file);
  expect(readCompiled(file, folder)).toEqual(readCatalog([folder]));
});
