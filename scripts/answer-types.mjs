/**
 * TypeScript types of the answers, for files of src/client: one type for each schema of core/answers that users of the
 * client read. Members, their types and their comments are those of the schemas.
 */
import { formatted } from "./model-types.mjs";
import { comment } from "./type-comments.mjs";

const MADE = "// Made from the schemas in src/core/answers by `npm run docs`; change the schemas there.";

/** The files by their names below src/client, with a comment for each. */
const FILES = {
  answers:
    "Answers of the service, as in its OpenAPI document (`/api/openapi.json`). The envelopes are read-only; callers " +
    "may change metadata and props and send them back. Times are ISO 8601 in UTC.",
  "term-answers": "Answers about terms of vocabularies.",
  "query-text": "Interpretation of the text of a query. Positions are in code points.",
};

/**
 * The types by their schemas. `parameters` make a type generic; `members` are types of members that the schema leaves
 * open; `left` are members that the client never gets. Types without a `file` are in the first one.
 */
function typesOf({ issue, body, records, searches, molecules, terms, models, queryText }) {
  const titles = { title: "Titles" };
  return [
    { name: "Issue", schema: issue.Issue },
    { name: "Warning", schema: issue.Warning },
    { name: "Tombstone", schema: body.Tombstone, help: "The tombstone of a retracted record." },
    { name: "Highlight", schema: searches.Highlight },
    {
      name: "BinderyRecord",
      schema: records.AnsweredRecord,
      parameters: "Name extends string = string, Metadata = unknown",
      members: { model: "Name", metadata: "Metadata" },
      left: ["expanded"],
    },
    { name: "AsCited", schema: body.AsCited, help: "A term as it was cited when the record was published." },
    { name: "RecordCheck", schema: records.AnsweredCheck },
    { name: "RecordLinks", schema: records.RecordLinks },
    {
      name: "SearchAnswer",
      schema: searches.hitsPage("Page", { $id: "Hit" }, "A page of hits."),
      parameters: "Hit",
    },
    { name: "SearchLinks", schema: searches.SearchLinks, help: "Links of a page of hits." },
    { name: "Aggregation", schema: searches.Aggregation },
    { name: "Bucket", schema: searches.Bucket, help: "A bucket of a facet." },
    { name: "Molecule", schema: molecules.Molecule, left: ["warnings"] },
    { name: "MoleculePartner", schema: molecules.MoleculePartner },
    { name: "MoleculeResult", schema: molecules.MoleculeResult },
    { name: "MoleculeFigure", schema: molecules.MoleculeFigure },
    {
      name: "ValidationResult",
      schema: records.RecordValidation,
      parameters: "Metadata = unknown",
      members: { metadata: "Metadata" },
    },
    {
      file: "term-answers",
      name: "Term",
      schema: terms.Term,
      parameters: "Props = Record<string, unknown>",
      members: { ...titles, parent: "RelatedTerm", props: "Props" },
    },
    {
      file: "term-answers",
      name: "FoundTerm",
      schema: terms.TermLookupHit,
      parameters: "Props = Record<string, unknown>",
      members: { ...titles, parent: "RelatedTerm", props: "Partial<Props>" },
    },
    {
      file: "term-answers",
      name: "Synonym",
      schema: terms.Synonym,
      help: "A synonym of a term: synonym, acronym, common name, iupac ...",
    },
    {
      file: "term-answers",
      name: "RelatedTerm",
      schema: terms.RelatedTerm,
      members: titles,
      help: "The parent or an ancestor of a term.",
    },
    { file: "term-answers", name: "TermLinks", schema: terms.TermLinks, help: "Links of a term." },
    { file: "term-answers", name: "EditedField", schema: terms.EditedField },
    { file: "term-answers", name: "TermChange", schema: terms.TermChange },
    {
      name: "VocabularySummary",
      schema: terms.VocabularySummary,
      help: "An entry of the list of vocabularies.",
    },
    { name: "VocabularySource", schema: terms.VocabularySource },
    { name: "ModelSummary", schema: models.ModelSummary, left: ["warnings"] },
    { name: "ModelLinks", schema: models.ModelLinks, help: "Links of a model." },
    { file: "query-text", name: "QueryText", schema: queryText.QueryText },
    { file: "query-text", name: "QueryPart", schema: queryText.QueryPart },
    { file: "query-text", name: "Completion", schema: queryText.Completion },
    { file: "query-text", name: "QueryWarning", schema: queryText.QueryWarning },
  ];
}

/** The files by their paths below the root. @param built imports a built module by its path below src */
export async function makeAnswerTypes(built) {
  const [issue, body, records, searches, molecules, terms, models, queryText] = await Promise.all(
    [
      ...["issue", "record", "answers/records", "answers/searches", "answers/molecule-answers"],
      ...["answers/term-answers", "answers/models", "answers/query-text"],
    ].map((file) => built(`core/${file}.js`)),
  );
  const types = typesOf({ issue, body, records, searches, molecules, terms, models, queryText });
  const components = new Map([["AsCited", body.AsCitedList]]);
  const files = Object.entries(FILES).map(([file, help]) => {
    const texts = types.filter((type) => fileOf(type) === file).map((type) => declaration(type, { types, components }));
    const text = texts.join("\n");
    return [`src/client/${file}.ts`, `${MADE}\n\n${comment({ help })}${importsOf(text, file, types)}\n${text}`];
  });
  return formatted(new Map(files));
}

const fileOf = ({ file = "answers" }) => file;

/** The imports of the types of other files that a text names. */
function importsOf(text, file, types) {
  const others = types.filter((type) => fileOf(type) !== file).map((type) => [type.name, `./${fileOf(type)}.js`]);
  const used = [...others, ["Titles", "./models/citations.js"]].filter(([name]) =>
    new RegExp(`: (readonly )?${name}\\b`).test(text),
  );
  return used.map(([name, path]) => `import type { ${name} } from "${path}";\n`).join("");
}

function declaration({ name, schema, parameters, members = {}, left = [], help }, named) {
  const said = comment({ help: help ?? schema.description });
  const head = `${name}${parameters === undefined ? "" : `<${parameters}>`}`;
  if (schema.properties === undefined) return `${said}export type ${head} = ${ownType(schema, named)};\n`;
  const fields = membersOf(schema, named, { members, left });
  return `${said}export interface ${head} {\n${fields}}\n`;
}

function membersOf({ properties, required = [] }, named, { members = {}, left = [] } = {}) {
  const shown = Object.entries(properties).filter(([key]) => !left.includes(key));
  return shown
    .map(([key, schema]) => {
      const { description } = named.components.get(schema.$ref?.replace("#", "")) ?? schema;
      const said = comment({ help: description, notes: [exampleOf(schema)], indent: "  " });
      const mark = required.includes(key) ? "" : "?";
      return `${said}readonly ${keyOf(key)}${mark}: ${members[key] ?? typeOf(schema, named)};\n`;
    })
    .join("");
}

/** A sentence with the examples of a text. Those of times are all alike. */
function exampleOf({ examples = [], format }) {
  const texts = examples.filter((example) => typeof example === "string" && format !== "date-time");
  if (texts.length === 0) return "";
  return `${texts.length === 1 ? "Example" : "Examples"}: ${texts.map((text) => `\`${text}\``).join(", ")}.`;
}

function typeOf(schema, named) {
  return named.types.find((type) => type.schema === schema)?.name ?? ownType(schema, named);
}

/** The type of a schema without the name that it may have. */
function ownType(schema, named) {
  if (schema.$ref !== undefined) return typeOfComponent(schema.$ref.replace("#", ""), named);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map((each) => typeOf(each, named)).join(" | ");
  if (schema.patternProperties !== undefined) {
    const [value] = Object.values(schema.patternProperties);
    return `Readonly<Record<string, ${typeOf(value, named)}>>`;
  }
  if (schema.properties !== undefined) return `{\n${membersOf(schema, named)}}`;
  return [schema.type ?? "unknown"]
    .flat()
    .map((type) => plainType(type, schema, named))
    .join(" | ");
}

function typeOfComponent(id, named) {
  if (id === "Hit") return "Hit";
  const component = named.components.get(id);
  return component === undefined ? named.types.find(({ schema }) => schema.$id === id).name : typeOf(component, named);
}

function plainType(type, { items }, named) {
  if (type === "integer") return "number";
  if (type === "object") return "Readonly<Record<string, unknown>>";
  if (type !== "array") return type;
  const item = typeOf(items, named);
  return `readonly ${/ \| /.test(item.replaceAll(/<.*>|\{.*\}/gs, "")) ? `(${item})` : item}[]`;
}

const keyOf = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
