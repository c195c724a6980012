import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AUTHORITIES } from "../../src/authorities/index.js";
import { makeServices } from "../../src/services/index.js";
import type { Services } from "../../src/services/use-cases.js";
import { readExpectations } from "../relevance/expectations.js";
import { judgeAll } from "../relevance/judge.js";
import { BUILT_IN_ON_DEMAND, builtInCatalog } from "../support/catalog.js";
import { clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { type OpenServices, openServices } from "../support/open-services.js";
import { HAS_OPENSEARCH } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("what scientists type, of the starter items", () => {
  const under = clusterUnderTest({ shards: 1, stepMs: 0 });
  let embedded: OpenServices;
  let cluster: Services;
  let close = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const catalog = builtInCatalog();
    const clock = { micros: Date.now() * 1000, nowMicros: () => Date.now() * 1000 };
    const engine = await under.open({ catalog, clock });
    close = () => engine.close();
    const random = { bytes: (count: number) => new Uint8Array(count) };
    const services = makeServices({
      ...{ ...engine, catalog, authorities: AUTHORITIES, clock, random },
      ...BUILT_IN_ON_DEMAND,
    });
    await services.loadStarters();
    cluster = services;
    embedded = await openServices();
  }, 600_000);
  afterAll(async () => {
    await embedded.dispose();
    await close();
    await under.cleanUp();
  });

  it("leads to the same items as in the embedded engine", { timeout: 600_000 }, async () => {
    const asked = readExpectations();
    expect(await judgeAll(cluster, asked)).toEqual(await judgeAll(embedded, asked));
  });
});
