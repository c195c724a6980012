import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { builtInCatalog } from "../support/catalog.js";
import { publish } from "../support/deposit.js";
import { asFilledIn, withoutCopies } from "../support/filled-in.js";
import type { RecordShape } from "../support/http-client.js";
import { SEED } from "../support/seed.js";
import { type Service, startService } from "../support/service.js";
import { starterIds } from "../support/starter-items.js";
import { validMetadata } from "../support/valid-metadata.js";

const RECORDS = process.env.TEST_LONG === "1" ? 300 : 15;
const CATALOG = builtInCatalog();

let bindery: Service;
let alice: TestUser;
beforeAll(async () => {
  bindery = await startService();
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
