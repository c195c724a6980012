import { expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { fieldTree } from "../../core/catalog/field-tree.js";
import type { Json, JsonObject } from "../../core/json.js";
import { plainText } from "../notation/rich-text.js";
import { summaryOf } from "./compare-summary.js";
import { recordItem, sectionsOf } from "./record-sections.js";
import { contentOf } from "./section-content.js";

const model = builtInCatalog().models.get("spr")!;

/** The rows of a summary as text: `Molecule 1: Lysozyme | Muramidase`. Equal rows begin with `=`. */
function rowsOf(...parameters: readonly JsonObject[]): readonly string[] {
  const records = parameters.map((general_parameters) => {
    const metadata = { general_parameters };
    const item = recordItem(metadata, model, fieldTree(model.schema), { writing: "words" });
    const sections = sectionsOf(item, model, undefined).map((section) => ({
      title: section.title,
      content: contentOf(section, model),
    }));
    return { metadata, model, facts: [], sections };
  });
  return summaryOf(records, (n) => `Molecule ${n}`).flatMap(({ rows }) =>
    rows.map(({ label, cells, isEqual }) => {
      const texts = cells.map((cell) => [cell ? plainText(cell.text) : "–", cell?.ratio].filter(Boolean).join(" "));
      return `${isEqual ? "= " : ""}${plainText(label)}: ${texts.join(" | ").replaceAll("\u202f", " ")}`;
    }),
  );
}

const molecule = (id: string, name: string, ...databases: string[]): Json => ({
  ...{ id, name, type: "Polymer", external_databases: databases },
});

const measured = (type: string, value: number, unit: string, ...of: string[]): Json => ({
  ...{ id: `${type}${value}`, name: "R", type, value, unit },
  entities_involved: of.map((id) => ({ entity: { id }, copy_number: 1 })),
});

const KD = "Constant of dissociation KD";
const KON = "Association rate kOn";

it("aligns molecules by their ids, or else by equal names", () => {
  const first = [molecule("a", "Lysozyme", "uniprot:P00698"), molecule("b", "D1.3")];
  const second = [molecule("x", "d1.3"), molecule("y", "Muramidase", "P00698-1"), molecule("z", "New")];
  const rows = rowsOf({ entities_of_interest: first }, { entities_of_interest: second });
  expect(rows.map((row) => row.replaceAll(" · Biopolymer", ""))).toEqual([
    "Molecule 1: Lysozyme | Muramidase",
    "Molecule 2: D1.3 | d1.3",
    "Molecule 3: – | New",
  ]);
});

it("compares the best numbers of the best pair in the unit of the first record", () => {
  const entities = { entities_of_interest: [molecule("a", "A"), molecule("b", "B"), molecule("c", "C")] };
  const rows = rowsOf(
    { ...entities, results: [measured(KD, 2, "nM", "a", "b"), measured(KON, 1e5, "M^-1 s^-1", "a", "b")] },
    {
      ...entities,
      results: [
        measured(KD, 500, "nM", "a", "c"),
        measured(KON, 9, "M^-1 s^-1", "a", "c"),
        measured(KD, 0.01, "µM", "b", "a"),
        measured(KON, 1e5, "M^-1 s^-1", "a", "b"),
      ],
    },
  );
  expect(rows.filter((row) => !row.includes("Molecule"))).toEqual([
    "KD: 2 nM | 10 nM ×5",
    "= kon: 1 × 10⁵ M⁻¹ s⁻¹ | 1 × 10⁵ M⁻¹ s⁻¹",
  ]);
});

it("has nothing to say about records without values", () => {
  expect(rowsOf({}, {})).toEqual([]);
});
