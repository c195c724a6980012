import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WARNING_REPORTER } from "../../src/core/background.js";
import type { Catalog, Prior } from "../../src/core/catalog/types.js";
import { openPool, openPostgres, type Pool } from "../../src/engines/postgres/index.js";
import type { Engine } from "../../src/ports/engine.js";
import { nameKey } from "../../src/query/index-model/term-document.js";
import { analyse } from "../../src/query/text/analyse.js";
import { eventually } from "../support/deposit.js";
import { makeClock } from "../support/engines/engine-under-test.js";
import { item, loadAll } from "../support/engines/term-fixtures.js";
import { dropDatabase, HAS_POSTGRES, newDatabase } from "../support/services/postgres.js";
import { testSecrets } from "../support/test-secrets.js";
import { tinyCatalog } from "../support/tiny-catalog.js";

/** More than are compared at once. */
const ITEMS = 1_200;

function declaring(prior: Prior): Catalog {
  const catalog = tinyCatalog();
  const species = catalog.vocabularies.get("species")!;
  return { ...catalog, vocabularies: new Map([["species", { ...species, prior }]]) };
}

const BY_RANK = declaring({ prop: "rank", order: ["species", "genus"] });
const BY_GENUS = declaring({ prop: "rank", order: ["genus", "species"] });

describe.skipIf(!HAS_POSTGRES)("a vocabulary that is declared otherwise than when its terms were written", () => {
  let url: string;
  let pool: Pool;
  let engines: Engine[];

  beforeEach(async () => {
    url = await newDatabase();
    pool = openPool({ url, connections: 2 });
    engines = [];
    const first = await open(BY_RANK);
    const rank = (n: number): string => (n % 2 === 0 ? "species" : "genus");
    await loadAll(
      first,
      Array.from({ length: ITEMS }, (_, n) => item(n, "Same", { props: { rank: rank(n) } })),
    );
  });
  afterEach(async () => {
    for (const engine of engines) await engine.close();
    await pool.close();
    await dropDatabase(url);
  });

  async function open(catalog: Catalog, tends = false): Promise<Engine> {
    const own = openPool({ url, connections: 4 });
    const options = { pool: own, catalog, clock: makeClock(), migrates: true, secrets: testSecrets() };
    const engine = await openPostgres({ ...options, ...(tends && { background: WARNING_REPORTER }) });
    engines.push(engine);
    return engine;
  }

  const best = async ({ store }: Engine): Promise<readonly string[]> =>
    (await store.terms.named("species", [nameKey(analyse("same"))!], 2)).map(({ term }) => term.id);
  const version = async (): Promise<number> =>
    (await pool.row<{ readonly version: number }>("SELECT version FROM vocabulary"))!.version;

  it("is ranked again by the next node that starts, once, and verify compares it then", async () => {
    const command = await open(BY_GENUS);
    expect(await best(command)).toEqual(["sp:0", "sp:10"]);
    const before = await command.admin.verify(() => undefined);
    expect([before.findings, before.leftOut]).toEqual([[], ["species"]]);

    const written = await version();
    await Promise.all([open(BY_GENUS, true), open(BY_GENUS, true)]);
    await eventually(async () => expect(await best(command)).toEqual(["sp:1", "sp:1001"]), 20_000);
    await eventually(async () => {
      const { findings, leftOut } = await command.admin.verify(() => undefined);
      expect([findings, leftOut]).toEqual([[], []]);
    }, 20_000);
    // One write for each of some hundred items: the second node found nothing to do.
    expect((await version()) - written).toBe(Math.ceil(ITEMS / 500));
    expect((await command.store.changes.head()).seq).toBe(1);
  });

  it("stays as it is where it was only opened, and is not ranked further by a node that ends", async () => {
    expect(await best(await open(BY_GENUS))).toEqual(["sp:0", "sp:10"]);
    const tending = await open(BY_GENUS, true);
    await tending.close();
    engines.pop();
    await open(BY_GENUS, true);
    await eventually(async () => expect(await best(engines.at(-1)!)).toEqual(["sp:1", "sp:1001"]), 20_000);
  });
});
