/** What is being typed at a place of a query, and what may stand there. */
import { describe, expect, it } from "vitest";
import { tinyModel, tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import { recordFields, termFields } from "../fields/field-lookup.js";
import { completeName, completeOperator, completeUnit, matchesTyped, valueText } from "./completions.js";
import { typingContextAt } from "./typing-context.js";

const fields = recordFields([tinyModel()], [tinyVocabulary()]);

/** @param marked a query in which `|` stands where somebody types */
function at(marked: string, lookup = fields) {
  const place = marked.indexOf("|");
  const text = marked.replace("|", "");
  const typed = typingContextAt(text, place, lookup);
  const show = (span: { readonly from: number; readonly to: number } | undefined) =>
    span && text.slice(span.from, span.to);
  return { typed, text, show };
}

const names = {
  fields,
  known: ["title", "kd", "kon"].map((id) => ({
    id,
    label: id === "kd" ? "Strength between" : id,
    aliases: [`x${id}`],
  })),
  fieldLabel: (name: string) => name,
};

describe("what is typed", () => {
  it.each([
    ["|", "", undefined],
    ["ti|", "ti", undefined],
    ["a -ti|tle:x", "title:", undefined],
    ["a (ti|", "ti", undefined],
    ["title:ab|c d", undefined, "abc"],
    ["title:(a b|", "b", "b"],
    ['title:"a b|c" d', undefined, '"a bc"'],
    ['title:("a|', undefined, '"a'],
    ['"a b|', undefined, undefined],
    ["organism.within:s|", undefined, "s"],
    ["unknown:x|", undefined, undefined],
  ])("is the name or the value that a place stands in: %s", (marked, name, value) => {
    const { typed, show } = at(marked);
    expect([show(typed.name), show(typed.value)]).toEqual([name, value]);
  });

  it.each([
    ["binds serum alb|", ["binds serum alb", "serum alb", "alb"]],
    ["a b c d e|", ["b c d e", "c d e", "d e", "e"]],
    ["a NOT b c|", ["b c", "c"]],
    ["title:a -b c|", ["c"]],
    ["a (b c|", ["b c", "c"]],
    ["ly|so zyme", ["ly"]],
    ["a -ti|tle:x", []],
    ["title:(a b|", []],
    ["samples:(a|", []],
    ["|", []],
  ])("are plain words with those before them: %s", (marked, words) => {
    expect(at(marked).typed.words.map(({ text }) => text)).toEqual(words);
  });

  it("knows the groups around it", () => {
    expect(at("a samples:(steps:(na|").typed).toMatchObject({ groups: ["samples", "steps"], name: { text: "na" } });
    expect(at("samples:(name:x) na|").typed.groups).toEqual([]);
  });

  it("knows descendants, also among terms", () => {
    expect(at("organism.within:|").typed.value).toMatchObject({ name: "organism", within: true });
    expect(at("within:x|", termFields(tinyVocabulary())).typed.value).toMatchObject({ name: "id", within: true });
  });

  it.each([
    ["kd:<10|", ""],
    ["kd:<10 n|", "n"],
    ["kd:<10n|M", "nM"],
    ["KD < 1e-8 |", ""],
    ["kd:[1 nM TO 5 m|", "m"],
    ["samples:(concentration.value:5 m|", "m"],
    ["kon:>1e6 M^-1 s|", "M^-1 s"],
    ["ph:7|", undefined],
    ["kd:<10nM measured:2024|", undefined],
    ["10 n|", undefined],
    ["kd:<10nM x:5 n|", undefined],
  ])("is a unit after a number of a quantity: %s", (marked, unit) => {
    const { typed, show } = at(marked);
    expect(show(typed.unit)).toBe(unit);
  });
});

describe("what may stand there", () => {
  const inserts = (marked: string): readonly string[] => {
    const { typed, text } = at(marked);
    return [
      ...(typed.unit === undefined ? [] : completeUnit(typed.unit, fields.units)),
      ...(typed.operator === undefined ? [] : completeOperator(typed.operator, text.slice(typed.operator.to))),
      ...(typed.name === undefined ? [] : completeName(typed.name, typed.outer, names)),
    ].map(({ insert }) => insert);
  };

  it.each([
    ["k|", ["kd:", "kon:"]],
    ["xk|", ["kd:", "kon:"]],
    ["BETW|", ["kd:"]],
    ["organism.ti|", ["organism.title:"]],
    ["samples:(concentration.v|", ["concentration.value:"]],
    ["a A|", ["AND "]],
    ["a A| b", ["AND"]],
    ["N|", ["NOT "]],
    ["a AND O|", []],
    ["kd:<1 n|", ["nM", "nM^2"]],
    ["kon:>1 u|", ["µM^-1 s^-1"]],
    ["hill:1|", ["unitless", "%"]],
  ])("begins as it does: %s", (marked, expected) => {
    expect(inserts(marked)).toEqual(expected);
  });

  it("begins with the units of most records", () => {
    const { typed } = at("kd:<1 |");
    const use = new Map([
      ["µM", 3],
      ["nM", 9],
    ]);
    expect(
      completeUnit(typed.unit!, fields.units, use)
        .map(({ insert }) => insert)
        .slice(0, 3),
    ).toEqual(["nM", "µM", "M"]);
  });

  it("offers the names of an element first, then those that reach into it", () => {
    expect(inserts("results:(|")).toEqual([
      ...["type:", "value:", "unit:", "sample:", "kd:", "kon:"].filter((name) => inserts("results:(|").includes(name)),
    ]);
    expect(inserts("results:(|")).toContain("kd:");
    expect(inserts("results:(|")).not.toContain("title:");
  });

  it("writes values so that they are read as one", () => {
    expect(["open", "a b", 'a"b', "AND", "7.4"].map(valueText)).toEqual(["open", '"a b"', '"a\\"b"', '"AND"', '"7.4"']);
    expect(matchesTyped("serum alb", "Bovine serum albumin")).toBe(true);
    expect(matchesTyped("albumin ser", "Bovine serum albumin")).toBe(true);
    expect(matchesTyped("ser alb", "Bovine serum albumin")).toBe(false);
    expect(matchesTyped("", "anything")).toBe(true);
  });
});
