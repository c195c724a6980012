import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { recordFields } from "../fields/field-lookup.js";
import type { Clause } from "../index-model/clause.js";
import { parseQuery } from "../parse/parse.js";
import { resolveQuery } from "./resolve.js";

const { models, vocabularies } = builtInCatalog();
const fields = recordFields([...models.values()], vocabularies.values());

function countLeaves(clause: Clause): number {
  if (!("of" in clause)) return 1;
  return [clause.of].flat().reduce((sum, of) => sum + countLeaves(of), 0);
}

const leavesOf = (q: string): number => countLeaves(resolveQuery(parseQuery(q, fields).tree, fields, 0).clause);

describe("a phrase that cannot be a name is searched as a phrase only", () => {
  it.each([
    "Binding of Lysozyme",
    "Structure and Function",
    "STRUCTURE AND FUNCTION",
    "The Human Protein",
    "Proteins in Water",
    "Toward a New Method",
    "Effects on DNA",
    "Isothermal Titration Calorimetry Data Analysis",
    "Characterization Protein Ligand Binding Affinity Data",
    "Lysozyme, Structure and Function",
    "One, Two Three Four Five Six Seven Eight Nine",
    "Lysozyme",
  ])("%s", (text) => {
    expect(leavesOf(`"${text}"`)).toBe(1);
  });
});

describe("the clauses of a name grow with its words only", () => {
  const places = fields.persons.length;
  it.each([
    ["Zoë Müller", 4],
    ["Müller, Zoë", 2],
    ["Müller, Zoë Anna Maria", 4],
    ["Surface Plasmon Resonance", 6],
    ["Isothermal Titration Calorimetry Data", 8],
    ["Ludwig van der Berg", 8],
    ["Anna in 't Veld", 10],
    ["An Nguyen", 4],
    ["Maria A. Garcia Lopez Santos", 12],
  ])("%s", (text, clauses) => {
    expect(leavesOf(`"${text}"`)).toBe(1 + places * clauses);
  });
});

it.each([
  "Le\u0301on Blum",
  "Seán Mac an Bhaird",
  "Nguyen The Anh",
  "Nguyen The\u0302\u0301 Anh",
  "Bjørn By",
  "Hans in der Gand",
])("takes %s for a name", (text) => {
  expect(leavesOf(`"${text}"`)).toBeGreaterThan(1);
});
