import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BUILT_IN_CATALOG } from "../../src/app/composition/read-catalog.js";
import { type Field, fieldTree, type ObjectShape } from "../../src/core/catalog/field-tree.js";
import { ROOT } from "../support/bindery.js";
import { builtInCatalog } from "../support/catalog.js";
import { codeIn, readTables } from "./markdown-tables.js";

const { models, vocabularies } = builtInCatalog();
const shared = pagesIn("docs/models/shared");

describe.each([...models.values()])("the pages of $name", ({ name, schema }) => {
  const rows = [`docs/models/${name}.md`, ...shared]
    .flatMap((page) => readTables(page))
    .filter(({ columns }) => columns[0] === "Field")
    .flatMap((table) => table.rows);

  it("have a row for every field, with its title, its help, and whether it is required", () => {
    const written = new Set(rows.map((row) => `${codeIn(row.Field)[0]}: ${row.Required} ${row.Meaning}`));
    const missing = namedFields(fieldTree(schema)).filter(
      ([key, { title, help, isRequired }]) =>
        !written.has(`${key}: ${isRequired ? "yes" : ""} ${inCell(`**${title}.** ${help}`)}`),
    );
    expect(missing.map(([key]) => key)).toEqual([]);
  });

  it("have the allowed values of every field, and all fields that are copied of a term", () => {
    // The page of a shared part has the values that any model allows there.
    const isWritten = (key: string, values: readonly unknown[]): boolean =>
      rows.some(
        (row) => codeIn(row.Field)[0] === key && values.every((each) => codeIn(row.Value).includes(String(each))),
      );
    const missing = namedFields(fieldTree(schema)).filter(([key, { allowed, items, ...field }]) => {
      const term = items?.term ?? field.term;
      const values = term?.fields ?? (isChooser(key) ? undefined : allowed);
      return values !== undefined && !isWritten(key, values);
    });
    expect(missing.map(([key]) => key)).toEqual([]);
  });

  /** What a choosing field takes stands in a table of its own. */
  function isChooser(key: string): boolean {
    return rows.some((row) => codeIn(row.Field)[0] === key && row.Value === "text; see the next table");
  }
});

it("are there for every model, and for nothing that is not there", () => {
  expect(pagesIn("docs/models").sort()).toEqual(
    ["README", ...models.keys()].map((name) => `docs/models/${name}.md`).sort(),
  );
  const files = readdirSync(join(BUILT_IN_CATALOG, "shared")).map((name) => name.replace(".schema.json", ".md"));
  expect(shared.filter((page) => !files.includes(page.split("/").at(-1)!))).toEqual([]);
});

it("name every short name of every model once, where it is declared", () => {
  const [shared = [], ...own] = readTables("docs/search-fields.md").map(({ rows }) => rows);
  const namesIn = (rows: typeof shared): string[] => rows.map((row) => codeIn(row.Field)[0]!);
  for (const [i, { name, fields }] of [...models.values()].entries()) {
    const declared = namesIn(own[i]!);
    const inherited = namesIn(shared).filter((each) => !declared.includes(each));
    expect([...declared, ...inherited].sort(), name).toEqual([...fields.keys()].sort());
  }
});

it("say where to look for terms of every vocabulary that a model cites", () => {
  const cited = [...models.values()].flatMap(({ termSites }) => termSites.map(({ vocabulary }) => vocabulary));
  const table = readTables("docs/models/README.md").find(({ columns }) => columns[0] === "Vocabulary");
  const written = table?.rows.map((row) => codeIn(row.Vocabulary)[0]);
  expect(written).toEqual([...vocabularies.keys()].filter((name) => cited.includes(name)));
});

it.each([...pagesIn("docs/models"), ...shared])("examples in %s are JSON", (page) => {
  const blocks = [...readFileSync(join(ROOT, page), "utf8").matchAll(/^```json\n(.*?)^```$/gms)];
  for (const [, block] of blocks) expect(JSON.parse(block!)).toBeTypeOf("object");
});

function pagesIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".md"));
  return names.map((name) => `${folder}/${name}`);
}

/** Every field that has a name, in all alternatives, but those within terms and references. */
function namedFields({ shape, items, term, reference }: Field): readonly (readonly [string, Field])[] {
  if (term !== undefined || reference !== undefined) return [];
  const below = ({ fields, choices }: ObjectShape): (readonly [string, Field])[] => [
    ...[...fields].flatMap(([key, field]) => [[key, field] as const, ...namedFields(field)]),
    ...choices.flatMap(({ alternatives }) => alternatives.flatMap((each) => below(each.shape))),
  ];
  return [...(shape === undefined ? [] : below(shape)), ...(items === undefined ? [] : namedFields(items))];
}

const inCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
