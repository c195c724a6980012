import { readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

const { components } = JSON.parse(readFileSync("test/golden/openapi.json", "utf8")) as {
  components: { schemas: Readonly<Record<string, Schema>> };
};
const FILES = ["src/client/answers.ts", "src/client/term-answers.ts", "src/client/query-text.ts"];
const program = ts.createProgram(FILES, { strict: true, exactOptionalPropertyTypes: true, noEmit: true, types: [] });
const checker = program.getTypeChecker();
const types = new Map(
  FILES.flatMap((file) => checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!)).map(
    (symbol) => [symbol.name, checker.getDeclaredTypeOfSymbol(symbol)],
  ),
);

/** What the document has and the client never gets: it does not ask for it, or gets it in lists only. */
const NEVER_THERE = ["Record.expanded", "Model.warnings"];

/** Where a type and a schema of the document differ: in names, in what must be there, in kinds of values. */
function differences(type: ts.Type, schema: Schema, place: string): string[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice("#/components/schemas/".length);
    // A group of parts holds parts.
    if (place.startsWith(`${name}.`)) return [];
    return differences(type, components.schemas[name]!, name);
  }
  if (type.flags & ts.TypeFlags.TypeParameter || type.flags & ts.TypeFlags.Unknown) return [];
  if (schema.enum !== undefined) {
    const texts = (type.isUnion() ? type.types : [type]).map((each) => checker.typeToString(each));
    const wanted = schema.enum.map((value) => JSON.stringify(value));
    return texts.sort().join() === wanted.sort().join() ? [] : [`${place}: ${texts.join(" | ")}`];
  }
  if (schema.properties !== undefined) return differencesOfFields(type, schema, place);
  if (schema.type === "array") {
    const items = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (items === undefined) return [`${place} is a list`];
    return differences(items, schema.items ?? {}, `${place}[]`);
  }
  const plain = [schema.type ?? []].flat().map((name) => (name === "integer" ? "number" : name));
  if (plain.length === 0 || plain[0] === "object") return [];
  const [text, wanted] = [checker.typeToString(type), plain.sort().reverse().join(" | ")];
  return text === wanted ? [] : [`${place}: ${text}, not ${wanted}`];
}

function differencesOfFields(type: ts.Type, { properties = {}, required = [] }: Schema, place: string): string[] {
  const fields = new Map(checker.getPropertiesOfType(type).map((field) => [field.name, field]));
  const declared = Object.keys(properties).filter((name) => !NEVER_THERE.includes(`${place}.${name}`));
  // `metadata: {}` of the document is any object.
  if (declared.length === 0) return [];
  const unknown = [...fields.keys()]
    .filter((name) => !declared.includes(name))
    .map((name) => `${place}.${name} is not`);
  const wrong = declared.flatMap((name) => {
    const field = fields.get(name);
    if (field === undefined) return [`${place}.${name} is missing`];
    const isOptional = (field.flags & ts.SymbolFlags.Optional) !== 0;
    const said = isOptional === required.includes(name) ? [`${place}.${name} is optional in one of both`] : [];
    return [
      ...said,
      ...differences(checker.getNonNullableType(checker.getTypeOfSymbol(field)), properties[name]!, `${place}.${name}`),
    ];
  });
  return [...unknown, ...wrong];
}

describe("the answers that the client knows", () => {
  it.each([
    ["Issue", "Issue"],
    ["Warning", "Warning"],
    ["Tombstone", "Tombstone"],
    ["BinderyRecord", "Record"],
    ["SearchAnswer", "RecordSearch"],
    ["SearchAnswer", "TermSearch"],
    ["Aggregation", "Aggregation"],
    ["ValidationResult", "ValidationResult"],
    ["Term", "Term"],
    ["FoundTerm", "TermLookupHit"],
    ["VocabularySummary", "VocabularySummary"],
    ["ModelSummary", "Model"],
    ["QueryText", "QueryText"],
    ["QueryPart", "QueryPart"],
    ["Completion", "Completion"],
    ["QueryWarning", "QueryWarning"],
  ])("have in %s what %s of the OpenAPI document has", (type, schema) => {
    expect(differences(types.get(type)!, { $ref: `#/components/schemas/${schema}` }, schema)).toEqual([]);
  });

  it("are told apart from ones that differ", () => {
    const found = differences(types.get("Warning")!, { $ref: "#/components/schemas/Issue" }, "Issue");
    expect(found).toContain("Issue.pointer is missing");
    expect(found).toContain("Issue.message is not");
    expect(found).toContain("Issue.field is optional in one of both");
  });
});
