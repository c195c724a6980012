import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import addFormats from "ajv-formats";
import { XmlDocument, XsdValidator } from "libxml2-wasm";
import { xmlRegisterFsInputProviders } from "libxml2-wasm/lib/nodejs.mjs";
import { beforeAll, describe, expect, it } from "vitest";
import type { Citable } from "../../src/core/citable/citable.js";
import { RECORD_FORMATS } from "../../src/formats/records/formats.js";
import { writeOne } from "../../src/formats/records/record-format.js";
import { BUILT_IN_MODELS } from "../support/built-in-models.js";
import { describedAlike, publishedExamples } from "../support/described.js";

const SITE = { url: "https://data.example.org" };
const SOURCES = join(import.meta.dirname, "../../src/formats/records");
const SCHEMAS = join(import.meta.dirname, "../data/schemas");
/** Official schemas without a licence that lets this repository have them. */
const OFFICIAL = join(import.meta.dirname, "../../../shared/data/schemas");
const hasOfficial = existsSync(OFFICIAL);

let examples: ReadonlyMap<string, Citable>;
beforeAll(async () => {
  const bodies = await publishedExamples();
  examples = new Map(bodies.map((body) => [body.model, describedAlike(body)]));
});

const format = (name: string) => RECORD_FORMATS.find((each) => each.name === name)!;
const written = (name: string, model: string): string => writeOne(format(name), examples.get(model)!, SITE);

it("lists every format", () => {
  const files = readdirSync(SOURCES).filter((file) => file.endsWith(".ts") && file !== "formats.ts");
  const exported = files.filter((file) => /: RecordFormat = \{/.test(readFileSync(join(SOURCES, file), "utf8")));
  const list = readFileSync(join(SOURCES, "formats.ts"), "utf8");
  expect(exported.filter((file) => !list.includes(`./${file.replace(".ts", ".js")}`))).toEqual([]);
  expect(new Set(RECORD_FORMATS.map(({ name }) => name)).size).toBe(RECORD_FORMATS.length);
  expect(new Set(RECORD_FORMATS.map(({ mediaType }) => mediaType)).size).toBe(RECORD_FORMATS.length);
});

describe.each(BUILT_IN_MODELS)("the example of %s", (model) => {
  it.each(RECORD_FORMATS.map(({ name, extension }) => [name, extension]))(
    "is written as %s",
    async (name, extension) => {
      await expect(written(name!, model)).toMatchFileSnapshot(`../golden/formats/${model}.${name}.${extension}`);
    },
  );

  it("is valid CSL-JSON", () => {
    const validate = new Ajv({ strict: false }).compile(schema("csl-data.json"));
    expect([validate(JSON.parse(written("csl", model))), validate.errors]).toEqual([true, null]);
  });

  it("is valid DataCite JSON", () => {
    const ajv = new Ajv2019({ strict: false, logger: false });
    addFormats.default(ajv);
    const { id: _, $schema: __, ...rest } = schema("datacite-v4.5.json");
    const validate = ajv.compile(rest);
    expect([validate(JSON.parse(written("datacite-json", model))), validate.errors]).toEqual([true, null]);
  });

  it("is valid Dublin Core", () => {
    expect(dublinCoreProblems(written("dublin-core", model))).toEqual([]);
  });

  it.skipIf(!hasOfficial)("is valid DataCite XML 4.6", () => {
    xmlRegisterFsInputProviders();
    expect(problemsBy(join(OFFICIAL, "datacite-4.6/metadata.xsd"), written("datacite-xml", model))).toEqual([]);
  });
});

/** The fifteen elements of simple Dublin Core (DCMES 1.1): each may be repeated, in any order. */
const ELEMENTS = [
  ...["title", "creator", "subject", "description", "publisher", "contributor", "date", "type", "format"],
  ...["identifier", "source", "language", "relation", "coverage", "rights"],
];

/**
 * What oai_dc.xsd says against a document: its only child elements are those of simple Dublin Core, which hold text.
 * (The schema itself imports another one, by an address on the web.)
 */
function dublinCoreProblems(text: string): readonly string[] {
  const document = XmlDocument.fromString(text);
  try {
    const namespaces = {
      oai: "http://www.openarchives.org/OAI/2.0/oai_dc/",
      dc: "http://purl.org/dc/elements/1.1/",
    };
    const count = (path: string): number => document.find(path, namespaces).length;
    const known = ELEMENTS.map((name) => `self::dc:${name}`).join(" or ");
    return [
      ...(count("/oai:dc") === 1 ? [] : ["the root is not oai_dc:dc"]),
      ...(count("/oai:dc/*") > 0 ? [] : ["there is no element"]),
      ...(count(`/oai:dc/*[not(${known})]`) === 0 ? [] : ["there is an element that Dublin Core does not have"]),
      ...(count("/oai:dc/*/*") === 0 ? [] : ["an element holds others"]),
      ...(count("/oai:dc/*/@*[name() != 'xml:lang']") === 0 ? [] : ["an element has an attribute"]),
      ...(count("/oai:dc/text()[normalize-space()]") === 0 ? [] : ["there is text outside of elements"]),
    ];
  } finally {
    document.dispose();
  }
}

it("knows Dublin Core that is not valid", () => {
  const valid = written("dublin-core", "mst");
  expect(dublinCoreProblems(valid.replaceAll("dc:title", "dc:name"))).toHaveLength(1);
  expect(dublinCoreProblems(valid.replace("<dc:title>", "<dc:title><dc:date/>"))).toHaveLength(1);
  expect(dublinCoreProblems(valid.replaceAll("oai_dc:dc", "oai_dc:metadata"))).not.toEqual([]);
});

function schema(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(SCHEMAS, file), "utf8")) as Record<string, unknown>;
}

/** What an XML schema says against a document. */
function problemsBy(file: string, text: string): readonly string[] {
  const xsd = XmlDocument.fromBuffer(readFileSync(file), { url: file });
  const validator = XsdValidator.fromDoc(xsd);
  const document = XmlDocument.fromString(text);
  try {
    validator.validate(document);
    return [];
  } catch (error) {
    return [String(error)];
  } finally {
    document.dispose();
    validator.dispose();
    xsd.dispose();
  }
}
