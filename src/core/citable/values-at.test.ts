import { expect, it } from "vitest";
import type { Json } from "../json.js";
import { textsIn } from "./values-at.js";

it.each<readonly [string, Json, readonly string[]]>([
  ["a text", " a ", ["a"]],
  ["an object with a name", { name: "Lysozyme", copies: 2 }, ["Lysozyme"]],
  ["a term", { id: "x:1", title: { en: "Water", cs: "Voda" } }, ["Water"]],
  ["a title in several languages", { cs: "Voda", en: "Water" }, ["Water"]],
  ["a title without English", { cs: "Voda", de: "Wasser" }, ["Voda"]],
  ["a number with its unit", { value: 2, unit: "nM" }, ["2 nM"]],
  ["members with texts", { supplier: "Sigma", lot: 7, kit: { maker: "Roche" } }, ["Sigma", "Roche"]],
  ["a member with a name, and numbers", { entity: { name: "Biotin" }, copy_number: 1 }, ["Biotin"]],
  ["a text deep below", { a: { b: [{ c: [{ note: "deep" }] }] } }, ["deep"]],
  ["numbers alone", { from: 3, to: 5, is_closed: true }, ["3", "5", "true"]],
  ["what a term says of itself", { "@v": "u::1", props: { rank: "species" } }, ["species"]],
  ["nothing", { a: null, b: [], c: {} }, []],
])("finds the texts of %s", (_, value, texts) => {
  expect(textsIn(value)).toEqual(texts);
});
