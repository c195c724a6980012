import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BUILT_IN_CATALOG, readCatalog } from "../../src/app/composition/read-catalog.js";
import { type Bindery, startBindery, type TestUser } from "../support/bindery.js";
import { publish } from "../support/deposit.js";
import { asFilledIn, withoutCopies } from "../support/filled-in.js";
import type { RecordShape } from "../support/http-client.js";
import { starterIds } from "../support/starter-items.js";
import { validMetadata } from "../support/valid-metadata.js";

const SEED = Number(process.env.TEST_SEED ?? 20_261_121);
const RECORDS = process.env.TEST_LONG === "1" ? 300 : 15;
const CATALOG = readCatalog([BUILT_IN_CATALOG]);

let bindery: Bindery;
let alice: TestUser;
beforeAll(async () => {
  bindery = await startBindery();
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

it.each([...CATALOG.models.values()])(
  "any valid record of $name comes back as it was sent, with terms and references filled in",
  { timeout: 600_000 },
  async (model) => {
    const records = fc.sample(validMetadata(model, starterIds(CATALOG)), { numRuns: RECORDS, seed: SEED });
    for (const [n, metadata] of records.entries()) {
      const sent = n % 2 === 0 ? metadata : withoutCopies(model, metadata);
      const { id, warnings } = await publish(alice.client, { metadata: sent }, model.name);
      expect(warnings, `TEST_SEED=${SEED}, record ${n}`).toBeUndefined();
      const { body } = await bindery.client.get<RecordShape>(`/api/records/${model.name}/${id}`);
      expect(body.metadata, `TEST_SEED=${SEED}, record ${n}`).toEqual(asFilledIn(CATALOG, model, metadata));
    }
  },
);
