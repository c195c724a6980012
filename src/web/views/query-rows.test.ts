import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { type InProcessServer, startInProcess } from "../../../test/support/in-process-server.js";
import { fieldTree } from "../../core/catalog/field-tree.js";
import { builderChoices, choiceIn, readBuilder } from "./builder-view.js";
import { readQueryRows, writeQuery } from "./query-rows.js";

let server: InProcessServer;
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server.close());

const read = async (q: string) => (await server.services.readQueryText({ q, totals: false, lang: "en" })).answer;
const rowsFor = async (q: string) => readQueryRows(q, (await read(q)).parts);

describe("a query as rows", () => {
  it.each([
    ["kd:<10nM", { join: "all", rows: [{ field: "kd", comparison: "<", value: "10", unit: "nM", to: "" }] }],
    ["ph:[6 TO 7]", { join: "all", rows: [{ field: "ph", comparison: "between", value: "6", unit: "", to: "7" }] }],
    [
      "organism.within:taxid:561",
      { join: "all", rows: [{ field: "organism", comparison: "within", value: "taxid:561", unit: "", to: "" }] },
    ],
    ["title:*", { join: "all", rows: [{ field: "title", comparison: "exists", value: "", unit: "", to: "" }] }],
    ["lysozyme", { join: "all", rows: [{ text: "lysozyme" }] }],
    [
      "results:(type:KD AND value:<10nM)",
      {
        join: "all",
        rows: [
          {
            list: "results",
            rows: [
              { field: "type", comparison: "is", value: "KD", unit: "", to: "" },
              { field: "value", comparison: "<", value: "10", unit: "nM", to: "" },
            ],
          },
        ],
      },
    ],
    ["", { join: "all", rows: [] }],
  ])("%s is drawn", async (q, built) => {
    expect(await rowsFor(q)).toEqual(built);
  });

  it("that mixes operators stays one row of text", async () => {
    const q = "kd:<10nM OR lysozyme -albumin";
    expect(await rowsFor(q)).toEqual({ join: "all", rows: [{ text: q }] });
  });

  it.each([
    "kd:<10nM lysozyme",
    "kd:<10nM AND temperature:[20°C TO 30°C] AND title:lysozyme",
    "caffeine OR biotin",
    "-albumin -organism.within:taxid:561",
    "results:(type:KD AND value:<10nM) lysozyme",
    'title:"serum albumin" (caffeine OR biotin)',
    "instrument:Biacore collected:2024",
    "lysozyme -albumin",
    "KD < 10 nM",
    'results:(type:"Change in enthalpy deltaH" AND value:<-50kJ/mol)',
    "calmo* lyzozyme~",
    "kd:[1nM TO *]",
    "((",
  ])("%s is written again so that it is read the same", async (q) => {
    const again = writeQuery(await rowsFor(q));
    expect((await read(again)).parsed).toBe((await read(q)).parsed);
  });
});

describe("the form of the builder", () => {
  const choices = builderChoices([...builtInCatalog().models.values()], ({ schema }) => fieldTree(schema));
  const sent = (pairs: Readonly<Record<string, string>>) =>
    readBuilder(new Map(Object.entries(pairs).map(([name, value]) => [`b.${name}`, [value]])), choices)!;
  const row = { "0.field": "kd", "0.is": "<", "0.value": "10", "0.unit": "nM" };

  it("says a query", () => {
    expect(writeQuery(sent({ join: "all", ...row }))).toBe("kd:<10nM");
    expect(writeQuery(sent({ join: "none", ...row }))).toBe("-kd:<10nM");
    expect(writeQuery(sent({ join: "any", ...row, "1.kind": "text", "1.text": "a b" }))).toBe("kd:<10nM OR (a b)");
    expect(writeQuery(sent({ join: "all", ...row, "1.kind": "text", "1.text": "" }))).toBe("kd:<10nM");
  });

  it("has a row more or less on request", () => {
    expect(sent({ join: "all", ...row, do: "field" }).rows).toHaveLength(2);
    expect(sent({ join: "all", ...row, do: "less:0" }).rows).toHaveLength(0);
    const group = sent({ join: "all", ...row, do: "list:results" }).rows[1];
    expect(group).toMatchObject({ list: "results", rows: [{ value: "" }] });
    const two = { join: "all", "0.list": "results", "0.0.field": "type", "0.1.field": "value" };
    expect(sent({ ...two, do: "less:0.0" }).rows).toMatchObject([{ list: "results", rows: [{ field: "value" }] }]);
    expect(sent({ ...two, do: "more:0" }).rows).toMatchObject([{ rows: [{}, {}, {}] }]);
    expect(sent({ ...two, do: "less:0" }).rows).toEqual([]);
  });

  it.each([
    // A unit that the field does not have is kept as it was typed, until the field is another one.
    [{ "0.field": "kd", "0.unit": "furlong", "0.offered": "M" }, "kd:<5furlong"],
    [{ "0.field": "kd", "0.unit": "kJ/mol", "0.offered": "M" }, "kd:<5kJ/mol"],
    [{ "0.field": "kd", "0.unit": "nM", "0.offered": "M" }, "kd:<5nM"],
    [{ "0.field": "kd", "0.unit": "", "0.offered": "M" }, "kd:<5M"],
    [{ "0.field": "dh", "0.unit": "nM", "0.offered": "M" }, "dh:<5kJ/mol"],
    [{ "0.field": "dh", "0.unit": "J", "0.offered": "M" }, "dh:<5kJ/mol"],
    [{ "0.field": "ph", "0.unit": "nM", "0.offered": "M" }, "ph:<5"],
    [{ "0.field": "ph", "0.unit": "nM", "0.offered": "" }, "ph:<5"],
  ])("has the units of its field: %j is %s", (pairs, q) => {
    expect(writeQuery(sent({ join: "all", "0.is": "<", "0.value": "5", ...pairs }))).toBe(q);
  });

  it.each([
    ["enthalpy", "kJ/mol", "J/mol"],
    ["Change in enthalpy deltaH", "kJ/mol", "kcal/mol"],
    ["deltaH", "kJ/mol", "kcal/mol"],
    ["KD", "M", "nM"],
    ["Dissociation rate kOff", "s^-1", "s^-1"],
    ["association rate", "M^-1 s^-1", "M^-1 s^-1"],
    ["Molecular weight", "g/mol", "kDa"],
  ])("offers the units of results that are %s: %s first, among them %s", (kind, first, other) => {
    const results = choices.lists.find(({ name }) => name === "results")!;
    const said = { field: "type", comparison: "is", value: kind, unit: "", to: "" } as const;
    const row = { field: "value", comparison: "<", value: "5", unit: "", to: "" } as const;
    const { units } = choiceIn(results, row, [said, row]);
    expect(units[0]).toBe(first);
    expect(units).toContain(other);
    expect(choiceIn(results, row, [row]).units).toEqual(expect.arrayContaining(["nM", "kJ/mol"]));
  });

  it("takes another unit with another kind of result", () => {
    const rows = { "0.list": "results", "0.0.field": "type", "0.0.is": "is", "0.1.field": "value", "0.1.is": "<" };
    const number = { ...rows, join: "all", "0.1.value": "-50", "0.1.unit": "kJ/mol", "0.1.offered": "kJ/mol" };
    const queryOf = (kind: string) => writeQuery(sent({ ...number, "0.0.value": kind }));
    expect(queryOf("enthalpy")).toBe("results:(type:enthalpy AND value:<-50kJ/mol)");
    expect(queryOf("KD")).toBe("results:(type:KD AND value:<-50M)");
  });

  it.each(["results:(type:enthalpy AND value:<-50kJ/mol)", "kd:<5furlong", "results:(value:>5 kJ/mol AND type:KD)"])(
    "opens %s with the unit that it has",
    async (q) => {
      expect((await read(writeQuery(await rowsFor(q)))).parsed).toBe((await read(q)).parsed);
    },
  );

  it("offers the fields of one element of a list", () => {
    const results = choices.lists.find(({ name }) => name === "results")!;
    expect(results.fields.map(({ name }) => name)).toEqual(expect.arrayContaining(["type", "value"]));
    expect(choices.fields.find(({ name }) => name === "dh")).toMatchObject({
      label: "ΔH",
      units: expect.arrayContaining(["kJ/mol"]),
    });
  });
});
