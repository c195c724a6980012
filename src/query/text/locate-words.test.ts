import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyse } from "./analyse.js";
import { locateSomeWords, locateWords } from "./locate-words.js";

/** Characters whose analysis depends on their neighbours, or has another length than they have. */
const HARD = [
  ..."aZ9 -/ßıİSſéåøŁđαβςΣΩΆµμ½²ﬁ㎏ℓ①東京タダﾀﾞﾟパがกำວ가각ᄀ",
  ..."ㄱㅏㄳㅣ",
  "e\u0301",
  "\u0301",
  "\u0323",
  "\u3099",
  "\u309a",
  "\u1161",
  "\u11a8",
  "\uffa1",
  "\uffc2",
  "\u200d",
  "\u037a",
  "𝔘",
  "𠮷",
  "\ud800",
  "\udc00",
  "ﷺ",
  "\u0344",
  "\u0958",
  "\u0bca",
  "\u0bc6",
  "\u0bbe",
  "\u1100",
  "\u00b4",
];
const hardText = fc.array(fc.constantFrom(...HARD), { maxLength: 8 }).map((parts) => parts.join(""));
const anyText = fc.oneof(hardText, fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }));

/** Thousands that are all alike, from and to: ideographs, Hangul syllables, Tangut. */
const ALIKE = new Map([
  [0x3400, 0x9f00],
  [0xac10, 0xd780],
  [0x17000, 0x18d00],
]);

const TEXTS = process.env.TEST_LONG === "1" ? 50_000 : 3_000;

describe("locateWords", () => {
  it("gives the words of the analysis, in any text", () => {
    const check = (text: string): void => {
      expect(locateWords(text).map(({ word }) => word)).toEqual(analyse(text));
    };
    fc.assert(fc.property(hardText, check), { numRuns: TEXTS });
    fc.assert(fc.property(anyText, check), { numRuns: TEXTS });
  });

  it("gives the words of the analysis for each character beside any other", () => {
    for (let point = 0; point <= 0x1ffff; point += 1) {
      point = ALIKE.get(point) ?? point;
      const character = String.fromCodePoint(point);
      const text = `a${character}가${character}ᄀ${character}が${character}b`;
      const words = locateWords(text).map(({ word }) => word);
      if (words.join(" ") !== analyse(text).join(" ")) expect(words, JSON.stringify(text)).toEqual(analyse(text));
    }
  });

  it("finds places that go forward, lie in the text, and read as the word or as what holds it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let before = 0;
        for (const { word, from, to } of locateWords(text)) {
          expect(from).toBeGreaterThanOrEqual(before);
          expect(to).toBeGreaterThan(from);
          expect(to).toBeLessThanOrEqual(text.length);
          before = from;
          const alone = analyse(text.slice(from, to)).join("");
          expect(alone.includes(word) || word.includes(alone), JSON.stringify([text, word, alone])).toBe(true);
        }
      }),
      { numRuns: TEXTS },
    );
  });

  it.each<[string, string[]]>([
    ["Straße, Ångström", ["Straße", "Ångström"]],
    ["TNFα at 10 µM", ["TNF", "α", "at", "10", "µM"]],
    ["H₂O in ﬁlm", ["H₂O", "in", "ﬁlm"]],
    ["e\u0301tude (½)", ["e\u0301tude", "½", "½"]],
    ["東京 tower", ["東", "京", "tower"]],
  ])("marks %s where its words stand", (text, places) => {
    expect(locateWords(text).map(({ from, to }) => text.slice(from, to))).toEqual(places);
  });

  it("ends a word after its greatest length", () => {
    const text = `é${"a".repeat(400)} b`;
    expect(locateWords(text).map(({ from, to }) => [from, to])).toEqual([
      [0, 256],
      [402, 403],
    ]);
  });
});

describe("locateSomeWords", () => {
  it("gives the places of the whole text, wherever it is cut into pieces", () => {
    const longText = fc.array(fc.oneof(hardText, fc.constantFrom(" ", "-", "x", ", ")), { maxLength: 12 });
    fc.assert(
      fc.property(longText, fc.integer({ min: 1, max: 9 }), (parts, pieceLength) => {
        const text = parts.join("");
        const all = locateWords(text);
        const located = locateSomeWords(text, [...all.keys()], Number.POSITIVE_INFINITY, pieceLength);
        expect([...located]).toEqual([...all.entries()]);
      }),
      { numRuns: TEXTS },
    );
  });

  it("reads no further than it has to", () => {
    const text = "wörd ".repeat(5_000);
    const located = locateSomeWords(text, [7, 3_000, 4_000, 4_999], 2);
    expect([located.get(7)?.from, located.get(3_000)?.from]).toEqual([35, 15_000]);
    expect(located.size).toBeLessThan(1_000);
    expect([located.has(4_000), located.has(1_500)]).toEqual([false, false]);
  });
});
