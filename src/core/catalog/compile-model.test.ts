import { describe, expect, it } from "vitest";
import { Problems, parseJsonDeclaration, parseYamlDeclaration } from "../declarations/declaration.js";
import { NO_UNITS } from "../units/units.js";
import { compileModel } from "./compile-model.js";
import { compileVocabulary } from "./compile-vocabulary.js";
import type { Model, Vocabulary } from "./types.js";

const ORGANISMS = `name: organisms
title: Organisms
description: Taxa
id_pattern: "taxid:[0-9]+"
languages: [en, cs]
props:
  rank: { title: Rank, type: text }
  size: { title: Size, type: object, properties: { value: number, unit: text } }
`;

const MODEL = `name: demo
title: Demo
description: A model
version: 1
roots: [metadata, metadata.general]
fields:
  title: { path: metadata.general.title, weight: title }
`;

const SCHEMA = {
  type: "object",
  properties: {
    general: {
      type: "object",
      required: ["title"],
      properties: {
        title: { type: "string" },
        started: { type: "string", format: "date" },
        samples: { type: "array", items: { $ref: "#/$defs/Sample" } },
        organism: { "x-vocabulary": { name: "organisms", fields: ["rank", "size"] } },
        tags: { type: "array", items: { type: "string" } },
        used: { "x-reference": { to: "metadata.general.samples", fields: ["name"] } },
      },
    },
  },
  $defs: {
    Sample: {
      type: "object",
      properties: {
        id: { type: "string" },
        name: { type: "string" },
        count: { type: "integer", "x-not-known": -1 },
        organisms: { type: "array", items: { "x-vocabulary": { name: "organisms" } } },
      },
    },
  },
};

interface Compiled {
  readonly model: Model | undefined;
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

function compile(change: { model?: string; schema?: string; shared?: string; vocabulary?: string }): Compiled {
  const problems = new Problems();
  const vocabularies = new Map<string, Vocabulary>();
  const declared = parseYamlDeclaration("vocabulary.yaml", change.vocabulary ?? ORGANISMS, problems);
  const vocabulary = declared && compileVocabulary(declared, "organisms", NO_UNITS, problems);
  if (vocabulary !== undefined) vocabularies.set("organisms", vocabulary);
  const model = parseYamlDeclaration("model.yaml", change.model ?? MODEL, problems);
  const text = change.schema ?? JSON.stringify(SCHEMA, null, 1);
  const schema = parseJsonDeclaration("metadata.schema.json", text, problems);
  const part = parseJsonDeclaration("parts.schema.json", change.shared ?? "{}", problems);
  const shared = new Map(part === undefined ? [] : [["parts", part]]);
  const compiled =
    model && schema && compileModel({ folder: "demo", model, schema, shared, units: NO_UNITS }, vocabularies, problems);
  const printed = problems.list.map(({ file, line, reason }) => `${file}:${line}: ${reason}`);
  return { model: compiled, problems: printed, notes: problems.notes };
}

describe("a good model", () => {
  const { model, problems } = compile({});
  const typeOf = (path: string): string | undefined => model?.leaves.get(path)?.type;

  it("compiles without a word", () => expect(problems).toEqual([]));

  it("has a leaf for every value, by type", () => {
    expect(typeOf("metadata.general.title")).toBe("keyword");
    expect(typeOf("metadata.general.started")).toBe("date");
    expect(typeOf("metadata.general.tags")).toBe("keyword");
    expect(model?.leaves.get("metadata.general.samples.count")).toEqual({
      path: "metadata.general.samples.count",
      type: "number",
      weight: "rest",
      elementPath: "metadata.general.samples",
      notKnown: -1,
    });
  });

  it("has leaves for what a cited term brings along", () => {
    const below = [...(model?.leaves.keys() ?? [])].filter((path) => path.startsWith("metadata.general.organism."));
    expect(below.map((path) => path.slice("metadata.general.organism.".length))).toEqual([
      "id",
      "title.en",
      "title.cs",
      "synonyms",
      "rank",
      "size.value",
      "size.unit",
    ]);
    expect(typeOf("metadata.general.organism.size.value")).toBe("number");
    expect(model?.termSites).toEqual([
      { path: "metadata.general.samples.organisms", vocabulary: "organisms", fields: [] },
      { path: "metadata.general.organism", vocabulary: "organisms", fields: ["rank", "size"] },
    ]);
  });

  it("lists arrays of objects outer before inner", () => {
    expect(model?.elementPaths).toEqual(["metadata.general.samples", "metadata.general.samples.organisms"]);
  });

  it("copies what a reference copies", () => {
    expect(model?.references).toEqual([
      { path: "metadata.general.used", to: "metadata.general.samples", fields: ["name"] },
    ]);
    expect(model?.leaves.get("metadata.general.used.name")?.elementPath).toBe("");
  });

  it("has the fixed leaves and the facet of the state", () => {
    for (const path of ["id", "model", "state", "parent.id"]) expect(typeOf(path)).toBe("keyword");
    for (const path of ["created", "updated"]) expect(typeOf(path)).toBe("date");
    expect(model?.facets).toEqual([{ name: "state", label: "State", path: "state", kind: "terms" }]);
  });

  it("needs nothing but an id where a term stands", () => {
    const general = (model?.schema as typeof SCHEMA | undefined)?.properties.general;
    expect(general?.properties.organism).toMatchObject({ type: "object", required: ["id"] });
  });
});

it("gives a weight to all leaves below its path, and the title before heavy", () => {
  const { model } = compile({ model: `${MODEL}  all: { path: metadata.general, weight: heavy }` });
  expect(model?.leaves.get("metadata.general.organism.title.cs")?.weight).toBe("heavy");
  expect(model?.leaves.get("metadata.general.title")?.weight).toBe("title");
});

it("takes shared parts, which may refer to each other", () => {
  const shared = { $defs: { A: { properties: { b: { $ref: "#/$defs/B" } } }, B: { type: "number" } } };
  const schema = {
    properties: {
      general: { properties: { title: { type: "string" }, a: { $ref: "../x/parts.schema.json#/$defs/A" } } },
    },
  };
  const { model, problems } = compile({ schema: JSON.stringify(schema), shared: JSON.stringify(shared) });
  expect(problems).toEqual([]);
  expect(model?.leaves.get("metadata.general.a.b")?.type).toBe("number");
  expect(Object.keys(model?.schema.$defs ?? {})).toEqual(["parts.A", "parts.B"]);
});

const field = (text: string): { model: string } => ({ model: `${MODEL}  ${text}\n` });
const property = (text: string): { schema: string } => ({
  schema: `{"properties": {"general": {"properties": {"title": {"type": "string"}}},\n"x": ${text}}}`,
});
const choice = (...branches: readonly string[]): { schema: string } =>
  property(`{"required": ["kind"],\n"discriminator": {"propertyName": "kind"}, "oneOf": [${branches.join(", ")}]}`);

describe("a mistake is named with its file and line", () => {
  it.each<[string, Parameters<typeof compile>[0], string]>([
    ["YAML", { model: "name: [demo" }, "model.yaml:1: not valid YAML"],
    ["a YAML key twice", { model: `${MODEL}version: 2\n` }, "model.yaml:8: not valid YAML: Map keys must be unique"],
    ["JSON", { schema: '{\n"type": }' }, "metadata.schema.json:2: not valid JSON"],
    ["a JSON key twice", { schema: '{\n"type": "object",\n"type": "object"}' }, 'schema.json:3: "type" is there twice'],
    ["a list for a map", { model: "- a" }, "model.yaml:1: the file must be a map"],
    [
      "an unknown key",
      { model: `${MODEL}verison: 1\n` },
      'model.yaml:8: unknown key "verison"; did you mean "version"?',
    ],
    ["a missing key", { model: MODEL.replace("title: Demo\n", "") }, 'model.yaml:1: "title" is missing'],
    ["a name unlike the folder", { model: MODEL.replace("demo", "dema") }, "model.yaml:1: the name must be that of"],
    [
      "a version that is no number",
      { model: MODEL.replace("version: 1", "version: one") },
      'model.yaml:4: "version" must be',
    ],
    [
      "a root that is no object",
      { model: MODEL.replace("metadata.general]", "metadata.x]") },
      "model.yaml:5: the schema has no object",
    ],
    [
      "a path that is not there",
      field("a: { path: metadata.general.titel }"),
      'model.yaml:8: the schema has no "metadata.general.titel"',
    ],
    ["a field without a path", field("a: { facet: A }"), 'model.yaml:8: "fields.a.path" is missing'],
    ["a field in capitals", field("A: { path: metadata.general.title }"), "model.yaml:8: a field's name must match"],
    [
      "a field named as every record has",
      field("state: { path: metadata.general.title }"),
      'model.yaml:8: "state" is a name',
    ],
    [
      "a field twice",
      field("title: { path: metadata.general.title }"),
      "model.yaml:8: not valid YAML: Map keys must be unique",
    ],
    [
      "an alias that another field has",
      field("a: { path: metadata.general.title, aliases: [title] }"),
      'model.yaml:8: "title" is the name of another field',
    ],
    [
      "an alias that is no name",
      field("a: { path: metadata.general.title, aliases: [Author] }"),
      "model.yaml:8: a field's name must match",
    ],
    [
      "an unknown weight",
      field("a: { path: metadata.general.title, weight: 5 }"),
      'model.yaml:8: "fields.a.weight" must be text',
    ],
    [
      "an unknown vocabulary",
      property('{"x-vocabulary": {"name": "organism"}}'),
      'metadata.schema.json:2: there is no vocabulary "organism"; there are organisms',
    ],
    [
      "an unknown prop",
      property('{"x-vocabulary": {"name": "organisms",\n"fields": ["rang"]}}'),
      'metadata.schema.json:3: the vocabulary organisms has no prop "rang"',
    ],
    [
      "keywords beside a term",
      property('{"type": "object",\n"x-vocabulary": {"name": "organisms"}}'),
      'schema.json:2: "type" cannot be used together with',
    ],
    [
      "a reference to no list",
      property('{"x-reference": {"to": "metadata.general"}}'),
      'schema.json:2: "metadata.general" is no list of objects',
    ],
    ["a $ref to nothing", property('{"$ref": "#/$defs/No"}'), 'schema.json:2: "$ref": "#/$defs/No" leads nowhere'],
    [
      "a $ref to no shared file",
      property('{"$ref": "other.schema.json#/$defs/No"}'),
      "the shared files are parts.schema.json",
    ],
    [
      "an unknown keyword",
      property('{"type": "string",\n"minlength": 1}'),
      'schema.json:3: unknown schema keyword "minlength"; did you mean "minLength"?',
    ],
    ["an unknown type", property('{"type": "text"}'), 'schema.json:2: "type" must be one or some of'],
    [
      "a bad pattern",
      property('{"type": "string", "pattern": "["}'),
      'schema.json:2: "pattern" must be a regular expression',
    ],
    [
      "a pattern that can take longer than its text is long",
      property('{"type": "string", "pattern": "^(a+)\\\\1$"}'),
      'schema.json:2: "pattern" must be a regular expression that neither looks ahead',
    ],
    [
      "a bad name pattern",
      property('{"type": "object", "patternProperties": {"(?=a)": true}}'),
      'schema.json:2: "(?=a)" must be a regular expression',
    ],
    ["an unknown format", property('{"type": "string", "format": "year"}'), 'schema.json:2: "format" must be one of'],
    [
      "a discriminator without its alternatives",
      property('{"discriminator": {"propertyName": "kind"}}'),
      'schema.json:2: a "discriminator" needs a "oneOf" next to it',
    ],
    [
      "a discriminator that names no property",
      property('{"oneOf": [],\n"discriminator": {"mapping": {}}}'),
      'schema.json:3: "discriminator" must be {"propertyName": <name of a property>}',
    ],
    [
      "an alternative that no text means",
      choice('{"properties": {"kind": {"const": "a"}}}', '{"properties": {"kind": {"type": "string"}}}'),
      'schema.json:3: alternative 2 of "oneOf" must say with "const" or "enum" which texts of "kind" mean it',
    ],
    [
      "an alternative that says so in a part of it only",
      choice('{"allOf": [{"properties": {"kind": {"const": "a"}}}]}'),
      'schema.json:3: alternative 1 of "oneOf" must say',
    ],
    [
      "a text that means two alternatives",
      choice('{"properties": {"kind": {"const": "a"}}}', '{"properties": {"kind": {"enum": ["b", "a"]}}}'),
      'schema.json:3: "a" of "kind" means two alternatives of "oneOf"',
    ],
    [
      "a choosing field that may be missing",
      property('{"discriminator": {"propertyName": "kind"},\n"oneOf": [{"properties": {"kind": {"const": "a"}}}]}'),
      'schema.json:2: "kind" must be required, or alternative 1 of "oneOf" cannot be chosen',
    ],
    [
      "a required name that is no property",
      property('{"properties": {"a": true},\n"required": ["b"]}'),
      'schema.json:3: "b" is required but not among',
    ],
    [
      "a field that cannot be a path",
      property('{"properties": {"a.b": true}}'),
      'schema.json:2: "a.b" cannot name a field',
    ],
    ["a schema that is none", property("[]"), "schema.json:2: a schema must be a map"],
  ])("%s", (_, change, expected) => {
    expect(compile(change).problems.join("\n")).toContain(expected);
  });

  it("a definition that contains itself", () => {
    const schema = '{"$defs": {"A": {"properties":\n{"a": {"$ref": "#/$defs/A"}}}}, "$ref": "#/$defs/A"}';
    expect(compile({ schema, model: MODEL.replace(/roots.*\n/, "").replace(/fields:\n.*\n/, "") }).problems).toEqual([
      'metadata.schema.json:2: "#/$defs/A" contains itself; paths must have an end',
    ]);
  });

  it("a mistake in a shared part once, under the shared file's name", () => {
    const shared = '{"$defs": {"A":\n{"typ": "string"}}}';
    const schema = property(
      '{"properties": {"a": {"$ref": "parts.schema.json#/$defs/A"}, "b": {"$ref": "parts.schema.json#/$defs/A"}}}',
    );
    expect(compile({ ...schema, shared }).problems).toEqual([
      'parts.schema.json:2: unknown schema keyword "typ"; did you mean "type"?',
    ]);
  });

  it("all of several mistakes at once", () => {
    expect(compile({ ...field("a: { path: nowhere }"), ...property('{"type": "text"}') }).problems).toHaveLength(2);
  });
});

describe("a mistake of a vocabulary is named with its line", () => {
  it.each<[string, string, string]>([
    ["a bad id pattern", ORGANISMS.replace("taxid:[0-9]+", "taxid:["), "vocabulary.yaml:4: "],
    [
      "an id pattern that looks ahead",
      ORGANISMS.replace("taxid:", "(?!x)taxid:"),
      'vocabulary.yaml:4: "(?!x)taxid:[0-9]+" must',
    ],
    ["an unknown prop type", ORGANISMS.replace("type: text", "type: txt"), 'vocabulary.yaml:7: unknown type "txt"'],
    ["an object without properties", ORGANISMS.replace("{ value: number, unit: text }", ""), "vocabulary.yaml:8: "],
    ["a prop named as every item has", ORGANISMS.replace("rank:", "status:"), 'vocabulary.yaml:7: "status" is a field'],
    ["an alias of no id", `${ORGANISMS}aliases: { man: human }`, 'vocabulary.yaml:9: "human" does not match'],
    ["an alias in capitals", `${ORGANISMS}aliases:\n  Man: taxid:9606`, 'vocabulary.yaml:10: the alias "Man"'],
    ["no language", ORGANISMS.replace("[en, cs]", "[]"), "vocabulary.yaml:5: there must be at least one language"],
    ["identifiers that are no props", `${ORGANISMS}identifiers: [cas]`, 'vocabulary.yaml:9: "cas" is no prop'],
    [
      "a structure that is no prop",
      `${ORGANISMS}structure: smiles`,
      'vocabulary.yaml:9: "smiles" is no prop of type text',
    ],
    ["a structure that is no text", `${ORGANISMS}structure: size`, 'vocabulary.yaml:9: "size" is no prop of type text'],
    [
      "a prior of no prop",
      `${ORGANISMS}prior: { prop: rang, order: [] }`,
      'vocabulary.yaml:9: there is no prop "rang"',
    ],
    [
      "a prior of what is no number",
      `${ORGANISMS}prior: { numbers: [rank] }`,
      'vocabulary.yaml:9: "rank" is no prop of type number',
    ],
    ["an order without a prop", `${ORGANISMS}prior: { order: [a] }`, "vocabulary.yaml:9: prop and order go together"],
    ["a prefix with a colon", `${ORGANISMS}id_prefixes: ["taxid:"]`, 'vocabulary.yaml:9: "taxid:" must be lower case'],
  ])("%s", (_, vocabulary, expected) => {
    expect(compile({ vocabulary, schema: property("true").schema }).problems.join("\n")).toContain(expected);
  });
});

describe("texts outside of lists", () => {
  const withKeys = (said: string) => compile({ model: MODEL.replace("roots:", `${said}\nroots:`) });

  it("may be expected, and may be the key of an import", () => {
    const { model, problems } = withKeys(
      "expected: { metadata.general.title: NMR }\nimport_key: metadata.general.title",
    );
    expect(problems).toEqual([]);
    expect(model?.expected).toEqual(new Map([["metadata.general.title", "NMR"]]));
    expect(model?.importKey).toBe("metadata.general.title");
  });

  it.each(["metadata.general.samples.name", "metadata.general.titel", "metadata.general", "id"])(
    "are asked for: %s is none",
    (path) => {
      const reason = `the schema has no text outside of lists at "${path}"`;
      expect(withKeys(`import_key: ${path}`).problems).toEqual([expect.stringContaining(reason)]);
      expect(withKeys(`expected: { ${path}: NMR }`).problems).toEqual([expect.stringContaining(reason)]);
    },
  );
});

describe("an expected text that the enum of a shared part does not have", () => {
  const PARTS = JSON.stringify({
    $defs: {
      General: { allOf: [{ $ref: "#/$defs/Method" }], properties: { note: { type: "string" } } },
      Method: { properties: { title: { type: "string", enum: ["BLI", "SPR"] } } },
    },
  });
  const compileWith = (expected: string, general: object = { $ref: "x/parts.schema.json#/$defs/General" }) =>
    compile({
      model: `${MODEL}expected: { metadata.general.title: ${expected} }\n`,
      schema: JSON.stringify({ type: "object", properties: { general } }),
      shared: PARTS,
    });
  const enumOf = ({ model }: Compiled): unknown => at(model?.schema, "$defs", "parts.Method", "properties", "title");

  it("is allowed in this model, in addition, and noted", () => {
    const compiled = compileWith("NMR");
    expect(compiled.problems).toEqual([]);
    expect(enumOf(compiled)).toEqual({ type: "string", enum: ["BLI", "SPR", "NMR"] });
    expect(compiled.notes).toEqual([
      'model.yaml:8: "NMR" is not in the enum of metadata.general.title; this model allows it in addition',
    ]);
  });

  it("changes nothing where it is in the enum, or where any text may stand", () => {
    const known = compileWith("SPR");
    expect([enumOf(known), known.notes]).toEqual([{ type: "string", enum: ["BLI", "SPR"] }, []]);
    const free = compileWith("NMR", { type: "object", properties: { title: { type: "string" } } });
    expect([at(free.model?.schema, "properties", "general", "properties", "title"), free.notes]).toEqual([
      { type: "string" },
      [],
    ]);
  });

  it("is looked for in definitions that lead to themselves only once", () => {
    const general = { $ref: "#/$defs/A", properties: { title: { type: "string" } } };
    const schema = JSON.stringify({ properties: { general }, $defs: { A: { allOf: [{ $ref: "#/$defs/A" }] } } });
    const { problems } = compile({ model: `${MODEL}expected: { metadata.general.title: NMR }\n`, schema });
    expect(problems).toEqual([expect.stringContaining("contains itself")]);
  });
});

function at(value: unknown, ...steps: string[]): unknown {
  return steps.reduce((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], value);
}
