import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CatalogReport } from "../../src/app/catalog/check-catalog.js";
import type { ShownModel } from "../../src/app/catalog/show-model.js";
import type { CommandResult } from "../support/bindery.js";
import { startBindery } from "../support/bindery.js";
import { publish } from "../support/deposit.js";
import type { ItemShape, RecordShape, SearchBody } from "../support/http-client.js";
import { runCli } from "./run-cli.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bindery-catalog-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const catalog = (...args: string[]): Promise<CommandResult> => runCli(["catalog", ...args]);
const create = (kind: string, name: string): Promise<CommandResult> => catalog("new", kind, name, "--folder", folder);
const fileOf = (path: string): string => join(folder, path);

function write(path: string, text: string): void {
  mkdirSync(dirname(fileOf(path)), { recursive: true });
  writeFileSync(fileOf(path), text);
}

function edit(path: string, before: string, after: string): void {
  const text = readFileSync(fileOf(path), "utf8");
  expect(text).toContain(before);
  write(path, text.replace(before, after));
}

/** The lines that name files of the folder, without its name. */
const mistakesOf = ({ stderr }: CommandResult): string[] =>
  stderr
    .split("\n")
    .filter((line) => line.startsWith(folder))
    .map((line) => line.slice(folder.length + 1));

describe("catalog check", () => {
  it("counts what there is where nothing is wrong", async () => {
    const { code, stdout } = await catalog("check");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^mst +\d+ +yes +general$/m);
    expect(stdout).toMatch(/^organisms +221$/m);
    expect(stdout).toContain("The catalog has no mistakes.");
  });

  it("lists all mistakes of declarations and starter items at once, with their lines", async () => {
    await create("model", "nmr");
    await create("vocabulary", "solvents");
    edit("models/nmr/model.yaml", "path: metadata.measured,", "path: metadata.mesured,");
    edit("vocabularies/solvents/vocabulary.yaml", "extensible: false", "hierarchy: true");
    write(
      "vocabularies/solvents/starter.jsonl",
      [
        { id: "solvents:1", title: "Water", parent: "solvents:3" },
        { id: "solvents:2", title: "Heavy water", parent: "solvents:2" },
        { id: "water", title: "Water" },
        { id: "solvents:1", title: "Water" },
      ]
        .map((item) => JSON.stringify(item))
        .join("\n"),
    );
    const found = await catalog("check", folder);
    expect(found.code).toBe(1);
    expect(found.stderr).toContain("The catalog has 4 mistakes:\n");
    expect(mistakesOf(found)).toEqual([
      'models/nmr/model.yaml:10: the schema has no "metadata.mesured"',
      'vocabularies/solvents/starter.jsonl:2: "parent" must not be the id of the term itself',
      'vocabularies/solvents/starter.jsonl:3: the id "water" does not have the form solvents:[1-9][0-9]*',
      'vocabularies/solvents/starter.jsonl:4: "solvents:1" is already on line 1',
    ]);
  });

  it("wants parents and successors to be items, and nobody below himself", async () => {
    await create("vocabulary", "solvents");
    edit("vocabularies/solvents/vocabulary.yaml", "extensible: false", "hierarchy: true");
    write(
      "vocabularies/solvents/starter.jsonl",
      [
        { id: "solvents:1", title: "Water", parent: "solvents:9" },
        { id: "solvents:2", title: "Old water", status: "deprecated", replaced_by: "solvents:8" },
        { id: "solvents:3", title: "Egg", parent: "solvents:4" },
        { id: "solvents:4", title: "Hen", parent: "solvents:3" },
      ]
        .map((item) => JSON.stringify(item))
        .join("\n"),
    );
    expect(mistakesOf(await catalog("check", folder))).toEqual([
      'vocabularies/solvents/starter.jsonl:1: the parent "solvents:9" is not one of the terms',
      'vocabularies/solvents/starter.jsonl:2: "replaced_by": "solvents:8" is not one of the terms',
      'vocabularies/solvents/starter.jsonl:3: "solvents:3" is its own descendant',
      'vocabularies/solvents/starter.jsonl:4: "solvents:4" is its own descendant',
    ]);
  });

  it("validates examples by their model, by the starter items, and within themselves", async () => {
    await create("model", "nmr");
    edit("models/nmr/example.json", '"taxid:562"', '"taxid:1234567"');
    edit("models/nmr/example.json", '{\n          "id": "2"\n', '{\n          "id": "3"\n');
    edit("models/nmr/example.json", '"unit": "K"', '"unit": "F"');
    const { code, stdout } = await catalog("check", folder, "--json");
    const { mistakes } = JSON.parse(stdout) as CatalogReport;
    expect(code).toBe(1);
    const lines = readFileSync(fileOf("models/nmr/example.json"), "utf8").split("\n");
    expect(mistakes.map(({ file, line }) => [file, lines[line - 1]!.trim()])).toEqual(
      ['"id": "taxid:1234567"', '"id": "3"', '"unit": "F"'].map((text) => [fileOf("models/nmr/example.json"), text]),
    );
  });

  it("reads example queries, and names those that are not understood", async () => {
    await create("model", "nmr");
    const file = fileOf("models/nmr/model.yaml");
    const examples = [
      "page:",
      "  examples:",
      "    good: organism:human",
      "    unknown field: organsim:human",
      "    open: (organism:human AND",
    ];
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain("page:");
    writeFileSync(file, `${text}\n${examples.join("\n")}\n`);
    const { code, stdout } = await catalog("check", folder, "--json");
    const { mistakes } = JSON.parse(stdout) as CatalogReport;
    expect(code).toBe(1);
    const lines = readFileSync(file, "utf8").split("\n");
    expect(mistakes.map(({ line }) => lines[line - 1]!.trim())).toEqual(examples.slice(3).map((each) => each.trim()));
    expect(mistakes[0]?.reason).toContain('the example query "organsim:human" of nmr: ');
  });

  it("notes fields without title or help, which are no mistakes", async () => {
    await create("model", "nmr");
    edit("models/nmr/metadata.schema.json", '"title": "Measured on",\n', "");
    edit("models/nmr/metadata.schema.json", ',\n          "description": "The number alone."', "");
    const { code, stderr } = await catalog("check", folder);
    expect(code).toBe(0);
    const notes = stderr.split("\n").filter((line) => line.startsWith(`note: ${folder}`));
    expect(notes).toEqual([
      `note: ${fileOf("models/nmr/metadata.schema.json")}: metadata.measured has no title`,
      `note: ${fileOf("models/nmr/metadata.schema.json")}: metadata.measurements.temperature.value has no description`,
    ]);
  });

  it("says that a folder is none", async () => {
    const { code, stderr } = await catalog("check", join(folder, "none"));
    expect(code).toBe(1);
    expect(stderr).toContain(`${join(folder, "none")}:1: this catalog folder does not exist`);
  });
});

describe("catalog show", () => {
  const show = async (...args: string[]): Promise<ShownModel> =>
    JSON.parse((await catalog("show", ...args, "--json")).stdout) as ShownModel;
  const declaredIn = ({ fields }: ShownModel, name: string): readonly string[] =>
    fields.find((field) => field.name === name)?.declared.map((place) => place.replace(/:\d+$/, "")) ?? [];

  it("names the file that says each part of a model, own parts and inherited ones", async () => {
    const shown = await show("itc");
    const { model, extends: above, schema } = shown.files;
    expect([model, ...above, schema].map((file) => file.split("/").slice(-3).join("/"))).toEqual([
      ...["models/itc/model.yaml", "catalog/shared/general.model.yaml", "models/itc/metadata.schema.json"],
    ]);
    expect(declaredIn(shown, "grant")).toEqual(above);
    expect(declaredIn(shown, "cell_volume")).toEqual([model]);
    expect(declaredIn(shown, "concentration")).toEqual([model, ...above]);
    const [place = ""] = shown.fields.find(({ name }) => name === "grant")!.declared;
    const [, line] = /:(\d+)$/.exec(place)!;
    expect(readFileSync(above[0]!, "utf8").split("\n")[Number(line) - 1]).toMatch(/^ {2}grant:/);
  });

  it("shows what an operator's folder changes of a built-in model", async () => {
    write("models/itc/model.yaml", "name: itc\nextends: itc\nfields:\n  grant: { facet: Project }\n  kd: null\n");
    const shown = await show("itc", folder);
    const grant = shown.fields.find(({ name }) => name === "grant")!;
    expect([grant.facet, grant.declared[0]]).toEqual(["Project", `${fileOf("models/itc/model.yaml")}:4`]);
    expect(shown.fields.some(({ name }) => name === "kd")).toBe(false);
    const { stdout } = await catalog("show", "itc", folder);
    expect(stdout).toMatch(
      /^depositors, author, authors, creator, creators +catalog\/\S+:\d+ +metadata\.\w+\.depositors$/m,
    );
    expect(stdout).toMatch(
      /^grant +Project +\/\S+model\.yaml:4, catalog\/\S+:\d+ +metadata\.\w+\.funding_references$/m,
    );
    expect(stdout).toMatch(/^hill +catalog\/\S+ +metadata\.general_parameters\.results \(type: Hill coefficient\)$/m);
  });

  it("shows no model that is not there, and none of a catalog with mistakes", async () => {
    const none = await catalog("show", "nmr", folder);
    expect([none.code, none.stdout]).toEqual([1, ""]);
    write("models/itc/model.yaml", "name: itc\nextends: itd\n");
    const wrong = await catalog("show", "itc", folder);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain(`${fileOf("models/itc/model.yaml")}:2: there is no "itd" to extend`);
  });
});

describe("catalog new", { timeout: 120_000 }, () => {
  it("writes what works: a model and a vocabulary that are checked, served, deposited to and found", async () => {
    const made = await create("model", "nmr");
    expect([made.code, (await create("vocabulary", "solvents")).code]).toEqual([0, 0]);
    expect(made.stdout).toContain(`BINDERY_CATALOG=${folder} npx bindery catalog check`);
    const checked = await catalog("check", folder, "--json");
    const report = JSON.parse(checked.stdout) as CatalogReport;
    expect([checked.code, report.mistakes, report.notes.filter((note) => note.startsWith(folder))]).toEqual([
      0,
      [],
      [],
    ]);
    expect(report.models).toContainEqual({ name: "nmr", version: 1, fields: 11, extends: [], hasExample: true });

    const bindery = await startBindery({ env: { BINDERY_CATALOG: folder } });
    try {
      const alice = await bindery.user("alice");
      const example = JSON.parse(readFileSync(fileOf("models/nmr/example.json"), "utf8")) as object;
      const { id } = await publish(alice.client, example, "nmr");
      for (const query of ["q=sample:caffeine", "q=temperature:%3C300K", "sample_kind=Protein", "organism=taxid:561"]) {
        const { body } = await bindery.client.get<SearchBody<RecordShape>>(`/api/records/nmr/?${query}`);
        expect(
          body.hits.hits.map((hit) => hit.id),
          query,
        ).toEqual([id]);
      }
      const { body } = await bindery.client.get<SearchBody>("/api/records/nmr/");
      expect(body.aggregations!.sample_kind!.buckets.map(({ key }) => key)).toEqual(["Chemical", "Protein"]);
      const found = await bindery.client.get<SearchBody<ItemShape>>("/api/vocabularies/solvents?suggest=sec");
      expect(found.body.hits.hits.map((hit) => hit.id)).toEqual(["solvents:2"]);
    } finally {
      await bindery.dispose();
    }
  });

  it("writes models that extend a base or a model, which work as they are", async () => {
    const extend = (name: string, base: string): Promise<CommandResult> =>
      catalog("new", "model", name, "--extends", base, "--folder", folder);
    const made = [await extend("tsa", "general"), await extend("imaging", "spr"), await extend("mst", "mst")];
    expect(made.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ""],
      [0, ""],
      [0, ""],
    ]);
    expect(existsSync(fileOf("models/mst/metadata.schema.json"))).toBe(false);
    const { code, stdout } = await catalog("check", folder, "--json");
    const { mistakes, notes, models } = JSON.parse(stdout) as CatalogReport;
    expect([code, mistakes]).toEqual([0, []]);
    const ours = models.filter(({ name }) => ["tsa", "imaging", "mst"].includes(name));
    expect(ours.map((model) => [model.name, model.hasExample, model.extends])).toEqual([
      ["imaging", true, ["spr"]],
      ["mst", true, ["mst"]],
      ["tsa", true, ["general"]],
    ]);
    expect(notes.filter((note) => note.startsWith(folder))).toEqual([
      expect.stringMatching(
        /models\/tsa\/model\.yaml:7: "Tsa" is not in the enum of metadata\.\w+\.technique; this model/,
      ),
    ]);
    const wrong = await extend("nmr", "genral");
    expect([wrong.code, existsSync(fileOf("models/nmr"))]).toEqual([1, false]);
    expect(wrong.stderr).toContain('There is no base or model "genral"');
  });

  it.each([
    [
      "model",
      "NMR",
      '"NMR" is not a valid name for a model: a name is a lower-case letter, followed by lower-case letters and',
    ],
    ["model", "x_ray", '"x_ray" is not a valid name for a model'],
    ["model", "../nmr", '"../nmr" is not a valid name for a model'],
    ["vocabulary", "my-salts", ": a name is a lower-case letter, followed by lower-case letters, digits and _."],
    [
      "model",
      "mst",
      'The built-in catalog has a model "mst". Choose another name; to change that model, extend it: bindery',
    ],
    ["vocabulary", "grants", 'The built-in catalog has a vocabulary "grants".'],
  ])("refuses the %s %s, and says why", async (kind, name, expected) => {
    const { code, stdout, stderr } = await create(kind, name);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(expected);
    expect(existsSync(join(folder, "models"))).toBe(false);
  });

  it("overwrites nothing, here and in the other folders", async () => {
    await create("model", "nmr");
    write("models/nmr/model.yaml", "mine");
    const again = await create("model", "nmr");
    expect([again.code, again.stderr]).toEqual([1, `${fileOf("models/nmr")} already exists; nothing was written.\n`]);
    expect(readFileSync(fileOf("models/nmr/model.yaml"), "utf8")).toBe("mine");
    const other = fileOf("other");
    const beside = await runCli(["catalog", "new", "model", "nmr", "--folder", other], { BINDERY_CATALOG: folder });
    expect(beside.stderr).toContain(`${fileOf("models/nmr")} already exists`);
    expect(existsSync(other)).toBe(false);
  });

  it("goes into the last folder that BINDERY_CATALOG names", async () => {
    const setting = [join(folder, "a"), join(folder, "b")].join(":");
    const { stdout } = await runCli(["catalog", "new", "vocabulary", "salts"], { BINDERY_CATALOG: setting });
    expect(stdout).toContain(`written: ${fileOf("b/vocabularies/salts/starter.jsonl")}`);
    expect(stdout).toContain("\n  npx bindery serve\n");
  });
});
