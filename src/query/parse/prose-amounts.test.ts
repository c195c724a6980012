/** Numbers with units as papers, phones and spreadsheets have them: each reads as that amount. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tinyModel, tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import { Problems, parseYamlDeclaration } from "../../core/declarations/declaration.js";
import { parseAmount } from "../../core/units/amounts.js";
import { compileUnits, findUnit } from "../../core/units/units.js";
import { recordFields } from "../fields/field-lookup.js";
import { parseQuery } from "./parse.js";
import { printQuery } from "./print.js";
import type { QueryNode } from "./tree.js";

const problems = new Problems();
const yaml = readFileSync(new URL("../../../catalog/units.yaml", import.meta.url), "utf8");
const units = compileUnits([parseYamlDeclaration("units.yaml", yaml, problems)!], problems);
const fields = recordFields([tinyModel("tiny", { units })], [tinyVocabulary()]);

const parse = (text: string) => parseQuery(text, fields);
const printed = (text: string): string => printQuery(parse(text).tree);

describe("a number and a whole unit after it", () => {
  it.each<readonly [string, string]>([
    // One amount, though a dash stands in it.
    ["kon:0.1M-1s-1", "kon:=0.1 M^-1 s^-1"],
    ["kon = 838000 M-1 s-1", "kon:=838000 M^-1 s^-1"],
    ["kon:8.38e5M⁻¹s⁻¹", "kon:=838000 M^-1 s^-1"],
    ["kon 838000 M-1 s-1", "kon:=838000 M^-1 s^-1 or words"],
    ["kon:1e5 M^-1*s^-1", "kon:=100000 M^-1 s^-1"],
    ["kon:1e5M^-1 * s^-1", "kon:=100000 M^-1 s^-1"],
    ["kon:1e5 1/(M*s)", "kon:=100000 M^-1 s^-1"],
    ["kon:1e5 (M*s)^-1", "kon:=100000 M^-1 s^-1"],
    ["kon:1e5 (M s)-1", "kon:=100000 M^-1 s^-1"],
    ["kon:1e5 M^{-1}s^{-1}", "kon:=100000 M^-1 s^-1"],
    ["kon:1e5 M −1 s −1", "kon:=100000 M^-1 s^-1"],
    ["kon:1e5 L/(mol·s)", "kon:=100000 M^-1 s^-1"],
    ["rate:0.246s-1", "rate:=0.246 s^-1"],
    ["constant:301000mM-1", "constant:=301000 mM^-1"],
    ["constant:10-8 M", "constant:=1e-8 M"],
    // Spans stay spans.
    ["rate:0.1-1s-1", "rate:>=0.1 <=1 s^-1"],
    ["kd:10-100 nM", "kd:>=10 <=100 nM"],
    ["kd:10 nM-1 µM", "kd:>=10 nM <=1 µM"],
    ["kd:10nM-1µM", "kd:>=10 nM <=1 µM"],
    ["constant:10 nM-1 µM", "constant:>=10 nM <=1 µM"],
    ["kd:10-12 nM", "kd:>=10 <=12 nM"],
    ["kd:10-20 nM", "kd:>=10 <=20 nM"],
    ["constant:10-20 kJ/mol", "constant:>=10 <=20 kJ/mol"],
    ["kd:1 µM - 10 nM", "kd:>=10 nM <=1 µM"],
    ["kon:1e5 M-1s-1 - 1e6 M-1s-1", "kon:>=100000 M^-1 s^-1 <=1000000 M^-1 s^-1"],
    ["kon:1e5-1e6 M^-1 s^-1", "kon:>=100000 <=1000000 M^-1 s^-1"],
    ["kd:1..10 nM", "kd:>=1 <=10 nM"],
    ["kd:1 to 10 nM", "kd:>=1 <=10 nM"],
    ["kd:1 nM to 1 µM", "kd:>=1 nM <=1 µM"],
    ["KD between 1 and 10 nM", "KD:>=1 <=10 nM or words"],
    ["KD from 1 nM to 10 nM", "KD:>=1 nM <=10 nM or words"],
    ["ph between 7 and 8", "ph:>=7 <=8 or words"],
    ["constant:−50 to −40 kJ/mol", "constant:>=-50 <=-40 kJ/mol"],
    ["constant:-50–-40 kJ/mol", "constant:>=-50 <=-40 kJ/mol"],
    // Comparisons.
    ["kd:>1 nM AND <10 nM", "kd:>1 nM <10 nM"],
    ["kd:>1 nM <10 nM", "kd:>1 nM <10 nM"],
    ["kd > 1 nM and < 10 nM", "kd:>1 nM <10 nM"],
    ["kd:≥1nM, ≤10nM", "kd:>=1 nM <=10 nM"],
    ["ph:>7 && <8", "ph:>7 <8"],
    ["measured:>2020 AND <2022", "measured:>2020 <2022"],
    ["Kd (nM) < 5", "Kd:<5 nM"],
    ["Kd(nM)<5", "Kd:<5 nM"],
    ["Kd [nM] < 5", "Kd:<5 nM"],
    ["Kd / nM < 5", "Kd:<5 nM"],
    ["Kd/nM = 5", "Kd:=5 nM"],
    ["Kd (nM): 5", "Kd:=5 nM"],
    ["Kd (nM): 5-10", "Kd:>=5 nM <=10 nM"],
    ["Kd (nM) < 5 µM", "Kd:<5 µM"],
    ["kon (1/(M*s)) > 1e5", "kon:>100000 M^-1 s^-1"],
    ["1 < Kd (nM) < 10", "Kd:>1 nM <10 nM"],
    ["KD below 10 nM", "KD:<10 nM or words"],
    ["KD is at least 1 µM", "KD:>=1 µM or words"],
    ["kd =< 10 nM", "kd:<=10 nM"],
    ["kd:=10 nM", "kd:=10 nM"],
    ["constant < -40 kJ/mol", "constant:<-40 kJ/mol"],
    ["kd < 10 nM, lysozyme", "kd:<10 nM, words"],
    // Words, labels of spreadsheets, and errors.
    ["KD less than 5 nM", "KD:<5 nM or words"],
    ["KD is LESS THAN OR EQUAL TO 5 nM", "KD:<=5 nM or words"],
    ["Kd at most 5 nM", "Kd:<=5 nM or words"],
    ["Kd no more than 5 nM", "Kd:<=5 nM or words"],
    ["Kd not less than 5 nM", "Kd:>=5 nM or words"],
    ["KD values exceeding 5 nM", "KD:>5 nM or words"],
    ["KD of 5 nM", "KD:=5 nM or words"],
    ["KD was 5-10 nM", "KD:>=5 <=10 nM or words"],
    ["KD equal to 5 nM", "KD:=5 nM or words"],
    ["KD of < 5 nM", "KD:<5 nM"],
    ["KD values are ≤ 5 nM", "KD:<=5 nM"],
    ["KD in the range of 1 to 10 nM", "KD:>=1 <=10 nM or words"],
    ["KD within 1–10 nM", "KD:>=1 <=10 nM or words"],
    ["KD ranging from 1 nM to 10 nM", "KD:>=1 nM <=10 nM or words"],
    ["KD is between 10 & 1 nM", "KD:>=1 nM <=10 or words"],
    ["KD less than 5", "KD:<5 or words"],
    ["KD between 1 and 10", "KD:>=1 <=10 or words"],
    ["constant less than -40 kJ/mol", "constant:<-40 kJ/mol or words"],
    ["constant below −40 kJ/mol", "constant:<-40 kJ/mol or words"],
    ["constant −40 kJ/mol", "constant:=-40 kJ/mol or words"],
    ["kd : 10 nM", "kd:=10 nM"],
    ["Kd in nM < 5", "Kd:<5 nM"],
    ["Kd, nM = 5", "Kd:=5 nM"],
    ["Kd nM ≤ 5", "Kd:<=5 nM"],
    ["Kd_nM < 5", "Kd:<5 nM"],
    ["Kd (in nM) is less than 5", "Kd:<5 nM or words"],
    ["kon (×10⁵ M⁻¹ s⁻¹) > 2.1", "kon:>210000 M^-1 s^-1"],
    ["KD < 10 nm", "KD:<10 nM"],
    ["KD between 1 and 10 um", "KD:>=1 <=10 µM or words"],
    ["Kd (nm) < 5", "Kd:<5 nM"],
    ["KD ≪ 10 nM", "KD:<10 nM"],
    ["kd = 5 ± 1 nM", "kd:>=4 nM <=6 nM"],
    ["kd 5 nM ± 0.1 nM", "kd:>=4.9 nM <=5.1 nM or words"],
    ["ph 7.4 +/- 0.1", "ph:>=7.3 <=7.5 or words"],
    // Numbers.
    ["kd:<0,01 µM", "kd:<0.01 µM"],
    ["kd:<1,000 nM", "kd:<1000 nM"],
    ["kd:<1.234,5 nM", "kd:<1234.5 nM"],
    ["kd:[0,01 µM TO 0,1 µM]", "kd:>=0.01 µM <=0.1 µM"],
    ["kon:>838\u2009000 M-1 s-1", "kon:>838000 M^-1 s^-1"],
    ["kd:<1x10-8 M", "kd:<1e-8 M"],
    ["kd:<1 × 10−8 M", "kd:<1e-8 M"],
    ["kd:<10-8 M", "kd:<1e-8 M"],
    ["kd:<1.5·10^(-8) M", "kd:<1.5e-8 M"],
    ["kd:<1*10**-8 M", "kd:<1e-8 M"],
    ["kon:>1.2 × 105 M−1 s−1", "kon:>120000 M^-1 s^-1"],
    ["kd:<1E−8 M", "kd:<1e-8 M"],
    ["ph:7,4", "ph:=7.4"],
    ["ph 7,4", "ph:=7.4 or words"],
    ["ph:[7,0 TO 7,4]", "ph:>=7 <=7.4"],
    // Look-alikes.
    ["kd≦10nM", "kd:<=10 nM"],
    ["Ｋｄ＜１０ｎＭ", "Kd:<10 nM"],
    ["kd：＜10 nM", "kd:<10 nM"],
    ["temp：37ºC", "temp:=37 °C"],
    ["temp:37˚C", "temp:=37 °C"],
    ["temp:37oC", "temp:=37 °C"],
    ["temp:37 o C", "temp:=37 °C"],
    ["temp:37⁰C", "temp:=37 °C"],
    ["temp:37℃", "temp:=37 °C"],
    ["temp:10⁰C", "temp:=10 °C"],
    ["temp:98.6ºF", "temp:=98.6 °F"],
    ...["-", "‐", "‑", "‒", "–", "—", "−", "－", "﹣"].flatMap((dash) => [
      [`temp:${dash}80 °C`, "temp:=-80 °C"] as const,
      [`temp:<${dash}80°C`, "temp:<-80 °C"] as const,
      [`ph:${dash}1`, "ph:=-1"] as const,
      [`kd:1e${dash}8M`, "kd:=1e-8 M"] as const,
      [`kd:1${dash}10 nM`, "kd:>=1 <=10 nM"] as const,
      [`rate:5 s${dash}1`, "rate:=5 s^-1"] as const,
      [`measured:2020${dash}2022`, "measured:>=2020 <=2022"] as const,
    ]),
  ])("%s is read as %s", (query, expected) => {
    const { tree } = parse(query.replace(/^(?:rate|constant|temp)(?=\W)/u, "samples.concentration.value"));
    expect(show(tree).replace(/^samples\.concentration\.value/u, /^[a-z]*/u.exec(query)![0])).toBe(
      expected.replace(/^KD(?=:)/u, "KD"),
    );
    expect(parse(printQuery(tree)).tree).toEqual(tree);
  });

  it("is told how it was read, if another reading is possible", () => {
    const codes = (text: string) => parse(text).warnings.map(({ code }) => code);
    expect(codes("kd:<0,01 µM")).toEqual(["QUERY_READ_AS"]);
    expect(codes("kd:>1 nM AND <10 nM")).toEqual(["QUERY_READ_AS"]);
    expect(codes("kon:0.1M-1s-1")).toEqual([]);
  });

  it.each([
    ["kd:<1 nM OR >1 µM", "kd:<1nM OR kd:>1µM"],
    ["kd:<1 nM AND NOT <0.1 nM", "kd:<1nM AND NOT kd:<0.1nM"],
    ["(kd:<1 nM) <b", "kd:<1nM AND \\<b"],
    ["kd:<1 nM <b", "kd:<1nM AND \\<b"],
    ["title:a <5", "title:a AND \\<5"],
    ["“serum albumin” x", '"serum albumin" AND x'],
    ["title:„serum albumin“", 'title:"serum albumin"'],
    ["«serum albumin»", '"serum albumin"'],
    ['"serum albumin”', '"serum albumin"'],
    ["a 5” tube", "a AND 5\\” AND tube"],
    ['"the “big” one"', '"the “big” one"'],
    ["title：a", "title:a"],
    ["–80 storage", "–80 AND storage"],
    ["a with a KD < 5 nM", "a AND KD:<5nM"],
    ["KD < 5 nM and ph > 7", "KD:<5nM AND ph:>7"],
    ["KD < 5 nM and ph 7.4", "KD:<5nM AND (ph:7.4 OR (ph AND 7.4))"],
    ["KD < 1 nM or KD > 5 nM", "KD:<1nM OR KD:>5nM"],
    ["KD < 1 nM or > 5 nM", "KD:<1nM OR KD:>5nM"],
    ["or KD < 1 nM", "KD:<1nM"],
    ["a with ph 7", "a AND with AND (ph:7 OR (ph AND 7))"],
    ["a and b < 5", "a AND and AND b AND 5"],
    ["kd over 5 decades", "kd AND over AND 5 AND decades"],
    ["kd of 2 proteins", "kd AND of AND 2 AND proteins"],
    ["a-5 -5 < b", "a-5 AND NOT 5 AND b"],
    ["-5 mM < concentration < 7 mM", "concentration:{-5mM TO 7mM}"],
    ["kd:<10nm", "kd:<10nm"],
  ])("%s is read as %s", (query, expected) => {
    expect(printed(query)).toBe(expected);
    expect(parse(expected).tree).toEqual(parse(query).tree);
  });
});

/** Field, bounds and unit, with numbers and units as the catalog has them. */
function show(node: QueryNode): string {
  if (node.kind === "any") return `${show(node.of[0]!)} or words`;
  if (node.kind === "all") return `${show(node.of[0]!)}, words`;
  if (node.kind === "text") return `${node.field}:=${showAmount(node.text)}`;
  if (node.kind !== "range") return node.kind;
  return `${node.field}:${node.bounds.map(({ op, text }) => op + showAmount(text)).join(" ")}`;
}

function showAmount(text: string): string {
  const amount = parseAmount(text);
  if (amount === undefined || /^\d{4}$/u.test(text)) return text;
  return `${amount.number} ${findUnit(units, amount.unit)?.name ?? amount.unit}`.trim();
}

const DASH = fc.constantFrom("-", "−", "–", "‑");

/** Spellings of a number. */
const number = fc
  .tuple(fc.constantFrom("", "-", "−", "–"), fc.integer({ min: 1, max: 999 }), fc.integer({ min: -9, max: 9 }), DASH)
  .chain(([sign, digits, power, dash]) => {
    const minus = power < 0 ? dash : "";
    const exponent = `${minus}${Math.abs(power)}`;
    const value = (sign === "" ? 1 : -1) * Number(`${digits}e${power}`);
    const raised = String(power).replace(/./gu, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]!);
    const decimal = (digits / 100).toFixed(2);
    const spellings: readonly (readonly [string, number])[] = [
      [`${sign}${digits}e${exponent}`, value],
      [`${sign}${digits}E${exponent}`, value],
      [`${sign}${digits}×10^${exponent}`, value],
      [`${sign}${digits} x 10^${exponent}`, value],
      [`${sign}${digits}·10${raised}`, value],
      ...(power < 0 ? [[`${sign}${digits}x10${exponent}`, value] as const] : []),
      [`${sign}${decimal}`, ((sign === "" ? 1 : -1) * digits) / 100],
      [`${sign}${decimal.replace(".", ",")}`, ((sign === "" ? 1 : -1) * digits) / 100],
      [`${sign}${digits}`, (sign === "" ? 1 : -1) * digits],
    ];
    return fc.constantFrom(...spellings);
  });

/** Spellings of a unit: exponents with and without their sign, raised, and as a fraction. */
const unit = fc
  .constantFrom(...units.units.keys())
  .filter((name) => !/["?~\\]/u.test(name))
  .chain((name) => {
    const raised = name.replace(/\^(-?)(\d)/gu, (_, minus, digit) => (minus && "⁻") + "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]!);
    const fraction = /^[^\s^/]+\^-1(?: [^\s^/]+\^-1)*$/u.test(name)
      ? [
          `1/(${name.replaceAll("^-1", "").replaceAll(" ", "*")})`,
          `/${name.replaceAll("^-1", "").replaceAll(" ", "/")}`,
        ]
      : [];
    const glued = /\^/u.test(name)
      ? [name.replaceAll("^", ""), name.replaceAll(" ", "*"), name.replaceAll(" ", "")]
      : [];
    return fc.tuple(fc.constant(name), fc.constantFrom(name, raised, ...fraction, ...glued));
  });

const operator = fc.constantFrom(
  ...[":", ": ", ":<", ":> ", ":>=", ":≤", " < ", ">", " = ", "=", " ≥ ", "：", " ＜ ", " between 0 and ", ":0 to "],
);

it("reads as that amount in every spelling of numbers and units, after every operator, and prints as the same", () => {
  fc.assert(
    fc.property(operator, number, unit, fc.boolean(), (op, [written, value], [name, spelling], isApart) => {
      const blank = isApart || /^[\d./+-]|^e\d/iu.test(spelling) ? " " : "";
      fc.pre(value > 0 || !/0/u.test(op));
      const { tree } = parse(`samples.concentration.value${op}${written}${blank}${spelling}`);
      const node = tree.kind === "any" ? tree.of[0]! : tree;
      const text = node.kind === "range" ? node.bounds.at(-1)!.text : node.kind === "text" ? node.text : "";
      const amount = parseAmount(text);
      expect([amount?.number, findUnit(units, amount?.unit ?? "")?.name]).toEqual([expect.closeTo(value, 15), name]);
      expect(parse(printQuery(tree)).tree).toEqual(tree);
    }),
    { numRuns: 3_000 },
  );
});
