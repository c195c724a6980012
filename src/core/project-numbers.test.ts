import { expect, it } from "vitest";
import { projectNumber, projectNumberForms } from "./identifiers.js";

it.each([
  ["5R01AR065953-03", "R01AR065953"],
  ["5R01AR065953-03", "R01 AR065953"],
  ["5R01AR065953-03", "AR065953"],
  ["5R01AR065953-03", "5 R01 AR065953 03"],
  ["1U54GM104940-01A1", "U54GM104940"],
  ["1UL1TR001111-01", "UL1 TR001111"],
  ["R35GM118182", "R35 GM118182"],
  ["KFO 250", "KFO250"],
  ["KFO250", "KFO 250"],
  ["EP/K503733/1", "EPK5037331"],
  ["GA20-12345S", "GA2012345S"],
  ["ANR-19-CE44-0001", "ANR19CE440001"],
])("%s is cited as %s", (number, form) => {
  expect(projectNumberForms(number)).toContain(form);
});

it.each(["101004806", "Z", "", "none", `${"x".repeat(50)}1`])("%j is cited in no other way", (number) => {
  expect(projectNumberForms(number)).toEqual([]);
});

it.each([
  ["5R01AR065953-03", "R01AR065953"],
  ["1R01AR065953-01A1", "R01AR065953"],
  ["5 R01 AR065953-03", "R01AR065953"],
  ["R01 AR065953", "R01AR065953"],
  ["U2C DK119886", "U2CDK119886"],
  ["ZIA HG200378", "ZIAHG200378"],
  ["NIH grant R01-AR065953", "R01AR065953"],
  ["r01ar065953", "r01ar065953"],
  ["101 004 806", "101004806"],
  ["101\u202f004\u202f806", "101004806"],
  ["101.004.806", "101004806"],
  ["101,004,806", "101004806"],
  ["654 321", "654321"],
])("%s cites %s", (text, number) => {
  expect(projectNumber(text)).toBe(number);
});

it.each([
  "PRE OR 123456",
  "R01 OR 123456",
  "the DNA is 123456",
  "101004806",
  "12 34",
  "1 lysozyme",
  "7.4",
  "P00698",
  "inchikey",
  "10.1038/227680a0",
])("%s cites none", (text) => {
  expect(projectNumber(text)).toBeUndefined();
});
