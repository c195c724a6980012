import type { Problems } from "../declarations/declaration.js";
import { DeclaredObject } from "../declarations/declared.js";
import { isObject, type JsonObject } from "../json.js";
import type { Bundle } from "./bundle-schema.js";
import type { Leaf, Prop, ReferenceSite, TermSite, Vocabulary, WeightClass } from "./types.js";
import type { Shape, UncheckedSite } from "./walk-schema.js";

/**
 * Checks the places that cite terms, and adds the leaves of a cited term: id, titles, synonyms and the copied props.
 */
export function compileTermSites(
  shape: Shape,
  bundle: Bundle,
  vocabularies: ReadonlyMap<string, Vocabulary>,
  problems: Problems,
): readonly TermSite[] {
  return shape.termSites.flatMap((site) => {
    const declared = keywordAt(site, "x-vocabulary", bundle, problems);
    if (declared === undefined) return [];
    declared.allow(["name", "fields"]);
    const name = declared.text("name");
    const fields = declared.texts("fields") ?? [];
    const vocabulary = vocabularies.get(name);
    if (vocabulary === undefined) {
      const known = [...vocabularies.keys()].join(", ") || "none";
      declared.note("name", `there is no vocabulary "${name}"; there are ${known}`);
      return [];
    }
    for (const field of fields) {
      if (vocabulary.props.some((prop) => prop.name === field)) continue;
      const known = vocabulary.props.map((prop) => prop.name).join(", ") || "none";
      declared.note("fields", `the vocabulary ${name} has no prop "${field}"; its props are ${known}`);
    }
    for (const leaf of citedLeaves(site, vocabulary, fields)) shape.leaves.set(leaf.path, leaf);
    return [{ path: site.path, vocabulary: name, fields }];
  });
}

/** Checks the places that refer to another part of the same record. */
export function compileReferences(shape: Shape, bundle: Bundle, problems: Problems): readonly ReferenceSite[] {
  return shape.references.flatMap((site) => {
    const declared = keywordAt(site, "x-reference", bundle, problems);
    if (declared === undefined) return [];
    declared.allow(["to", "fields"]);
    const to = declared.text("to");
    const fields = declared.texts("fields") ?? [];
    if (!shape.elementPaths.includes(to)) declared.note("to", `"${to}" is no list of objects of this model`);
    else if (!shape.leaves.has(`${to}.id`)) declared.note("to", `the objects of "${to}" have no id`);
    for (const field of fields) {
      const target = shape.leaves.get(`${to}.${field}`);
      if (target === undefined) declared.note("fields", `the objects of "${to}" have no value "${field}"`);
      else
        shape.leaves.set(`${site.path}.${field}`, { ...target, path: `${site.path}.${field}`, ...leafContext(site) });
    }
    return [{ path: site.path, to, fields }];
  });
}

const leafContext = (site: UncheckedSite): Pick<Leaf, "elementPath" | "weight"> => ({
  elementPath: site.elementPath,
  weight: "rest",
});

function citedLeaves(site: UncheckedSite, vocabulary: Vocabulary, fields: readonly string[]): readonly Leaf[] {
  const { path, elementPath } = site;
  const leaf = (below: string): Leaf => ({ path: `${path}.${below}`, type: "keyword", weight: "rest", elementPath });
  const copied = vocabulary.props.filter((prop) => fields.includes(prop.name));
  return [
    { ...leaf("id"), kind: vocabulary.idKind },
    ...vocabulary.languages.map((tag) => leaf(`title.${tag}`)),
    leaf("synonyms"),
    ...copied.flatMap((prop) => propLeaves(prop, `${path}.${prop.name}`, elementPath, "rest")),
  ];
}

/**
 * Returns the leaves of a prop at a path of a term or record: one leaf, or one for each property of an object.
 */
export function propLeaves(prop: Prop, path: string, elementPath: string, weight: WeightClass): readonly Leaf[] {
  if (prop.type !== "object") {
    const kind = prop.kind === undefined ? {} : { kind: prop.kind };
    return [{ path, type: prop.type === "number" ? "number" : "keyword", weight, elementPath, ...kind }];
  }
  return (prop.properties ?? []).map(({ name, type }) => ({
    path: `${path}.${name}`,
    type: type === "number" ? "number" : "keyword",
    weight,
    elementPath,
  }));
}

function keywordAt(
  site: UncheckedSite,
  keyword: string,
  bundle: Bundle,
  problems: Problems,
): DeclaredObject | undefined {
  const origin = bundle.origins.get(site.schema as JsonObject);
  if (origin === undefined) return undefined;
  const place = [...origin.place, keyword];
  if (!isObject(site.declared)) {
    problems.add(origin.declaration, place, `"${keyword}" must be a map`);
    return undefined;
  }
  return DeclaredObject.at(origin.declaration, place, site.declared, problems);
}
