import { relative } from "node:path";
import type { Command } from "commander";
import type { CatalogReport } from "../app/catalog/check-catalog.js";
import type { DeclarationKind } from "../app/catalog/new-declaration.js";
import type { ShownModel } from "../app/catalog/show-model.js";
import { catalogFolders } from "../config/derived.js";
import { formatProblem } from "../core/declarations/declaration.js";
import type { CommandContext } from "./operator.js";
import { formatCount, formatNumber, formatTable, writeError, writeJson, writeOut } from "./output.js";

/** Folder of new declarations if BINDERY_CATALOG names none. */
const NEW_FOLDER = "my-catalog";

/** Adds `bindery catalog check | show | new`. */
export function addCatalogCommands(program: Command, context: CommandContext): void {
  const command = program
    .command("catalog")
    .description("check and show the declarations of the catalog, or create new ones");
  addCheck(command, context);
  addShow(command, context);
  const create = command.command("new").description("write a working model or vocabulary to start from");
  addNew(create, "model", context);
  addNew(create, "vocabulary", context);
}

function addCheck(command: Command, { config, failed }: CommandContext): void {
  command
    .command("check")
    .description("check every declaration, starter term and example; needs no data and no running service")
    .argument("[folders...]", "catalog folders that extend the built-in one (default: those of BINDERY_CATALOG)")
    .option("--json", "print JSON")
    .action(async (named: readonly string[], { json }: { json?: boolean }) => {
      const { checkCatalog } = await import("../app/catalog/check-catalog.js");
      const values = config();
      const report = await checkCatalog(values, named.length > 0 ? named : catalogFolders(values));
      if (report.mistakes.length > 0) failed();
      if (json) writeJson(report);
      else print(report);
    });
}

function print({ mistakes, notes, models, vocabularies }: CatalogReport): void {
  for (const note of notes) writeError(`note: ${note}`);
  if (mistakes.length > 0) {
    writeError(`The catalog has ${formatCount(mistakes.length, "mistake")}:`);
    for (const mistake of mistakes) writeError(formatProblem(mistake));
    return;
  }
  const number = (count: number): string => formatNumber(count);
  const rows = models.map((each) => [
    each.name,
    number(each.fields),
    each.hasExample ? "yes" : "no",
    each.extends.join(", "),
  ]);
  writeOut(formatTable([["model", "fields", "example", "extends"], ...rows]));
  writeOut("");
  writeOut(
    formatTable([["vocabulary", "starter terms"], ...vocabularies.map((each) => [each.name, number(each.items)])]),
  );
  writeOut(["", "The catalog has no mistakes."]);
}

function addShow(command: Command, { config }: CommandContext): void {
  command
    .command("show")
    .description("show the fields of a model, inherited ones included, and where each is declared")
    .argument("<model>", "name of a model, e.g. spr")
    .argument("[folders...]", "catalog folders that extend the built-in one (default: those of BINDERY_CATALOG)")
    .option("--json", "print JSON")
    .action(async (name: string, named: readonly string[], { json }: { json?: boolean }) => {
      const { showModel } = await import("../app/catalog/show-model.js");
      const shown = showModel(name, named.length > 0 ? named : catalogFolders(config()));
      if (json) writeJson(shown);
      else printModel(shown);
    });
}

function printModel({ files, fields }: ShownModel): void {
  const { model, extends: bases, schema, example } = files;
  const rows = [["model", model], ...bases.map((file) => ["extends", file]), ["schema", schema]];
  if (example !== undefined) rows.push(["example", example]);
  writeOut(formatTable(rows.map(([kind = "", file = ""]) => [kind, relativePath(file)])));
  writeOut("");
  const lines = fields.map(({ name, aliases, paths, where = {}, derived = [], facet = "", declared }) => {
    const texts = Object.entries(where).map(([key, text]) => ` (${key}: ${text})`);
    const sources = derived.length === 0 ? "" : `, derived from ${derived.join(" or ")}`;
    return [
      [name, ...aliases].join(", "),
      facet,
      declared.map(relativePath).join(", "),
      paths.join(", ") + texts.join("") + sources,
    ];
  });
  writeOut(formatTable([["field", "facet", "declared in", "path"], ...lines]));
}

/** Returns a path relative to the working directory if it is inside, or else as it is. */
function relativePath(path: string): string {
  const here = relative(process.cwd(), path);
  return here.startsWith("..") ? path : here;
}

function addNew(command: Command, kind: DeclarationKind, { config }: CommandContext): void {
  const create = command
    .command(kind)
    .description(`write the files of a new ${kind}; nothing is overwritten`)
    .argument(
      "<name>",
      kind === "model" ? "lower-case letters and digits, e.g. nmr" : "lower-case letters, digits and _, e.g. solvents",
    )
    .option("--folder <folder>", `catalog folder; without it the last of BINDERY_CATALOG, or ${NEW_FOLDER}`)
    .action(async (name: string, options: { folder?: string; extends?: string }) => {
      const { createDeclaration } = await import("../app/catalog/new-declaration.js");
      const folders = catalogFolders(config());
      const folder = options.folder ?? folders.at(-1) ?? NEW_FOLDER;
      const files = createDeclaration(kind, name, { folder, otherFolders: folders, extendedName: options.extends });
      for (const file of files) writeOut(`written: ${file}`);
      writeOut(nextSteps(kind, name, { folder, folders }));
    });
  if (kind === "model") create.option("--extends <name>", "base or model to extend, e.g. general or spr");
}

function nextSteps(
  kind: DeclarationKind,
  name: string,
  { folder, folders }: { readonly folder: string; readonly folders: readonly string[] },
): readonly string[] {
  const setting = folders.includes(folder) ? "" : `BINDERY_CATALOG=${[...folders, folder].join(":")} `;
  const use: Record<DeclarationKind, string> = {
    model: "say what a record holds (metadata.schema.json), how it is found (model.yaml), and show one (example.json).",
    vocabulary: `put terms into starter.jsonl, and cite them in a schema by {"x-vocabulary": {"name": "${name}"}}.`,
  };
  return [
    "",
    `It works as it is. Next ${use[kind]}`,
    `  ${setting}npx bindery catalog check`,
    `  ${setting}npx bindery serve`,
    'docs/catalog.md explains every key, and "Changing a model" what may be changed later.',
  ];
}
