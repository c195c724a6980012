import { expect, it } from "vitest";
import { idDistance, idsOneEditAway, looksLikeWords, spellings } from "./nearest-ids.js";

it("spells an id without a prefix with those of the vocabulary, and none that is too long", () => {
  const vocabulary = { idPrefixes: ["cid", "sid"] };
  expect(spellings("962", vocabulary)).toEqual(["962", "cid:962", "sid:962"]);
  expect(spellings("cid:962", vocabulary)).toEqual(["cid:962"]);
  expect(spellings("9".repeat(65), vocabulary)).toEqual([]);
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

it("takes words for words, and ids for ids", () => {
  expect(looksLikeWords("water")).toBe(true);
  expect(looksLikeWords("taxon:water")).toBe(true);
  expect(looksLikeWords("q7p0")).toBe(false);
  expect(looksLikeWords("962")).toBe(false);
});
