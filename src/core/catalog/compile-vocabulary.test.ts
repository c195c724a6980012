import { expect, it } from "vitest";
import { Problems, parseYamlDeclaration } from "../declarations/declaration.js";
import { NO_UNITS } from "../units/units.js";
import { compileVocabulary } from "./compile-vocabulary.js";

const TEXT = `name: taxa
title: Taxa
description: Taxa.
id_pattern: "[0-9]+"
props:
  formula: { title: Formula, type: text, formula: true }
`;

function compile(text: string) {
  const problems = new Problems();
  const vocabulary = compileVocabulary(parseYamlDeclaration("v.yaml", text, problems)!, "taxa", NO_UNITS, problems);
  return { vocabulary, problems: problems.list.map(({ line, reason }) => `${line}: ${reason}`) };
}

it("knows which part of titles is in italics, and which props are formulas", () => {
  const { vocabulary, problems } = compile(`${TEXT}italic: { part: "^[A-Z]+", except: virus }\n`);
  expect(problems).toEqual([]);
  expect(vocabulary).toMatchObject({ italic: { part: "^[A-Z]+", except: "virus" }, props: [{ isFormula: true }] });
  expect(compile(TEXT).vocabulary?.italic).toBeUndefined();
});

it.each([
  ['italic: { part: "(?=a)" }', /^7: "\(\?=a\)" must be a regular expression/],
  ["italic: { part: a, except: '(' }", /^7: "\(" must be a regular expression/],
  ["italic: { except: a }", /^7: "italic\.part" is missing/],
  ["italic: { part: a, but: b }", /^7: unknown key "but"/],
])("notes %s", (line, expected) => expect(compile(`${TEXT}${line}\n`).problems.join("\n")).toMatch(expected));
