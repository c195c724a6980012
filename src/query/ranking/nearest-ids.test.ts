import { expect, it } from "vitest";
import { idDistance, idSpellings, idsOneEditAway, isFewEditsAway, mayBeName, namesIn } from "./nearest-ids.js";

const NUMBERS = { idPrefixes: ["cid", "sid"], idPattern: "[cs]id:[1-9][0-9]*" };
const KEYS = { idPrefixes: ["inchikey"], idPattern: "inchikey:[A-Z]{14}-[A-Z]{10}-[A-Z]" };
const ORGANISATIONS = { idPrefixes: ["ror"], idPattern: "ror:0[a-hj-km-np-tv-z0-9]{6}[0-9]{2}" };
const SLUGS = { idPrefixes: [], idPattern: "[a-z0-9]+(?:-[a-z0-9]+)*" };
const CODES = { idPrefixes: [], idPattern: "[a-z]{2,3}" };

it("spells an id without a prefix with those of the vocabulary, and none that is too long", () => {
  expect(idSpellings("962", NUMBERS)).toEqual(["962", "cid:962", "sid:962"]);
  expect(idSpellings("cid:962", NUMBERS)).toEqual(["cid:962"]);
  expect(idSpellings("9".repeat(65), NUMBERS)).toEqual([]);
});

it.each([
  ["Warfarin", KEYS],
  ["Sodium chloride", KEYS],
  ["inchikey: sodium chloride", KEYS],
  ["Biacore T200", NUMBERS],
  ["T200", NUMBERS],
  ["cid: 962 or so", NUMBERS],
  ["cid:water", NUMBERS],
  ["inchikey:Warfarin", KEYS],
  ["Thai", CODES],
  ["Czech", CODES],
  ["", CODES],
])("compares %j, which has not the form of an id, with no id", (text, vocabulary) => {
  expect(idSpellings(text, vocabulary)).toEqual([]);
});

it.each([
  ["962", NUMBERS],
  ["CID:96l", NUMBERS],
  ["9620O", NUMBERS],
  ["xlyofnoqvpjjnp-uhfffaoysa-n", KEYS],
  ["inchikey:XLYOFNOQVPJJNP", KEYS],
  ["inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA", KEYS],
  ["ENG", CODES],
])("compares %j, which has the form of an id, with ids", (text, vocabulary) => {
  expect(idSpellings(text, vocabulary)).toContain(text);
});

it("edits an id behind its prefix: one letter more, less, another, or two swapped", () => {
  const edited = new Set([...idsOneEditAway("cid:96")].flat());
  for (const id of ["cid:962", "cid:9", "cid:97", "cid:69"]) expect(edited).toContain(id);
  for (const id of edited) expect(id.startsWith("cid:")).toBe(true);
});

it("is near within two edits, and farther only as far as both begin alike behind the prefix", () => {
  expect(idDistance("CID:962", "cid:962")).toBe(0);
  expect(idDistance("cid:962", "cid:926")).toBe(1);
  const far = idDistance("cid:962", "cid:962000")!;
  expect(far).toBeGreaterThan(2);
  expect(idDistance("cid:962", "cid:96200000")).toBeGreaterThan(far);
  expect(idDistance("cid:962", "cid:71234")).toBeUndefined();
});

it.each([
  ["water", true],
  ["cid:water", true],
  ["taxon:water", true],
  ["T200", true],
  ["Biacore T200", true],
  ["cid:E. coli K-12", true],
  ["cid:q7p0", false],
  ["962", false],
  ["58-08-2", false],
  ["cid:962", false],
])("takes %j for a name: %s", (text, isName) => {
  expect(mayBeName(text, NUMBERS)).toBe(isName);
});

it.each([
  ["RYYVLZVUVIJVGH-UHFFFAOYSA-N", KEYS],
  ["ryyvlzvuvijvgh-uhfffaoysa-n", KEYS],
  ["inchikey:RYYVLZVUVIJVGH-UHFFFAOYSA-N", KEYS],
  ["024d6js02", ORGANISATIONS],
  ["ror:024d6js02", ORGANISATIONS],
  ["ROR:024D6JS02", ORGANISATIONS],
])("takes %j, which has the form of an id, for no name", (text, vocabulary) => {
  expect(mayBeName(text, vocabulary)).toBe(false);
});

it.each([
  ["man", CODES],
  ["x-ray", SLUGS],
  ["il-6", SLUGS],
  ["Warfarin", KEYS],
  ["4-Aminobenzoic-acid", KEYS],
  ["Max-Planck", ORGANISATIONS],
])("takes %j for a name", (text, vocabulary) => {
  expect(mayBeName(text, vocabulary)).toBe(true);
});

it.each([
  ["cid:962", "cid:926", true],
  ["962", "cid:926", true],
  ["962", "cid:9", true],
  ["cid:962", "cid:962000", false],
  ["cid:962", "cid:71234", false],
])("of %j, the known id %j is few edits away: %s", (unknown, known, isNear) => {
  expect(isFewEditsAway(unknown, known, NUMBERS)).toBe(isNear);
});

it("never takes a prefix of the vocabulary for a part of a name", () => {
  expect(namesIn("cid:water", NUMBERS)).toEqual(["water"]);
  expect(namesIn("Method: a primer", NUMBERS)).toEqual(["Method: a primer", " a primer"]);
});
