import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { recordFields } from "../fields/field-lookup.js";
import { parseQuery } from "../parse/parse.js";
import { pastedText } from "./pasted-text.js";

const { models, vocabularies } = builtInCatalog();
const fields = recordFields([...models.values()], vocabularies.values());
function isProse(q: string): boolean {
  const { tree, fallback } = parseQuery(q, fields);
  return pastedText(q, tree, fallback)?.isProse === true;
}

describe("a query with syntax is no prose, so that its hits cost one search", () => {
  it.each([
    "lysozyme",
    "lysozyme trypsin",
    "lysozyme NOT trypsin",
    "NOT lysozyme",
    "lysozyme -trypsin",
    "lysozyme +trypsin -hen",
    "lysozyme AND NOT (trypsin OR chymotrypsin OR pepsin OR papain)",
    "lysozyme -organism:taxid:562 -technique:SPR",
    "technique: SPR",
    "technique: SPR lysozyme",
    "(technique: SPR)",
    "lysozyme kd: 5 nM",
    "title: lysozyme author: Müller",
    "lysozyme NOT title: trypsin",
    '"isothermal titration calorimetry of proteins" -trypsin',
    "lysozyme kd:<5",
    "lysoz* -trypsin",
  ])("%s", (q) => {
    expect(isProse(q)).toBe(false);
  });
});

describe("a text with syntax among several words is prose", () => {
  it.each([
    "Remark: trypsin -a",
    "Note: lysozyme kd:<5",
    "Lysozyme -a new approach to binding",
    "Binding of lysozyme does NOT need zinc",
    "technique: a primer for beginners in biophysics",
    "life?",
    "a\\b and c",
    "KD: how it depends on the pH of buffers",
    "close) NOT (open lysozyme",
  ])("%s", (q) => {
    expect(isProse(q)).toBe(true);
  });
});
