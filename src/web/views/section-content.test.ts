import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { fieldTree } from "../../core/catalog/field-tree.js";
import type { Model } from "../../core/catalog/types.js";
import type { Json, JsonObject } from "../../core/json.js";
import { plainText } from "../notation/rich-text.js";
import { recordItem, sectionsOf } from "./record-sections.js";
import { checksOf, contentOf, type SectionContent } from "./section-content.js";
import { plainValueText, type Written, writeSentence } from "./value-text.js";

const models = builtInCatalog().models;
const [spr, mst, itc] = ["spr", "mst", "itc"].map((name) => models.get(name)!) as [Model, Model, Model];

const writtenText = (written: Written): string =>
  written
    .map((part) => (typeof part === "string" ? part : plainValueText(part)))
    .join("")
    .replaceAll("\u202f", " ");

function contentsOf(model: Model, metadata: JsonObject) {
  const root = recordItem(metadata, model, fieldTree(model.schema), { writing: "words" });
  return new Map(sectionsOf(root, model, undefined).map((section) => [section.name, contentOf(section, model)]));
}

type Form = SectionContent["form"];
/** The content of a section, which must have this form. */
function contentIn<F extends Form>(model: Model, metadata: JsonObject, name: string, form: F) {
  const content = contentsOf(model, metadata).get(name)!;
  expect(content.form).toBe(form);
  return content as Extract<SectionContent, { form: F }>;
}

const general = (members: JsonObject): JsonObject => ({ general_parameters: members });
const result = (id: string, type: string, more: JsonObject = {}): JsonObject => ({
  id,
  type,
  name: `Name ${id}`,
  entities_involved: [
    { entity: { id: "a", name: "A" }, copy_number: 1 },
    { entity: { id: "b", name: "B" }, copy_number: 2 },
  ],
  ...more,
});
const KD = "Constant of dissociation KD";

describe("results", () => {
  const tableOf = (results: readonly Json[], method: JsonObject = {}) =>
    contentIn(spr, { ...general({ results }), method_specific_parameters: method }, "results", "results").table;

  it("stand in the order of the quantities of the model, with number, error and unit apart", () => {
    const { rows, hasErrors, shared, columns } = tableOf([
      result("r1", "Molecular weight", { value: 20, unit: "kDa" }),
      result("r2", "Association rate kOn", { value: 838_000, unit: "M^-1 s^-1" }),
      result("r3", KD, { value: 0.56, unit: "nM", value_error: { lower: 0.16, upper: 0.16, is_relative: false } }),
    ]);
    expect(rows.map(({ kind }) => plainValueText(kind!))).toEqual([
      "Dissociation constant KD",
      "Association rate constant kon",
      "Molecular weight",
    ]);
    expect(hasErrors).toBe(true);
    expect(rows[0]!.quantity!.parts).toMatchObject({ whole: "560", decimals: "", error: "160", scale: ["pM"] });
    expect(rows[1]!.quantity!.parts).toMatchObject({ whole: "8", decimals: ".38", error: undefined });
    expect(columns).toEqual([]);
    expect(shared.map(({ title, values }) => [title, ...values.map(plainValueText)])).toEqual([["Of", "A", "2 B"]]);
  });

  it("show their names only if several have one kind", () => {
    const names = (types: readonly string[]) =>
      tableOf(types.map((type, i) => result(`r${i}`, type))).rows.map(({ name, tooltip }) => [name, tooltip]);
    expect(names([KD])).toEqual([[undefined, "Name r0"]]);
    expect(names([KD, KD])).toEqual([
      ["Name r0", undefined],
      ["Name r1", undefined],
    ]);
  });

  it("have a ratio in place of a number that they lack, and the fit of the analysis that names them", () => {
    const data_analysis = [{ results: [{ id: "r2" }], data_fitting: { model: "1:1" } }];
    const { rows, columns } = tableOf([result("r1", KD), result("r2", "Stoichiometry")], { data_analysis });
    expect(columns).toEqual(["Fit"]);
    expect(rows.map(({ cells: [values] }) => values!.map(plainValueText))).toEqual([[], ["1:1"]]);
    expect(writtenText(rows[1]!.inPlace)).toBe("1 : 2");
  });
});

it("writes a buffer as a line, without what everybody expects and what is not known", () => {
  const buffer = {
    id: "b",
    name: "HBS",
    ph: 7.4,
    solvent: [{ name: "water", concentration: { value: 100, unit: "v/v %" } }],
    constituents: [
      { name: "HEPES", concentration: { value: 10, unit: "mM" } },
      { name: "NaCl", concentration: { value: -1, unit: "mM" } },
    ],
  };
  const lineOf = (environment: JsonObject) =>
    writtenText(contentIn(mst, general({ chemical_environments: [environment] }), "conditions", "line").lines[0]!.line);
  expect(lineOf(buffer)).toBe("HBS: 10 mM HEPES, NaCl, pH\u00a07.4, in water");
  const solvent = [{ name: "water", concentration: { value: 98, unit: "v/v %" } }];
  expect(lineOf({ id: "b", name: "HBS", solvent })).toBe("HBS, in 98 % (v/v) water");
});

it("shows a molecule as a card: its line in words, and each other member once", () => {
  const entity = {
    id: "e",
    name: "Lysozyme",
    type: "Polymer",
    polymer_type: "polypeptide(L)",
    expression_source_type: "Natively",
    variant: "WT",
    external_databases: ["uniprot:P00698"],
    quality_controls: {
      purity: { assessed: "Yes", method: "SDS-PAGE", purity_percentage: ">95 %" },
      identity: { assessed: "No" },
    },
  };
  const { cards } = contentIn(mst, general({ entities_of_interest: [entity] }), "entities", "cards");
  const { name, line, members } = cards[0]!;
  expect([name, writtenText(line)]).toEqual(["Lysozyme", "Protein, natural source, WT"]);
  expect(members.map(({ name: member }) => member)).toEqual(["external_databases", "quality_controls"]);
  expect(plainValueText(members[1]!)).toBe(">95 % pure (SDS-PAGE)");
});

describe("a series", () => {
  const capillary = (i: number, nM: number): JsonObject => ({
    id: `m${i}`,
    name: `Capillary ${i}`,
    position: String(i),
    sample: {
      ligands: [{ entity: { id: "l", name: "Ligand" }, concentration: { value: nM, unit: "nM" } }],
      chemical_environment: { id: "b", name: "Buffer" },
    },
  });
  const seriesOf = (measurements: readonly Json[], results: readonly Json[] = []) =>
    contentIn(mst, { ...general({ results }), method_specific_parameters: { measurements } }, "samples", "series");

  it("has what is the same in all rows once, above the table", () => {
    const { series } = seriesOf([capillary(1, 10), capillary(2, 100)]);
    expect(series.columns.map(({ title }) => title)).toEqual(["Concentration", "Position"]);
    expect(series.shared.map(({ title, values }) => [title, ...values.map(plainValueText)])).toEqual([
      ["Molecule", "Ligand"],
      ["Buffer", "Buffer"],
    ]);
    expect(series.rows.map(({ name, cells }) => [name, ...cells.flat().map((each) => each.value)])).toEqual([
      ["Capillary 1", { value: 10, unit: "nM" }, "1"],
      ["Capillary 2", { value: 100, unit: "nM" }, "2"],
    ]);
  });

  it("stands on a logarithmic axis with the results of its quantity", () => {
    const { axis } = seriesOf([capillary(1, 10), capillary(2, 1000)], [result("r", KD, { value: 100, unit: "nM" })]);
    expect(axis!.marks).toMatchObject([{ text: "100\u202fnM" }]);
    expect(axis!.marks[0]!.at).toBeCloseTo((axis!.points[0]!.at + axis!.points[1]!.at) / 2);
    expect(seriesOf([capillary(1, 10), capillary(2, 0)]).axis).toBeUndefined();
  });

  it("leaves out numbers that become 0 in the unit of its axis", () => {
    const tiny = [result("r", KD, { value: 1e-322, unit: "nM" })];
    const { axis } = seriesOf([capillary(1, 10), capillary(2, 1000), capillary(3, 1e-322)], tiny);
    expect([axis!.points.length, axis!.marks.length]).toEqual([2, 0]);
  });

  it("has two ticks at least, however short it is", () => {
    const { axis } = seriesOf([capillary(1, 12), capillary(2, 15)]);
    expect(axis!.ticks.map(({ text }) => text)).toEqual(["10\u202fnM", "20\u202fnM"]);
  });

  it("has few ticks, however long it is", () => {
    const { axis } = seriesOf([capillary(1, 1e-300), capillary(2, 1e300)]);
    expect(axis!.ticks.length).toBeGreaterThan(2);
    expect(axis!.ticks.length).toBeLessThanOrEqual(11);
    expect(axis!.ticks.every(({ at }) => at >= 0 && at <= 1)).toBe(true);
  });
});

describe("steps", () => {
  const step = (name: string, start: number, length: number, unit = "seconds"): JsonObject => ({
    id: name,
    name,
    start_time: { value: start, unit },
    time_length: { value: length, unit },
    flow: { rate: 0.5, unit: "µl/s" },
  });
  const stripOf = (steps: readonly Json[]) =>
    contentIn(spr, { method_specific_parameters: { measurement_protocol: steps } }, "protocol", "strip").strip;

  it("are a strip in their order, each as wide as it is long, with the flow that all have once", () => {
    const { steps, shared } = stripOf([step("Wash", 2, 2, "minutes"), step("Baseline", 0, 60)]);
    expect(steps.map(({ label, width }) => [writtenText(label), width])).toEqual([
      ["Baseline", 6],
      ["Wash", 12],
    ]);
    expect(shared.map(({ values }) => values.map(plainValueText))).toEqual([["0.5\u202fµL/s"]]);
  });

  it("without a length are shown as other values are", () => {
    const steps = [step("Baseline", 0, 60), { id: "x", name: "Other" }];
    const contents = contentsOf(spr, { method_specific_parameters: { measurement_protocol: steps } });
    expect(contents.get("protocol")!.form).toBe("members");
  });
});

describe("values that differ less than their texts", () => {
  const cycle = (value: number, unit: string) => ({
    name: "Cycle",
    samples: [{ analytes: [{ entity: { id: "a", name: "A" }, concentration: { value, unit } }] }],
  });
  const measurementsOf = (concentrations: readonly (readonly [number, string])[]) => ({
    method_specific_parameters: { measurements: concentrations.map(([value, unit]) => cycle(value, unit)) },
  });
  const concentrations = (values: readonly (readonly [number, string])[]) => {
    const { columns, shared } = contentIn(spr, measurementsOf(values), "samples", "series").series;
    const title = /concentration/i;
    return [columns.some((each) => title.test(each.title)), shared.some((each) => title.test(each.title))];
  };
  const head = (values: readonly (readonly [number, string])[]) => {
    const root = recordItem(measurementsOf(values), spr, fieldTree(spr.schema), { writing: "words" });
    return writtenText(writeSentence(spr.page.head!.conditions!, root));
  };

  it("are different rows, and different concentrations", () => {
    const near = [0.13800000001, 0.13800000006].map((value) => [value, "nM"] as const);
    expect(concentrations(near)).toEqual([true, false]);
    expect(head(near)).toContain("2 concentrations");
  });

  it("are one amount in several units", () => {
    const equal = [[1, "µM"] as const, [1000, "nM"] as const];
    expect(concentrations(equal)).toEqual([false, true]);
    expect(head(equal)).toContain("1 concentration");
  });
});

it("names a person once, with all roles", () => {
  const ada = { given_name: "Ada", family_name: "Byron" };
  const depositors = { depositor: ada, principal_contact: ada, contributors: [{ given_name: "B", family_name: "C" }] };
  const { people } = contentIn(itc, general({ depositors }), "people", "people");
  expect(people.map(({ item, roles }) => [plainValueText(item), ...roles])).toEqual([
    ["Byron, Ada", "Depositor", "Principal contact"],
    ["C, B", "Contributor"],
  ]);
});

it.each([
  [1, "1 titration"],
  [3, "3 titrations"],
])("writes a count of %d with its noun", (count, text) => {
  const measurements = Array.from({ length: count }, (_, n) => ({ id: `m${n}` }));
  const metadata = { method_specific_parameters: { measurements } };
  const root = recordItem(metadata, itc, fieldTree(itc.schema), { writing: "words" });
  expect(writtenText(writeSentence(itc.page.head!.conditions!, root))).toBe(text);
});

describe("checks", () => {
  const rates = (kd: number) => [
    result("r1", "Dissociation rate kOff", { value: 4e-4, unit: "s^-1" }),
    result("r2", "Association rate kOn", { value: 200, unit: "mM^-1 s^-1" }),
    result("r3", "Constant of dissociation KD", { value: kd, unit: "nM" }),
  ];

  it("are written like the numbers of the page, and what differs stands first", () => {
    const { lines, counts, left } = checksOf(
      general({ results: rates(0.3), chemical_environments: [{ ph: 7 }] }),
      spr,
    )!;
    expect(counts).toEqual({ agrees: 0, differs: 1, note: 2 });
    expect(left).toBe(0);
    const [first] = lines;
    expect(first).toMatchObject({ status: "differs", formula: "KD = koff / kon" });
    expect(first?.text).toContainEqual({ style: "sub", text: "off" });
    const text = plainText(first!.text).replaceAll("\u202f", " ");
    expect(text).toBe("koff / kon is 2 nM; the KD of 300 pM differs by × 6.7");
  });

  it("write large numbers without a unit with a power of ten", () => {
    const targets = [{ entity: { id: "a" }, concentration: { value: 10, unit: "µM" } }];
    const measurements = [{ sample_in_cell: { targets } }];
    const metadata = {
      ...general({ results: [result("r1", "Constant of association KA", { value: 2.5e14, unit: "M^-1" })] }),
      method_specific_parameters: { measurements },
    };
    const lines = checksOf(metadata, itc)!.lines.map(({ text }) => plainText(text));
    expect(lines).toContain("The c-value is 2.5 × 10⁹ (1 to 1000 is measurable)");
  });

  it("are at most 50, and none without a check", () => {
    const pairs = Array.from({ length: 60 }, (_, i) =>
      rates(2 + i).map((each) => ({ ...each, entities_involved: [{ entity: { id: `e${i}`, name: `E${i}` } }] })),
    );
    const { lines, left, counts } = checksOf(general({ results: pairs.flat() }), spr)!;
    expect(lines).toHaveLength(50);
    expect(left).toBe(counts.agrees + counts.differs + counts.note - 50);
    expect(plainText(lines[0]!.text)).toMatch(/^E3: /);
    expect(checksOf(general({}), { ...spr, page: { ...spr.page, checks: [] } })).toBeUndefined();
  });
});
