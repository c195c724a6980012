import { describe, expect, it } from "vitest";
import { Problems, parseJsonDeclaration, parseYamlDeclaration } from "../declarations/declaration.js";
import { NO_UNITS } from "../units/units.js";
import { compileModel } from "./compile-model.js";

const SCHEMA = {
  type: "object",
  properties: {
    title: { type: "string" },
    storage_buffer: { type: "string" },
    samples: {
      type: "array",
      items: { type: "object", properties: { name: { type: "string" }, volume: { type: "number" } } },
    },
  },
};

const HEAD = `name: demo
title: Demo
description: A model
version: 1
fields:
  title: { path: metadata.title, weight: title }
  storage_buffer: { path: metadata.storage_buffer, facet: true }
`;

function compile(page: string) {
  const problems = new Problems();
  const model = parseYamlDeclaration("model.yaml", `${HEAD.replace("facet: true", "facet: Buffer")}${page}`, problems)!;
  const schema = parseJsonDeclaration("metadata.schema.json", JSON.stringify(SCHEMA), problems)!;
  const compiled = compileModel(
    { folder: "demo", model, schema, shared: new Map(), units: NO_UNITS },
    new Map(),
    problems,
  );
  return { page: compiled?.page, problems: problems.list.map(({ reason }) => reason) };
}

describe("the page of a model", () => {
  it("has what is declared, in its order", () => {
    const { page, problems } = compile(`page:
  hit: [title, storage_buffer]
  columns: [id, storage_buffer, kd, created]
  facets: [storage_buffer]
  sections:
    samples: { title: Samples, paths: [metadata.samples] }
    rest: { title: About, paths: [metadata.title] }
  tables: { metadata.samples: [volume, name] }
`);
    expect(problems).toEqual([]);
    expect(page!.hit.map(({ name, label, paths }) => [name, label, paths])).toEqual([
      ["title", "Title", ["metadata.title"]],
      ["storage_buffer", "Buffer", ["metadata.storage_buffer"]],
    ]);
    expect(page!.columns).toEqual(["id", "storage_buffer", "created"]);
    expect(page!.facets).toEqual(["storage_buffer"]);
    expect(page!.sections.map(({ name, title }) => [name, title])).toEqual([
      ["samples", "Samples"],
      ["rest", "About"],
    ]);
    expect(page!.tables.get("metadata.samples")).toEqual(["volume", "name"]);
  });

  it("may be left out", () => {
    const nothing = {
      hit: [],
      facets: [],
      filters: [],
      structures: [],
      examples: [],
      sections: [],
      tables: new Map(),
      sentences: new Map(),
      words: new Map(),
      checks: [],
    };
    expect(compile("").page).toEqual({ ...nothing, columns: ["title"] });
  });

  it("leaves out fields and facets that the model does not have: a base names those of all", () => {
    const { page, problems } = compile("page: { hit: [kd, title], facets: [title, kd] }\n");
    expect(problems).toEqual([]);
    expect(page!.hit.map(({ name }) => name)).toEqual(["title"]);
    expect(page!.facets).toEqual([]);
  });

  it.each([
    ["page: { section: {} }", 'unknown key "section"; did you mean "sections"?'],
    ["page: { sections: { a: { title: A, paths: [metadata.sample] } } }", 'the schema has no "metadata.sample"'],
    ["page: { structures: [metadata.dye] }", 'the schema has no "metadata.dye"'],
    ["page: { sections: { a: { paths: [] } } }", '"page.sections.a.title" is missing'],
    ["page: { sections: { A b: { title: A } } }", "a section's name must match ^[a-z][a-z0-9-]*$"],
    [
      "page: { sections: { a: { title: A, paths: [metadata.title] }, b: { title: B, paths: [metadata.title] } } }",
      '"metadata.title" is in another section already',
    ],
    ["page: { tables: { metadata.title: [a] } }", 'the schema has no list of objects at "metadata.title"'],
    ["page: { tables: { metadata.samples: [size] } }", 'the schema has no "metadata.samples.size"'],
  ])("with the mistake %s is refused", (page, reason) => {
    expect(compile(`${page}\n`).problems).toContain(reason);
  });
});
