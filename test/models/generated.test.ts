import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "../../src/core/actor.js";
import { isObject, type Json } from "../../src/core/json.js";
import { makeValidator } from "../../src/services/rules/validator.js";
import { builtInCatalog } from "../support/catalog.js";
import { asFilledIn, withoutCopies } from "../support/filled-in.js";
import { bodyOf, type OpenServices, openServices } from "../support/open-services.js";
import { SEED } from "../support/seed.js";
import { starterIds } from "../support/starter-items.js";
import { validMetadata } from "../support/valid-metadata.js";

const JUDGED = process.env.TEST_LONG === "1" ? 20_000 : 60;
const STORED = process.env.TEST_LONG === "1" ? 1_500 : 10;
/** Among so many, always the same, is even what is rare; most of it is among the first. */
const SAMPLED = 800;
const SAMPLED_AT_ONCE = 50;

const CATALOG = builtInCatalog();
const idsOf = starterIds(CATALOG);

let services: OpenServices;
let alice: Actor;
beforeAll(async () => {
  services = await openServices();
  alice = await services.actor("alice", "records:write");
});
afterAll(() => services.dispose());

describe.each([...CATALOG.models.values()])("any valid record of $name", { timeout: 6_000_000 }, (model) => {
  const metadata = validMetadata(model, idsOf);

  it("passes the schema without a word", () => {
    const validate = makeValidator(model);
    const property = fc.property(metadata, (made) => {
      expect(validate(made)).toMatchObject({ issues: [], warnings: [] });
    });
    fc.assert(property, { numRuns: JUDGED, seed: SEED });
  });

  it("is one of many kinds: together they hold every field that the model declares", () => {
    const cited = model.termSites.map(({ path }) => `${path}.`);
    const declared = [...model.leaves.keys()].filter(
      (path) => path.startsWith("metadata.") && !cited.some((site) => path.startsWith(site)),
    );
    const missing = new Set(declared);
    for (let seed = 1; missing.size > 0 && seed <= SAMPLED / SAMPLED_AT_ONCE; seed++) {
      const sampled = fc.sample(metadata, { numRuns: SAMPLED_AT_ONCE, seed });
      for (const path of sampled.flatMap(pathsOf)) missing.delete(path);
    }
    expect([...missing]).toEqual([]);
  });

  it("is deposited, published and read as it was sent, with terms and references filled in", async () => {
    const property = fc.asyncProperty(metadata, fc.boolean(), async (made, isBare) => {
      const sent = isBare ? withoutCopies(model, made) : made;
      const draft = await services.createDraft(alice, model.name, JSON.stringify({ metadata: sent }));
      expect([bodyOf(draft).errors, draft.warnings]).toEqual([undefined, []]);
      // The cache of prepared records depends on this: a stored draft is prepared as its body was.
      const text = JSON.stringify({ metadata: sent });
      expect(await services.prepareRecord({ kind: "draft", model: model.name, text: draft.record.json })).toEqual(
        await services.prepareRecord({ kind: "sent", model: model.name, text }),
      );
      const { id } = bodyOf(draft);
      const published = await services.publishDraft(alice, { model: model.name, id });
      expect(published.warnings).toEqual([]);
      const read = await services.readRecord(alice, { model: model.name, id });
      expect(read.json).toBe(published.record.json);
      const { metadata: kept } = JSON.parse(read.json) as { metadata: typeof made };
      expect(kept).toEqual(asFilledIn(CATALOG, model, made));
    });
    await fc.assert(property, { numRuns: STORED, seed: SEED });
  });
});

function pathsOf(metadata: Json): string[] {
  const found = new Set<string>();
  const visit = (value: Json, path: string): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, path);
    else if (isObject(value)) for (const [key, each] of Object.entries(value)) visit(each, `${path}.${key}`);
    else found.add(path);
  };
  visit(metadata, "metadata");
  return [...found];
}
