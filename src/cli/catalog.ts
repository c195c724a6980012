import { relative } from "node:path";
import type { Command } from "commander";
import type { CatalogReport } from "../app/catalog/check-catalog.js";
import type { DeclarationKind } from "../app/catalog/new-declaration.js";
import type { ShownModel } from "../app/catalog/show-model.js";
import { catalogFolders } from "../config/derived.js";
import { formatProblem } from "../core/declarations/declaration.js";
import type { CommandContext } from "./command-context.js";
import { formatCount, formatNumber, formatTable, writeError, writeJson, writeOut } from "./output.js";

/** Where new declarations go while BINDERY_CATALOG names no folder. */
const NEW_FOLDER = "my-catalog";

/** `bindery catalog check | show | new` */
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
    .description("check every declaration, starter item and example; needs no data and no running service")
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
    formatTable([["vocabulary", "starter items"], ...vocabularies.map((each) => [each.name, number(each.items)])]),
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
  const { model, extends: above, schema, example } = files;
  const rows = [["model", model], ...above.map((file) => ["extends", file]), ["schema", schema]];
  const all = [...rows, ...(example === undefined ? [] : [["example", example]])];
  writeOut(formatTable(all.map(([kind = "", file = ""]) => [kind, fromHere(file)])));
  writeOut("");
  const lines = fields.map(({ name, aliases, paths, where = {}, facet = "", declared }) => {
    const texts = Object.entries(where).map(([key, text]) => ` (${key}: ${text})`);
    return [[name, ...aliases].join(", "), facet, declared.map(fromHere).join(", "), paths.join(", ") + texts.join("")];
  });
  writeOut(formatTable([["field", "facet", "declared in", "path"], ...lines]));
}

/** A path as it is read most easily from the working directory. */
function fromHere(path: string): string {
  const here = relative(process.cwd(), path);
  return here.startsWith("..") ? path : here;
}

function addNew(command: Command, kind: DeclarationKind, { config }: CommandContext): void {
  const create = command
    .command(kind)
    .description(`write the files of a new ${kind}; nothing is overwritten`)
    .argument(
      "<name>",
      kind === "model" ? "small letters and digits, e.g. nmr" : "small letters, digits and _, e.g. solvents",
    )
    .option("--folder <folder>", `catalog folder; without it the last of BINDERY_CATALOG, or ${NEW_FOLDER}`)
    .action(async (name: string, options: { folder?: string; extends?: string }) => {
      const { newDeclaration } = await import("../app/catalog/new-declaration.js");
      const known = catalogFolders(config());
      const folder = options.folder ?? known.at(-1) ?? NEW_FOLDER;
      const files = newDeclaration(kind, name, { folder, others: known, extended: options.extends });
      for (const file of files) writeOut(`written: ${file}`);
      writeOut(nextSteps(kind, name, { folder, known }));
    });
  if (kind === "model") create.option("--extends <name>", "base or model to extend, e.g. general or spr");
}

function nextSteps(
  kind: DeclarationKind,
  name: string,
  { folder, known }: { readonly folder: string; readonly known: readonly string[] },
): readonly string[] {
  const setting = known.includes(folder) ? "" : `BINDERY_CATALOG=${[...known, folder].join(":")} `;
  const use: Record<DeclarationKind, string> = {
    model: "say what a record holds (metadata.schema.json), how it is found (model.yaml), and show one (example.json).",
    vocabulary: `put items into starter.jsonl, and cite them in a schema by {"x-vocabulary": {"name": "${name}"}}.`,
  };
  return [
    "",
    `It works as it is. Next ${use[kind]}`,
    `  ${setting}npx bindery catalog check`,
    `  ${setting}npx bindery serve`,
    'docs/catalog.md explains every key, and "Changing a model" what may be changed later.',
  ];
}
