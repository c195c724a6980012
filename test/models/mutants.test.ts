/** One mistake, one error: a valid record with one mistake gives one error, at the right place, with the right code. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Issue } from "../../src/core/issue.js";
import type { JsonObject } from "../../src/core/json.js";
import { makeOnDemand } from "../../src/services/index.js";
import { prepareMetadata } from "../../src/services/metadata/prepare-record.js";
import { builtInCatalog } from "../support/catalog.js";
import { MISTAKES, makeMutants } from "../support/mutants.js";
import { type OpenServices, openServices } from "../support/open-services.js";
import { CITED_AFFILIATIONS, REAL_MODELS, realRecord } from "../support/real-data.js";
import { SEED } from "../support/seed.js";

/** Of each record; the long test makes every one that there is. */
const MUTANTS = process.env.TEST_LONG === "1" ? Number.POSITIVE_INFINITY : 300;

const { models } = builtInCatalog();
const onDemand = makeOnDemand();

let bindery: OpenServices;
beforeAll(async () => {
  bindery = await openServices();
  const items = CITED_AFFILIATIONS.map((id) => JSON.stringify({ id, title: { en: `Cited ${id}` } }));
  const file = bindery.file("cited.ndjson", items.join("\n"));
  await bindery.importTerms({ vocabulary: "affiliations", file, skipRefused: false });
});
afterAll(() => bindery.dispose());

/** What the service says of metadata, as when it is deposited. */
function issuesOf(model: string, metadata: JsonObject): Promise<readonly Issue[]> {
  const deps = { ...onDemand, clock: { nowMicros: () => Date.now() * 1000 }, findNearTerms: async () => [] };
  return bindery.store.transaction(async (tx) => {
    const { issues } = await prepareMetadata(deps, tx.terms, models.get(model)!, { metadata });
    return issues;
  });
}

function exampleOf(model: string): { readonly metadata: JsonObject } {
  const file = new URL(`../../catalog/models/${model}/example.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as { metadata: JsonObject };
}
const SOURCES = [
  ...[...models.keys()].map((model) => ({ name: `the example of ${model}`, model, body: exampleOf(model) })),
  ...REAL_MODELS.map((model) => ({ name: `the record of MBDB for ${model}`, model, body: realRecord(model) })),
];

describe.each(SOURCES)("$name", ({ model, body }) => {
  const mutants = makeMutants(onDemand.getFieldTree(models.get(model)!), body.metadata, MUTANTS, SEED);

  it("has that many places for mistakes", () => {
    expect(mutants.length).toBeGreaterThanOrEqual(300);
    expect(new Set(mutants.map(({ metadata }) => JSON.stringify(metadata))).size).toBe(mutants.length);
  });

  it("is valid as it stands", async () => {
    expect(await issuesOf(model, body.metadata)).toEqual([]);
  });

  it.each(MISTAKES)("gives one error for one mistake: %s", { timeout: 300_000 }, async (mistake) => {
    const mine = mutants.filter((mutant) => mutant.mistake === mistake);
    expect(mine.length).toBeGreaterThan(5);
    for (const { metadata, pointer, code } of mine) {
      const issues = await issuesOf(model, metadata);
      expect(issues.map((issue) => `${issue.code} at ${issue.pointer}`)).toEqual([`${code} at ${pointer}`]);
      expect(issues[0]?.messages).toEqual([expect.stringMatching(/^\S[^{}]*[.?]$/s)]);
      expect(issues[0]?.messages[0]).not.toMatch(/undefined|NaN|\[object|must NOT|schema|keyword/);
    }
  });
});
