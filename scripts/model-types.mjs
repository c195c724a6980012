/**
 * TypeScript types of the models and of the vocabularies' props, for src/client/models: one file for each file of
 * schemas, one type for each of its `$defs`, and an index that maps models to their types.
 *
 * Written here and not left to a library: the shared parts keep their names whatever title stands beside a `$ref`,
 * alternatives become unions that narrow, and what the types cannot say (bounds, formats) stands in the comments.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { comment, notesOf } from "./type-comments.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const FOLDER = "src/client/models";
const MADE = "// Made from the catalog by `npm run docs`; change the schemas there.";

/** The files by their path below the root, formatted. */
export function makeModelTypes({ models, vocabularies }) {
  const modules = new Map();
  const namer = makeNamer(models);
  for (const { name, schema } of models.values()) writeModel(name, schema, modules, namer);
  const texts = [...modules].map(([name, module]) => [name, textOf(module)]);
  const files = new Map([["vocabularies", vocabularyTypes(vocabularies)], ...texts]);
  files.set("index", indexOf([...models.keys()], [...files.keys()]));
  return formatted(new Map([...files].map(([name, text]) => [`${FOLDER}/${name}.ts`, `${MADE}\n\n${text}`])));
}

/** Names the types. All can be imported from one place, so no name is given twice: parts of schemas come first. */
function makeNamer(models) {
  const owners = new Map();
  const claim = (owner, ...wishes) => {
    const name = wishes.find((wish) => (owners.get(wish) ?? owner) === owner);
    if (name === undefined) throw new Error(`${owner}: ${wishes.join(" and ")} are types already; rename the part.`);
    owners.set(name, owner);
    return name;
  };
  const namer = {
    /** @param key of a bundle's `$defs`: `<file>.<name>`, or `<name>` of the model's own */
    ofPart(key, model) {
      const [file, name] = key.split(".");
      if (name === undefined) return { module: model, type: claim(`${model}.${key}`, pascal(model) + key) };
      return { module: file, type: claim(key, name, pascal(file) + name) };
    },
    /** Of an object that stands within another type. */
    ofField({ module, type }, name) {
      const prefix = models.has(module) ? pascal(module) : "";
      return { module, type: claim(`${module}.${type}.${name}`, prefix + pascal(name), type + pascal(name)) };
    },
  };
  for (const { name, schema } of models.values()) for (const key of Object.keys(schema.$defs)) namer.ofPart(key, name);
  return namer;
}

/** Adds the types of one bundled schema to the modules they belong to; shared parts of several models stand once. */
function writeModel(model, schema, modules, namer) {
  const choosers = choosersOf(schema);

  const declare = (place, part, forced) => {
    const module = modules.get(place.module) ?? { types: new Map(), uses: new Map() };
    modules.set(place.module, module);
    if (module.types.has(place.type)) return;
    module.types.set(place.type, ""); // Keeps the place before the types that its own fields need.
    const { text, isObject } = typeOf(part, place, forced);
    const said = comment({ title: part.title, help: part.description, notes: notesOf(part) });
    const head = isObject ? `interface ${place.type} ${text}` : `type ${place.type} = ${text};`;
    module.types.set(place.type, `${said}export ${head}\n`);
  };

  /** @param forced name of a field that must be there, whatever the schema says */
  const typeOf = (part, place, forced) => {
    if (typeof part !== "object") return plain("unknown");
    if (part["x-vocabulary"]) return plain(use(place, "./citations", "Cited", citation(part["x-vocabulary"])));
    if (part["x-reference"]) return plain(use(place, "./citations", "Referred", referral(part["x-reference"])));
    const parts = [...refsOf(part, place), ...ownFields(part, place, forced), ...choiceOf(part, place)];
    if (parts.length === 1) return parts[0];
    if (parts.length > 1) return plain(parts.map(({ text }) => grouped(text)).join(" & "));
    const values = part.enum ?? (part.const === undefined ? undefined : [part.const]);
    if (values !== undefined) return plain(literals(values));
    const types = [part.type ?? []].flat();
    return plain(types.map((type) => (type === "array" ? listOf(part, place) : PLAIN[type])).join(" | ") || "unknown");
  };

  const refsOf = (part, place) => {
    const refs = [part, ...(part.allOf ?? [])].filter(({ $ref }) => $ref !== undefined);
    return refs.map(({ $ref }) => {
      const { module, type } = namer.ofPart(keyOfRef($ref), model);
      return plain(use(place, `./${module}`, type, type));
    });
  };

  const ownFields = (part, place, forced) => {
    const schemas = [part, ...(part.allOf ?? []).filter((each) => !each.$ref && !each.if)];
    const required = new Set([forced, ...schemas.flatMap((each) => each.required ?? [])]);
    const declared = schemas.flatMap((each) => Object.entries(each.properties ?? {}));
    // The alternatives say which texts of the choosing field mean them.
    const fields = declared.filter(([name]) => name !== part.discriminator?.propertyName);
    if (fields.length === 0) return [];
    const lines = fields.map(([name, field]) => {
      const title = field.title === inWords(name) ? undefined : field.title;
      const said = comment({ title, help: field.description, notes: notesOf(field), indent: "  " });
      return `${said}  ${keyOf(name)}${required.has(name) ? "" : "?"}: ${typeOfField(field, place, name)};\n`;
    });
    return [{ text: `{\n${lines.join("")}}`, isObject: true }];
  };

  /** An object that stands in a field or in an alternative gets a name of its own. */
  const typeOfField = (field, place, name, forced) => {
    if (field.type === "array") return listOf(field, place, name);
    if (!holdsFields(field)) return typeOf(field, place).text;
    const named = namer.ofField(place, name);
    declare(named, field, forced);
    return named.type;
  };

  const listOf = ({ items }, place, name = "items") =>
    items === undefined ? "unknown[]" : `${grouped(typeOfField(items, place, singular(name)))}[]`;

  const choiceOf = ({ oneOf, anyOf, discriminator }, place) => {
    const branches = oneOf ?? anyOf;
    if (branches === undefined) return [];
    const by = discriminator?.propertyName;
    const types = branches.map((branch, i) => {
      const chooser = branch.properties?.[by] ?? {};
      const name = [...(chooser.enum ?? [chooser.const ?? `Alternative ${i + 1}`])].join(" or ");
      return typeOfField(branch, place, name, by);
    });
    return [plain([...new Set(types)].join(" | "))];
  };

  const use = (place, file, type, text) => {
    const { uses } = modules.get(place.module);
    if (file !== `./${place.module}`) uses.set(file, (uses.get(file) ?? new Set()).add(type));
    return text;
  };

  declare({ module: model, type: `${pascal(model)}Metadata` }, schema);
  for (const [key, part] of Object.entries(schema.$defs)) declare(namer.ofPart(key, model), part, choosers.get(key));
}

/** The choosing field of each part that is an alternative: there it must be, even if only the parent says so. */
function choosersOf(schema) {
  const found = new Map();
  const look = (value) => {
    if (typeof value !== "object" || value === null) return;
    for (const { $ref } of (value.discriminator && value.oneOf) ?? []) {
      if ($ref) found.set(keyOfRef($ref), value.discriminator.propertyName);
    }
    for (const inner of Object.values(value)) look(inner);
  };
  look(schema);
  return found;
}

const holdsFields = (part) => part.properties !== undefined && !part["x-vocabulary"] && !part["x-reference"];

const PLAIN = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
  object: "Record<string, unknown>",
};

const plain = (text) => ({ text, isObject: false });

const literals = (values) => values.map((value) => JSON.stringify(value)).join(" | ");

const citation = ({ name, fields = [] }) =>
  `Cited<${literals([name])}${fields.length > 0 ? `, ${literals(fields)}` : ""}>`;

const referral = ({ fields = [] }) => `Referred${fields.length > 0 ? `<${literals(fields)}>` : ""}`;

/** In brackets where an operator binds less than `&` or `[]`. */
const grouped = (text) => (/ [|&] /.test(text.replace(/^\{.*\}$|<[^>]*>/gs, "")) ? `(${text})` : text);

const keyOfRef = (ref) => ref.slice("#/$defs/".length);

const keyOf = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

const pascal = (text) => text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, letter) => letter.toUpperCase());

const singular = (name) => name.replace(/ies$/, "y").replace(/(?<![is])s$/, "");

function inWords(name) {
  const words = name.replaceAll(/[_-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf({ types, uses }) {
  const imports = [...uses].map(
    ([file, used]) => `import type { ${[...used].sort().join(", ")} } from "${file}.js";\n`,
  );
  return `${imports.join("")}\n${[...types.values()].join("\n")}`;
}

function vocabularyTypes(vocabularies) {
  const entries = [...vocabularies.values()].map(({ name, title, description, props }) => {
    const lines = props.map((prop) => {
      const said = comment({ title: prop.title === inWords(prop.name) ? undefined : prop.title, indent: "    " });
      return `${said}    ${keyOf(prop.name)}?: ${propType(prop)};\n`;
    });
    const type = lines.length === 0 ? "NoProps" : `{\n${lines.join("")}  }`;
    return `${comment({ title, help: description, indent: "  " })}  ${keyOf(name)}: ${type};\n`;
  });
  return `/** Items have a title and nothing beside. */
export type NoProps = Record<never, never>;

/** The props of a vocabulary's items, by its name. */
export interface Vocabularies {\n${entries.join("")}}\n`;
}

const PROP_TYPES = { text: "string", number: "number", boolean: "boolean", list: "string[]" };

function propType({ type, properties }) {
  if (type !== "object") return PROP_TYPES[type];
  return `{ ${properties.map(({ name, type: inner }) => `${keyOf(name)}?: ${PROP_TYPES[inner]}`).join("; ")} }`;
}

function indexOf(models, modules) {
  const imports = models.map((name) => `import type { ${pascal(name)}Metadata } from "./${name}.js";\n`);
  const exports = modules.sort().map((name) => `export type * from "./${name}.js";\n`);
  const entries = models.map((name) => `  ${keyOf(name)}: ${pascal(name)}Metadata;\n`);
  return `${imports.join("")}\n${exports.join("")}
/** The metadata of a record as one sends them, by the name of the model. */
export interface Models {\n${entries.join("")}}\n`;
}

/** Formats files by their paths as all others are formatted, with Biome. */
export function formatted(files) {
  const folder = mkdtempSync(join(tmpdir(), "bindery-types-"));
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
    const args = ["check", "--write", `--config-path=${root}`, "--vcs-enabled=false", folder];
    const { status, stdout, stderr } = spawnSync(process.execPath, [biome, ...args], { encoding: "utf8" });
    if (status !== 0) throw new Error(`The types cannot be formatted:\n${stdout}${stderr}`);
    return Object.fromEntries([...files.keys()].map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
