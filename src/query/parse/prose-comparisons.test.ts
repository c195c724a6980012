/** What scientists type instead of the syntax of fields. */
import { describe, expect, it } from "vitest";
import { tinyModel, tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import { recordFields, termFields } from "../fields/field-lookup.js";
import { resolveQuery } from "../resolve/resolve.js";
import { parseQuery } from "./parse.js";
import { printQuery } from "./print.js";

const fields = recordFields([tinyModel()], [tinyVocabulary()]);

/** How it is read, and the same of a text that is written as the syntax wants it. */
function read(text: string) {
  const { tree, fallback, warnings } = parseQuery(text, fields);
  return { printed: printQuery(tree), tree, fallback, warnings };
}

describe("a comparison without a colon", () => {
  it.each([
    ["KD < 10 nM", "KD:<10nM"],
    ["kd<10nM", "kd:<10nM"],
    ["kd <= 10 nM", "kd:<=10nM"],
    ["kd ≤ 10 nM", "kd:<=10nM"],
    ["kd:≥10nM", "kd:>=10nM"],
    ["kd = 10 nM", "kd:10nM"],
    ["kd == 10nM", "kd:10nM"],
    ["kd=10⁻⁸ M", "kd:1e-8M"],
    ["kd = 10-100 nM", "kd:[10 TO 100nM]"],
    ["kon > 1e6 M^-1 s^-1", 'kon:>"1e6M^-1 s^-1"'],
    ["10 nM < kd", "kd:>10nM"],
    ["10nM<kd<1µM", "kd:{10nM TO 1µM}"],
    ["10 nM ≤ kd < 1 µM", "kd:[10nM TO 1µM}"],
    ["1 µM > kd >= 10 nM", "kd:[10nM TO 1µM}"],
    ["7 < ph < 8", "ph:{7 TO 8}"],
    ["ph >= 7", "ph:>=7"],
    ["ph=-1", "ph:-1"],
    ["measured > 2024-05", "measured:>2024-05"],
    ["2020 < measured", "measured:>2020"],
    ["created >= now-1d", "created:>=now-1d"],
    ["created < now", "created:<now"],
    ["samples.concentration.value < 5 mM", "samples.concentration.value:<5mM"],
    ["lysozyme kd < 10 nM -albumin", "lysozyme AND kd:<10nM AND NOT albumin"],
    ["NOT kd<10nM", "NOT kd:<10nM"],
    ["(kd<10nM OR title:a)", "kd:<10nM OR title:a"],
    ["results:(type:x value < 10 nM)", "results:(type:x AND value:<10nM)"],
  ])("%s is read as %s, and the answer shows it", (text, expected) => {
    const { printed, fallback, warnings, tree } = read(text);
    expect(printed).toBe(expected);
    const again = read(expected);
    expect(again.tree).toEqual(tree);
    if (text.includes(":≥")) return expect(fallback).toBe(false);
    expect(fallback).toBe(true);
    const [warning] = warnings;
    expect(warning).toMatchObject({ code: "QUERY_READ_AS", parameter: "q" });
    const [, written = "", as = ""] = /^"(.*)" was read as (.*)\.$/u.exec(warning!.message) ?? [];
    expect(text).toContain(written);
    expect(expected).toContain(as);
    expect(again.warnings.map(({ code }) => code)).not.toContain("QUERY_READ_AS");
  });

  it.each([
    "a<b",
    "p<0.05",
    "p < 0.05",
    "x = y",
    "Tris:HCl",
    "IL-6",
    "5<6",
    "kd<low",
    "kd < ",
    "ph<7.4x",
    "measured<yesterday",
    "kd\\<10nM",
    '"kd < 10 nM"',
    "title<5",
    "C=C",
    "https://example.org/?ph=7",
  ])("%s stays text", (text) => {
    const { warnings, tree, printed } = read(text);
    expect(warnings.map(({ code }) => code)).not.toContain("QUERY_READ_AS");
    expect(JSON.stringify(tree)).not.toContain('"range"');
    expect(read(printed).tree).toEqual(tree);
  });

  it("of a field of text stays words, and the answer names the field", () => {
    expect(read("title = lysozyme x")).toMatchObject({
      printed: "title AND lysozyme AND x",
      fallback: false,
      warnings: [{ code: "QUERY_FIELD_NEAR", value: "title = lysozyme", nearest: ["title:lysozyme"] }],
    });
    expect(read('title="serum albumin"').warnings).toMatchObject([{ nearest: ['title:"serum albumin"'] }]);
    expect(read("organism=sp:562").warnings).toMatchObject([{ nearest: ["organism:sp:562"] }]);
  });

  it("is read among the items of a vocabulary too", () => {
    const { tree } = parseQuery("genome_size > 5", termFields(tinyVocabulary()));
    expect(printQuery(tree)).toBe("genome_size:>5");
  });
});

describe("a name and a value beside each other", () => {
  it.each([
    ["ph 7.4", "ph:7.4 OR (ph AND 7.4)"],
    ["lysozyme ph 7.4 25", "lysozyme AND (ph:7.4 OR (ph AND 7.4)) AND 25"],
    ["ph 7-8", "ph:[7 TO 8] OR (ph AND 7-8)"],
    ["kd 10 nM", "kd:10nM OR (kd AND 10 AND nM)"],
    ["hill 1.5", "hill:1.5 OR (hill AND 1.5)"],
    ["measured 2024", "measured:2024 OR (measured AND 2024)"],
    ["lysozyme or KD below 1 nM", 'lysozyme OR KD:<1nM OR "KD below 1 nM"'],
    ["lysozyme with a KD below 10 nM", 'lysozyme AND (KD:<10nM OR "KD below 10 nM")'],
    ["lysozyme whose KD is less than 10 nM", 'lysozyme AND (KD:<10nM OR "KD is less than 10 nM")'],
    ["lysozyme or ph 7.4", "lysozyme AND or AND (ph:7.4 OR (ph AND 7.4))"],
    ["measured between 2020 and 2022", 'measured:[2020 TO 2022] OR "measured between 2020 and 2022"'],
    ["measured from 2020 to 2022", 'measured:[2020 TO 2022] OR "measured from 2020 to 2022"'],
  ])("%s may be both and is looked for as both", (text, expected) => {
    const { printed, fallback, tree } = read(text);
    expect({ printed, fallback }).toEqual({ printed: expected, fallback: true });
    expect(read(expected)).toMatchObject({ tree, fallback: false, warnings: [] });
  });

  it.each(["kd 10", "ph x", "ph -7", "title 5", "ph\\ 7", '"ph" 7', "ph AND 7", "+ph +7", "ph 7*"])(
    "%s is words",
    (text) => {
      expect(read(text)).toMatchObject({ fallback: false, warnings: [] });
      expect(read(text).printed).not.toContain(":");
    },
  );

  it("is a title as well, where all else is words", () => {
    const plain = (text: string) => resolveQuery(read(text).tree, fields, 0).plain;
    expect(plain("lysozyme at ph 7.4")).toEqual(["lysozyme", "at", "ph", "7", "4"]);
    expect(plain("lysozyme OR (a b)")).toBeUndefined();
    expect(plain("title:a ph 7.4")).toBeUndefined();
  });
});

describe("a span after a colon", () => {
  it.each([
    ["kd:10-100 nM", "kd:[10 TO 100nM]"],
    ["kd:10nM-1µM", "kd:[10nM TO 1µM]"],
    ["kd:10 nM – 1 µM", "kd:[10nM TO 1µM]"],
    ["kd:1e-9-1e-8 M", "kd:[1e-9 TO 1e-8M]"],
    ["ph:7-8", "ph:[7 TO 8]"],
    ["ph:7.0 - 7.5", "ph:[7.0 TO 7.5]"],
    ["ph:(7-8 OR 9)", "ph:[7 TO 8] OR ph:9"],
    ["measured:2020-2022", "measured:[2020 TO 2022]"],
  ])("%s is read as %s", (text, expected) => {
    const { printed, tree, warnings } = read(text);
    expect(printed).toBe(expected);
    expect(warnings.map(({ code }) => code)).toContain("QUERY_READ_AS");
    expect(read(printed).tree).toEqual(tree);
  });

  it.each([
    ["ph:8-7", "ph:8\\-7"],
    ["measured:2024-05", "measured:2024-05"],
    ["title:7-8", "title:7\\-8"],
    ["ph:7-8x", "ph:7\\-8x"],
    ["kd:10-100 furlongs", "kd:[10 TO 100] AND furlongs"],
    ["ph:7\\-8", "ph:7\\-8"],
  ])("%s is read as %s", (text, expected) => {
    const { printed, tree } = read(text);
    expect(printed).toBe(expected);
    expect(read(printed).tree).toEqual(tree);
  });
});

describe("a name of several words, as pages show it", () => {
  const named = { name: "total_protein", path: "metadata.samples.concentration", dimensions: ["molarity"] };
  const model = tinyModel();
  const fields = recordFields([tinyModel("tiny", { fields: new Map([...model.fields, [named.name, named]]) })], []);
  const readAs = (text: string): string => printQuery(parseQuery(text, fields).tree);

  it.each([
    ["Total protein > 5 mM", "total_protein:>5mM"],
    ["total protein (mM) < 5", "total_protein:<5mM"],
    ["Total protein: 5 mM", "total_protein:5mM"],
    ["total protein:>5mM", "total_protein:>5mM"],
    ["the Total Protein > 5 mM", "the AND total_protein:>5mM"],
    ["1 mM < total protein < 5 mM", "total_protein:{1mM TO 5mM}"],
    ["total protein between 1 and 5 mM", 'total_protein:[1 TO 5mM] OR "total protein between 1 and 5 mM"'],
    ["total protein is below 5 mM", 'total_protein:<5mM OR "total protein is below 5 mM"'],
    ["Total  protein LESS THAN 5 mM", 'total_protein:<5mM OR "Total  protein LESS THAN 5 mM"'],
    ["total protein 5 mM", "total_protein:5mM OR (total AND protein AND 5 AND mM)"],
  ])("%s is read as %s", (text, expected) => {
    expect(readAs(text)).toBe(expected);
    expect(readAs(readAs(text))).toBe(expected);
  });

  it.each(["total protein > many", "total protein 5 km", "total protein of lysozyme", "total protein: lysozyme"])(
    "%s stays words",
    (text) => {
      expect(readAs(text)).not.toContain("total_protein");
    },
  );
});
