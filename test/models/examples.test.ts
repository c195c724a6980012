/** The example of each model: a body that a fresh service takes and publishes as it stands. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Actor, ANONYMOUS } from "../../src/core/actor.js";
import { fieldTree } from "../../src/core/catalog/field-tree.js";
import type { JsonObject } from "../../src/core/json.js";
import { rewriteSites, siteTree } from "../../src/services/input/walk-sites.js";
import { builtInCatalog } from "../support/catalog.js";
import { bodyOf, type OpenServices, openServices } from "../support/open-services.js";

const catalog = builtInCatalog();
const models = [...catalog.models.values()].map((model) => ({
  name: model.name,
  model,
  body: model.example as { readonly metadata: { readonly [part: string]: JsonObject } },
}));

let bindery: OpenServices;
let alice: Actor;
beforeAll(async () => {
  bindery = await openServices();
  alice = await bindery.actor("alice", "records:write");
});
afterAll(() => bindery.dispose());

describe.each(models)("the example of $name", ({ name, model, body }) => {
  const terms = siteTree(model.termSites);

  it("is deposited without a word, published, and comes back as it was but for what its terms bring", async () => {
    const { record: draft, warnings } = await bindery.createDraft(alice, name, JSON.stringify(body));
    expect(bodyOf({ record: draft, warnings }).errors).toBeUndefined();
    expect(warnings).toEqual([]);
    await bindery.publishDraft(alice, { model: name, id: draft.id });
    const { json } = await bindery.readRecord(ANONYMOUS, { model: name, id: draft.id });
    const { metadata } = JSON.parse(json) as { readonly metadata: JsonObject };
    expect(rewriteSites(metadata, terms, ({ id }) => ({ id: id! }))).toEqual(body.metadata);
  });

  it("cites starter items only", () => {
    const cited: { readonly vocabulary: string; readonly id: unknown }[] = [];
    rewriteSites(body.metadata, terms, (element, [site]) => {
      cited.push({ vocabulary: site!.vocabulary, id: element.id });
      return element;
    });
    expect(new Set(cited.map(({ vocabulary }) => vocabulary)).size).toBeGreaterThan(4);
    expect(cited.filter(({ vocabulary, id }) => !starterIds(vocabulary).has(id))).toEqual([]);
  });

  it("shows every part of the model", () => {
    for (const part of ["general_parameters", "method_specific_parameters"]) {
      const field = fieldTree(model.schema).shape!.fields.get(part)!;
      expect(Object.keys(body.metadata[part]!).sort()).toEqual([...field.shape!.fields.keys()].sort());
    }
  });

  it("refers to each of its own parts that a reference can name", () => {
    const named = new Map(model.references.map(({ to }) => [to, new Set<unknown>()]));
    rewriteSites(body.metadata, siteTree(model.references), (element, sites) => {
      for (const { to } of sites) named.get(to)!.add(element.id);
      return element;
    });
    expect([...named].filter(([, ids]) => ids.size === 0)).toEqual([]);
  });
});

function starterIds(vocabulary: string): ReadonlySet<unknown> {
  const lines = readFileSync(catalog.vocabularies.get(vocabulary)!.starterFile!, "utf8").trim().split("\n");
  return new Set(lines.map((line) => (JSON.parse(line) as { readonly id: string }).id));
}
