/** What a service on its starter items makes of metadata that it was sent, said without the service's own code. */
import { expect } from "vitest";
import type { Catalog, Model, TermSite } from "../../src/core/catalog/types.js";
import { isObject, type Json, type JsonObject } from "../../src/core/json.js";
import { type StarterItem, starterItems } from "./starter-items.js";

/** Metadata whose terms are starter items, as it is to be read: each cited term with its title and copied props. */
export function asFilledIn(catalog: Catalog, model: Model, metadata: JsonObject): JsonObject {
  const items = new Map(
    [...new Set(model.termSites.map(({ vocabulary }) => vocabulary))].map((name) => [
      name,
      new Map(starterItems(catalog.vocabularies.get(name)!).map((item) => [item.id, item])),
    ]),
  );
  const sites = new Map(model.termSites.map((site) => [site.path, site]));
  return changed(metadata, (object, path) => {
    const site = sites.get(path);
    return site === undefined ? undefined : cited(items.get(site.vocabulary)!.get(String(object.id))!, site);
  });
}

/** Metadata whose references say the id only. */
export function withoutCopies(model: Model, metadata: JsonObject): JsonObject {
  const paths = new Set(model.references.map(({ path }) => path));
  return changed(metadata, ({ id }, path) => (paths.has(path) ? { id: id! } : undefined));
}

function cited({ id, title, props = {} }: StarterItem, { fields }: TermSite): JsonObject {
  const copied = fields.filter((name) => props[name] !== undefined).map((name) => [name, props[name]!]);
  return { "@v": expect.any(String) as string, id, title, ...Object.fromEntries(copied) };
}

/** Each object of which `change` makes another one is that one. */
function changed(
  metadata: JsonObject,
  change: (object: JsonObject, path: string) => JsonObject | undefined,
): JsonObject {
  const visit = (value: Json, path: string): Json => {
    if (Array.isArray(value)) return value.map((each) => visit(each, path));
    if (!isObject(value)) return value;
    const other = change(value, path);
    if (other !== undefined) return other;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, visit(each, `${path}.${key}`)]));
  };
  return visit(metadata, "metadata") as JsonObject;
}
