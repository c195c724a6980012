import type { Declaration, Problems } from "../declarations/declaration.js";
import { DeclaredObject } from "../declarations/declared.js";
import type { Units } from "../units/units.js";
import { compileFacet } from "./compile-facet.js";
import { compileIdentifierKind } from "./compile-quantity.js";
import { propLeaves } from "./compile-sites.js";
import { markQuantities } from "./places.js";
import { compilePattern, isPattern, PATTERN_MEANS, type Pattern } from "./schema-keywords.js";
import type { Facet, Leaf, LeafKind, Prior, Prop, Vocabulary, WeightClass } from "./types.js";

const KEYS = [
  "name",
  "title",
  "description",
  "authority",
  "id_pattern",
  "id_prefixes",
  "id_kind",
  "identifiers",
  "aliases",
  "languages",
  "props",
  "hierarchy",
  "italic",
  "structure",
  "unlisted",
  "extensible",
  "prior",
];
const PROP_TYPES: readonly string[] = ["text", "number", "boolean", "list", "object"];
/** Pattern of the names of vocabularies. */
export const VOCABULARY_NAME = /^[a-z][a-z0-9_]*$/;
const PROP_NAME = VOCABULARY_NAME;
/** Names of the fields of a term, which props may not have, so that a prop name without `props.` is unambiguous. */
const RESERVED_NAMES: readonly string[] = [
  "id",
  "title",
  "synonyms",
  "parent",
  "status",
  "type",
  "props",
  "replaced_by",
  "confirmed",
  "edited",
];

/**
 * Compiles a parsed vocabulary.yaml. Mistakes are added to `problems`; the result may be used only if there are none.
 *
 * @param folder name of the folder, which is the name of the vocabulary
 */
export function compileVocabulary(
  declaration: Declaration,
  folder: string,
  units: Units,
  problems: Problems,
  starterFile?: string,
): Vocabulary | undefined {
  const root = DeclaredObject.at(declaration, [], declaration.value, problems);
  if (root === undefined) return undefined;
  root.allow(KEYS);
  const name = root.text("name");
  if (name !== folder) root.note("name", `the name must be that of the folder, "${folder}"`);
  if (!VOCABULARY_NAME.test(folder)) root.note("name", `a vocabulary's name must match ${VOCABULARY_NAME.source}`);
  const pattern = root.text("id_pattern");
  if (!isPattern(pattern)) root.note("id_pattern", `"${pattern}" must be ${PATTERN_MEANS}`);
  const idForm = compilePattern(isPattern(pattern) ? `^(?:${pattern})$` : "^$");
  const languages = compileLanguages(root);
  const { props, facets } = compileProps(root);
  const authority = root.optionalText("authority");
  const idKind = compileIdentifierKind(root, "id_kind");
  const unlisted = root.texts("unlisted");
  const structure = compileStructure(root, props);
  return {
    name: folder,
    title: root.text("title"),
    description: root.text("description"),
    authority,
    idPattern: pattern,
    idPrefixes: compilePrefixes(root),
    identifiers: compileIdentifiers(root, props),
    aliases: compileAliases(root, idForm),
    languages,
    props,
    hierarchy: root.flag("hierarchy", false),
    italic: compileItalic(root.object("italic")),
    structure,
    unlisted,
    idKind,
    units,
    extensible: root.flag("extensible", false),
    prior: compilePrior(root, props),
    facets,
    leaves: itemLeaves({ languages, props, idKind, structure }),
    starterFile,
  };
}

/** Reads the patterns of titles in italics: `{part: "[A-Z][a-z]+ [a-z]+", except: virus}`. */
function compileItalic(object: DeclaredObject | undefined): Vocabulary["italic"] {
  if (object === undefined) return undefined;
  object.allow(["part", "except"]);
  const [part, except] = [object.text("part"), object.optionalText("except")];
  for (const [key, pattern] of [
    ["part", part],
    ["except", except ?? ""],
  ] as const) {
    if (!isPattern(pattern)) object.note(key, `"${pattern}" must be ${PATTERN_MEANS}`);
  }
  return { part, except };
}

function compileLanguages(root: DeclaredObject): readonly string[] {
  const languages = root.texts("languages") ?? ["en"];
  if (languages.length === 0) root.note("languages", "there must be at least one language of titles");
  for (const tag of languages) {
    if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag)) root.note("languages", `"${tag}" is no language tag`);
  }
  return languages;
}

function compilePrefixes(root: DeclaredObject): readonly string[] {
  const prefixes = root.texts("id_prefixes") ?? [];
  for (const prefix of prefixes) {
    if (!/^[a-z][a-z0-9._-]*$/.test(prefix)) {
      root.note("id_prefixes", `"${prefix}" must be lower case and stand without its colon`);
    }
  }
  return prefixes;
}

function compileProps(root: DeclaredObject): { props: readonly Prop[]; facets: readonly Facet[] } {
  const facets: Facet[] = [];
  const props = root.objects("props").map(({ name, object }) => {
    object.allow(["title", "type", "properties", "kind", "whole", "formula", "facet"]);
    if (!PROP_NAME.test(name)) root.object("props")?.note(name, `a prop's name must match ${PROP_NAME.source}`);
    if (RESERVED_NAMES.includes(name)) root.object("props")?.note(name, `"${name}" is a field that every item has`);
    const type = object.text("type");
    if (!PROP_TYPES.includes(type)) object.note("type", `unknown type "${type}"; known are ${PROP_TYPES.join(", ")}`);
    const prop = {
      name,
      title: object.text("title"),
      type: type as Prop["type"],
      ...compileProperties(object, type),
      ...compilePropKind(object, type),
      ...(object.flag("whole", false) ? { isWhole: true as const } : {}),
      ...(object.flag("formula", false) ? { isFormula: true as const } : {}),
    };
    const [leaf, ...others] = propLeaves(prop, `props.${name}`, "", "rest");
    const facet = compileFacet(object, name, [others.length > 0 || type === "object" ? undefined : leaf]);
    if (facet !== undefined) facets.push(facet);
    return prop;
  });
  return { props, facets };
}

function compileProperties(object: DeclaredObject, type: string): Pick<Prop, "properties"> {
  if (type !== "object") {
    if (object.has("properties")) object.note("properties", `only a prop of type object has properties`);
    return {};
  }
  if (!object.has("properties")) object.note("type", "a prop of type object needs its properties");
  const properties = [...object.textMap("properties")].map(([name, inner]) => {
    if (inner !== "text" && inner !== "number") object.note("properties", `"${name}" must be text or number`);
    if (!PROP_NAME.test(name)) object.note("properties", `"${name}" must match ${PROP_NAME.source}`);
    return { name, type: inner === "number" ? ("number" as const) : ("text" as const) };
  });
  return { properties };
}

function compilePropKind(object: DeclaredObject, type: string): Pick<Prop, "kind"> {
  const kind = compileIdentifierKind(object, "kind");
  if (kind !== undefined && type !== "text" && type !== "list") object.note("kind", "only a text or a list has a kind");
  return kind === undefined ? {} : { kind };
}

function compileIdentifiers(root: DeclaredObject, props: readonly Prop[]): readonly string[] {
  const identifiers = root.texts("identifiers") ?? [];
  for (const name of identifiers) {
    const type = props.find((prop) => prop.name === name)?.type;
    if (type !== "text" && type !== "list") root.note("identifiers", `"${name}" is no prop of type text or list`);
  }
  return identifiers;
}

function compileStructure(root: DeclaredObject, props: readonly Prop[]): string | undefined {
  const structure = root.optionalText("structure");
  if (structure === undefined) return undefined;
  const type = props.find(({ name }) => name === structure)?.type;
  if (type !== "text") root.note("structure", `"${structure}" is no prop of type text`);
  return structure;
}

function compileAliases(root: DeclaredObject, idForm: Pattern): ReadonlyMap<string, string> {
  const aliases = root.textMap("aliases");
  for (const [alias, id] of aliases) {
    if (alias !== alias.toLowerCase()) root.object("aliases")?.note(alias, `the alias "${alias}" must be lower case`);
    if (!idForm.test(id)) root.object("aliases")?.note(alias, `"${id}" does not match the id pattern`);
    if (aliases.has(id)) root.object("aliases")?.note(alias, `"${id}" is itself an alias`);
  }
  return aliases;
}

function compilePrior(root: DeclaredObject, props: readonly Prop[]): Prior {
  const prior = root.object("prior");
  if (prior === undefined) return {};
  prior.allow(["prop", "order", "synonyms", "lists", "numbers"]);
  const prop = prior.optionalText("prop");
  const order = prior.texts("order");
  if (prop !== undefined && !props.some((known) => known.name === prop))
    prior.note("prop", `there is no prop "${prop}"`);
  const propsOf = (key: string, type: Prop["type"], other?: string): readonly string[] | undefined => {
    const names = prior.texts(key);
    for (const name of names ?? []) {
      if (name !== other && props.find((known) => known.name === name)?.type !== type)
        prior.note(key, `"${name}" is no prop of type ${type}`);
    }
    return names;
  };
  const lists = propsOf("lists", "list");
  const numbers = propsOf("numbers", "number", "synonyms");
  if ((prop === undefined) !== (order === undefined)) prior.note("prop", "prop and order go together");
  return {
    prop,
    order,
    ...(prior.flag("synonyms", false) ? { synonyms: true } : {}),
    lists,
    numbers,
  };
}

function itemLeaves({
  languages,
  props,
  idKind,
  structure,
}: Pick<Vocabulary, "languages" | "props"> & {
  readonly idKind: LeafKind | undefined;
  readonly structure: string | undefined;
}): ReadonlyMap<string, Leaf> {
  const leaf = (path: string, weight: WeightClass): Leaf => ({ path, type: "keyword", weight, elementPath: "" });
  const leaves = [
    { ...leaf("id", "rest"), kind: idKind },
    ...languages.map((tag) => leaf(`title.${tag}`, "title")),
    leaf("synonyms", "heavy"),
    leaf("parent", "rest"),
    leaf("status", "rest"),
    ...props.flatMap((prop) =>
      propLeaves(prop, `props.${prop.name}`, "", "rest").map(
        (each): Leaf =>
          // Parts of SMILES are not words: "o" is in most of them.
          prop.isWhole || prop.name === structure ? { ...each, isWhole: true } : each,
      ),
    ),
  ];
  return markQuantities(new Map(leaves.map((each) => [each.path, each])), () => []);
}
