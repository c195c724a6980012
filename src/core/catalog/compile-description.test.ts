import { expect, it } from "vitest";
import { Problems, parseJsonDeclaration, parseYamlDeclaration } from "../declarations/declaration.js";
import { NO_UNITS } from "../units/units.js";
import { compileModel } from "./compile-model.js";

const text = { type: "string" };
const sample = {
  type: "object",
  properties: { name: text, mass: { type: "number" }, databases: { type: "array", items: text }, from: text },
};
const SCHEMA = { properties: { plain: text, samples: { type: "array", items: sample } } };

const HEAD = "name: demo\ntitle: Demo\ndescription: A model\nversion: 1\nfields:\n";

function compile(fields: string) {
  const problems = new Problems();
  const model = parseYamlDeclaration("model.yaml", HEAD + fields, problems)!;
  const schema = parseJsonDeclaration("schema.json", JSON.stringify(SCHEMA), problems)!;
  const source = { folder: "demo", model, schema, shared: new Map(), units: NO_UNITS };
  const compiled = compileModel(source, new Map(), problems);
  return { model: compiled, problems: problems.list.map(({ file, line, reason }) => `${file}:${line}: ${reason}`) };
}

const MOLECULE = "  molecule: { path: metadata.samples, ids: [databases], facet: Molecule }\n";

it("gives the field leaves that no record has, and a facet that names its keys", () => {
  const { model, problems } = compile(`${MOLECULE}describe: { molecules: { organism: from } }\n`);
  expect(problems).toEqual([]);
  const path = "metadata.samples.@molecule";
  expect(model?.fields.get("molecule")).toMatchObject({ path, morePaths: [`${path}~`] });
  expect(model?.molecules?.ids).toEqual([{ path: "databases" }]);
  expect(model?.facets[0]).toEqual({ name: "molecule", label: "Molecule", kind: "terms", path, namesPath: `${path}=` });
  expect(model?.describe.molecules).toEqual({ organism: "from" });
  expect([...model!.leaves.keys()].filter((key) => key.includes("@"))).toEqual([]);
});

it("names mistakes", () => {
  expect(compile(`${MOLECULE.replace("databases", "mass, names")}`).problems).toEqual([
    'model.yaml:6: the objects of "metadata.samples" have no text and no term "mass"',
    'model.yaml:6: the objects of "metadata.samples" have no text and no term "names"',
  ]);
  expect(compile(MOLECULE.replace("metadata.samples", "metadata.plain")).problems).toContain(
    'model.yaml:6: "metadata.plain" is no list of objects',
  );
  expect(compile(MOLECULE + MOLECULE.replace("molecule", "other")).problems).toEqual([
    'model.yaml:7: the ids of molecules are in the field "molecule"',
  ]);
  expect(compile(`${MOLECULE}describe: { molecules: { variant: mutant } }\n`).problems).toEqual([
    'model.yaml:7: the objects of "metadata.samples" have no "mutant"',
  ]);
});
