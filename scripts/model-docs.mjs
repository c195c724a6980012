/** Writes the pages of docs/models/: what the built-in models hold, for those who prepare records. Needs a build. */
import { posix } from "node:path";
import { cell, code, page, table } from "./markdown.mjs";
import { listKey, takeApart } from "./model-sections.mjs";

const EXAMPLE_LINES_MAX = 40;
const LINE_MAX = 100;
const SHARED_ORDER = ["general", "people", "entities", "quality", "protocols", "results", "quantities", "methods"];

const INTRO = `\
A record describes one measurement. Its *model* defines its fields; there is one model for each technique. All models
share the same general part, which these pages describe only once. The pages are generated from the schemas that the
service uses to validate records. A service may have [other models](../catalog.md).`;

const HOW_TO_READ = `\
## How to read the tables

- **Required**: a record can be published only if it has the field. A required field of an optional object is required
  only if the record has the object.
- **list of**: JSON \`[...]\` with at least one entry; omit the field if there are no entries. **list of lists of**:
  JSON \`[[...], [...]]\`.
- **term of** a vocabulary: write \`{"id": "taxid:9606"}\`. The service fills in the title and the copied fields and
  replaces any values that you send for them.
- **reference to** another part of the same record: write \`{"id": "lysozyme"}\`, with the \`id\` of the other part in
  this record. The service fills in its name.
- **date**: \`2024-05-31\`. **text**: \`"..."\`. **number**: \`7.4\`, without quotes and with a decimal
  point.
- If the value of a field, such as the \`type\` of a substance, determines which other fields are allowed, a second
  table lists the fields for each value; only the fields of the chosen value are validated.
- Fields that are in no table are stored, can be found by their text, and cause a warning.`;

const CHECKING = `\
## Before you send a record

\`npx bindery validate itc my-records.json\` validates a file without a running service;
\`POST /api/records/itc?validate=only\` validates a request body against the terms of the service and stores nothing.
Both report where each problem is and how to correct it. See [the HTTP API](../http.md) for sending a record, and
[the life of a record](../life.md) for publishing it.`;

/**
 * Every page by its path below the root.
 *
 * @param catalog the built-in one
 * @param built imports a file of the build
 * @param read the text of a file below the root, "" where there is none
 */
export async function modelPages({ models, vocabularies }, built, read) {
  const { fieldTree } = await built("core/catalog/field-tree.js");
  const taken = takeApart([...models.values()], fieldTree);
  const pages = { "docs/models/README.md": index(models, vocabularies, taken, read) };
  for (const model of models.values()) {
    pages[`docs/models/${model.name}.md`] = modelPage(model, taken);
  }
  for (const file of sharedFiles(taken)) pages[`docs/models/shared/${file}.md`] = sharedPage(file, taken, read);
  return pages;
}

function index(models, vocabularies, taken, read) {
  const rows = [...models.values()].map(({ name, title, description }) => [
    `[${cell(title)}](${name}.md)`,
    code(name),
    cell(description),
  ]);
  const shared = sharedFiles(taken).map((file) => {
    const titles = sectionsOn(`shared/${file}.md`, taken).map((section) => link("README.md", section));
    return [`[${cell(titleOf(file, read))}](shared/${file}.md)`, titles.join(", ")];
  });
  const cited = new Set([...models.values()].flatMap(({ termSites }) => termSites.map(({ vocabulary }) => vocabulary)));
  const terms = [...vocabularies.values()].flatMap(({ name, title, description, extensible }) => {
    if (!cited.has(name)) return [];
    const id = taken.terms.get(name) ?? firstTerm(name, read);
    const said = `**${cell(title)}.** ${cell(description)}${extensible ? " Depositors may add terms." : ""}`;
    return [[code(name), said, code(`{"id": "${id}"}`)]];
  });
  return page("Models", INTRO, [
    `## The models\n\n${table(["Technique", "Model", "Description"], rows)}`,
    `## What the models share\n\n${table(["Page", "Sections"], shared)}`,
    HOW_TO_READ,
    `## Vocabularies\n\n${table(["Vocabulary", "Terms", "Write"], terms)}`,
    "`GET /api/vocabularies/organisms?suggest=coli` finds terms as you type their names.",
    CHECKING,
  ]);
}

function modelPage({ name, title, description, example }, taken) {
  const path = `${name}.md`;
  const [whole, ...others] = sectionsOn(path, taken);
  const intro = `${description} Records of this model are sent to \`/api/records/${name}\`. ${READING}`;
  const blocks = [fieldTable(whole, taken), contents(path, others), ...others.map((one) => sectionText(one, taken))];
  const body = `## Example\n\nA complete request body that can be published unchanged.\n\n${json(example, Infinity)}`;
  return page(title, intro, example === undefined ? blocks : [...blocks, body]);
}

const READING = "[How to read the tables](README.md#how-to-read-the-tables).";

function sharedPage(file, taken, read) {
  const path = `shared/${file}.md`;
  const sections = sectionsOn(path, taken);
  const intro = `A part of [all models](../README.md). ${READING.replace("(", "(../")}`;
  return page(titleOf(file, read), intro, [
    contents(path, sections),
    ...sections.map((section) => sectionText(section, taken)),
  ]);
}

function contents(path, sections) {
  return `On this page: ${sections.map((section) => link(path, section)).join(", ")}.`;
}

function sectionText(section, taken) {
  const { title, help, where, choice, example } = section;
  const intro = [where === undefined ? "" : `If ${where}:`, help ?? ""].filter((text) => text !== "").join(" ");
  const fields = section.rows.length === 0 ? "" : fieldTable(section, taken);
  const shown = choice === undefined && example !== undefined ? json(example, EXAMPLE_LINES_MAX) : "";
  const parts = [`## ${title}`, intro, fields, choice === undefined ? "" : choiceTable(section, taken), shown];
  return parts.filter((part) => part !== "").join("\n\n");
}

function fieldTable(section, taken) {
  const rows = section.rows.map(({ name, field, target }) => {
    const isChooser = section.choice?.by === name;
    const value = isChooser ? "text; see the next table" : valueText(field, target, section, taken);
    const help = field.help === undefined ? "" : ` ${cell(field.help)}`;
    return [code(name), field.isRequired ? "yes" : "", value, `**${cell(field.title)}.**${help}`];
  });
  return table(["Field", "Required", "Value", "Meaning"], rows);
}

function choiceTable({ choice: { by, options }, page: path }, { sections }) {
  const rows = options.map(({ value, help = "", target }) => [
    code(value),
    target === undefined ? "no further fields" : link(path, sections.get(target)),
    cell(help),
  ]);
  return table([code(by), "Further fields", "Meaning"], rows);
}

function valueText(field, target, section, taken) {
  const { items, term, reference, allowed } = field;
  const { page: path, model } = section;
  if (items !== undefined) {
    return `list of ${valueText(items, target, section, taken).replace(/^(list|term|text|reference|number)\b/, "$1s")}`;
  }
  if (target !== undefined) return link(path, taken.sections.get(target));
  if (term !== undefined) {
    const vocabulary = `[${term.vocabulary}](${relative(path, "README.md")}#vocabularies)`;
    return `term of ${vocabulary}${term.fields.length === 0 ? "" : `; copied: ${inWords(term.fields)}`}`;
  }
  if (reference !== undefined) {
    const referred = taken.sections.get(taken.lists.get(listKey(model, reference.to)));
    const isOnThisPage = referred?.page === path || referred?.page.startsWith("shared/");
    return `reference to ${isOnThisPage ? link(path, referred) : code(reference.to.split(".").at(-1))}`;
  }
  if (allowed?.length === 1) return `always ${code(allowed[0])}`;
  if (allowed !== undefined) return `one of ${inWords(allowed)}`;
  return scalarText(field);
}

function scalarText({ types: [type], format, bounds: { minimum: bound, maximum }, notKnown, leastKnown }) {
  const minimum = leastKnown ?? bound;
  const words = { string: "text", number: "number", integer: "whole number", boolean: "`true` or `false`" };
  const kind = { date: "date", uri: "web address" }[format] ?? words[type];
  const between = minimum !== undefined && maximum !== undefined ? ` from ${minimum} to ${maximum}` : undefined;
  const from = minimum === undefined ? "" : `, at least ${minimum}`;
  const to = maximum === undefined ? "" : `, at most ${maximum}`;
  return `${kind}${between ?? `${from}${to}`}${notKnown === undefined ? "" : `; ${notKnown} if not known`}`;
}

const inWords = (values) => values.map(code).join(", ");

const sectionsOn = (path, { sections }) => [...sections.values()].filter((section) => section.page === path);

function sharedFiles({ sections }) {
  const files = [...sections.values()].flatMap(({ page: path }) => /^shared\/(.*)\.md$/.exec(path)?.[1] ?? []);
  const place = (file) => (SHARED_ORDER.includes(file) ? SHARED_ORDER.indexOf(file) : SHARED_ORDER.length);
  return [...new Set(files)].sort((a, b) => place(a) - place(b));
}

const titleOf = (file, read) => JSON.parse(read(`catalog/shared/${file}.schema.json`)).title;

const firstTerm = (vocabulary, read) =>
  JSON.parse(read(`catalog/vocabularies/${vocabulary}/starter.jsonl`).split("\n")[0]).id;

/** A link to the heading of a section, as Git hosts make anchors. */
function link(from, { page: path, title }) {
  const anchor = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
  return `[${title}](${from === path ? "" : relative(from, path)}#${anchor})`;
}

const relative = (from, to) => posix.relative(posix.dirname(from), to);

/** A block of JSON whose short objects stand on one line each; "" where it has more lines than these. */
function json(value, linesMax) {
  const text = pretty(value, "");
  return text.split("\n").length > linesMax ? "" : `\`\`\`json\n${text}\n\`\`\``;
}

function pretty(value, indent) {
  const flat = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, " ").replaceAll("[ ", "[").replaceAll(" ]", "]");
  if (typeof value !== "object" || value === null || flat.length + indent.length <= LINE_MAX) return flat;
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const entries = Array.isArray(value)
    ? value.map((each) => pretty(each, deeper))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${pretty(each, deeper)}`);
  return `${open}\n${entries.map((entry) => `${deeper}${entry}`).join(",\n")}\n${indent}${close}`;
}
