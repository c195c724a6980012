import { describe, expect, it } from "vitest";
import { readAffiliation } from "./affiliation-text.js";
import { makeCountryNames } from "./country-names.js";

const partsOf = (text: string): string[] => {
  const { words, parts } = readAffiliation(text);
  return parts.map(({ from, to }) =>
    words
      .slice(from, to)
      .map(({ word }) => word)
      .join(" "),
  );
};

describe("an affiliation", () => {
  it.each([
    ["Dept. of Chemistry, Charles University; Prague", ["dept of chemistry", "charles university", "prague"]],
    ["Epidemiology &amp; Medicine &#x2013; Taipei", ["epidemiology and medicine", "taipei"]],
    ["1Kyungpook National University", ["kyungpook national university"]],
    ["University of Bern/AstraZeneca (Sweden)", ["university of bern", "astrazeneca", "sweden"]],
    ["Texas A&M University, a@b.edu, https://tamu.edu", ["texas a m university"]],
    ["2nd Department of Surgery", ["2nd department of surgery"]],
    ["Univ. Zürich - Botanik", ["univ zurich", "botanik"]],
    ["&#xFFFFFF; &bogus; ,,", ["bogus"]],
    ["", []],
  ])("%s has its parts", (text, parts) => {
    expect(partsOf(text)).toEqual(parts);
  });

  it("says which words are in capitals and which are cut short", () => {
    const { words } = readAffiliation("MIT, Univ. of Brno");
    expect(words.map(({ isCapital }) => isCapital)).toEqual([true, false, false, false]);
    expect(words.map(({ isCut }) => isCut)).toEqual([false, true, false, false]);
  });

  it("is read up to a length, whatever it is", () => {
    expect(readAffiliation("a ".repeat(100_000)).words.length).toBeLessThanOrEqual(1_000);
  });
});

describe("a country", () => {
  const countries = makeCountryNames();

  it.each([
    ["Brno, Czech Republic", ["CZ"]],
    ["Praha, Česká republika", ["CZ"]],
    ["München, Deutschland", ["DE"]],
    ["Cambridge, MA, USA", ["US"]],
    ["Cambridge UK", ["GB"]],
    ["Wuhan, P. R. China", ["CN"]],
    ["東京 日本", ["JP"]],
    ["Port Moresby, Papua New Guinea", ["PG"]],
    ["tell us more", []],
    ["Brno", []],
  ])("is found in %s", (text, codes) => {
    expect(countries.find(readAffiliation(text).words).map(({ code }) => code)).toEqual(codes);
  });

  it("is known by its name in English, with or without an article", () => {
    expect(["The Netherlands", "Czechia", "United States", "Türkiye", "Atlantis"].map(countries.countryCode)).toEqual([
      "NL",
      "CZ",
      "US",
      "TR",
      undefined,
    ]);
  });
});
