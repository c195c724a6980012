import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TermContent } from "../../src/core/term.js";
import { SCHEMA } from "../../src/engines/postgres/connection/open-pool.js";
import type { Pool } from "../../src/engines/postgres/connection/sql.js";
import { openPool, openPostgres } from "../../src/engines/postgres/index.js";
import type { Engine } from "../../src/ports/engine.js";
import { HAS_POSTGRES, newDatabase } from "../support/services/postgres.js";
import { testSecrets } from "../support/test-secrets.js";
import { tinyCatalog } from "../support/tiny-catalog.js";

const item = (n: number): TermContent => ({ id: `sp:${n}`, title: { en: `Item ${n}` }, props: {}, status: "active" });

describe.skipIf(!HAS_POSTGRES)("a load that something happens to", () => {
  let url: string | undefined;
  let pool: Pool;
  let engine: Engine;

  beforeEach(async () => {
    url ??= await newDatabase();
    pool = openPool({ url, connections: 4 });
    const clock = { nowMicros: () => Date.now() * 1000 };
    engine = await openPostgres({ pool, catalog: tinyCatalog(), clock, migrates: true, secrets: testSecrets() });
  });
  afterEach(async () => {
    await pool.run(`DROP SCHEMA ${SCHEMA} CASCADE`);
    await engine.close();
  });

  const staged = async (): Promise<number> =>
    (await pool.row<{ readonly n: number }>("SELECT count(*) AS n FROM term_stage"))!.n;

  /** Loads more items than are staged at once, with something done after these. */
  async function* interrupted(between: () => Promise<unknown>): AsyncGenerator<TermContent> {
    for (let n = 0; n < 1_000; n++) yield item(n);
    yield item(1_000);
    await between();
    yield item(1_001);
  }

  it("gives way to another one when it showed no life for long, and writes nothing", async () => {
    const first = engine.store.loadTerms(
      "species",
      interrupted(async () => {
        expect(await staged()).toBe(1_000);
        await expect(
          engine.store.loadTerms(
            "species",
            interrupted(async () => undefined),
          ),
        ).rejects.toMatchObject({
          code: "STORE_UNAVAILABLE",
        });
        await pool.run("UPDATE term_loading SET touched = touched - 61000");
        async function* two(): AsyncGenerator<TermContent> {
          yield item(1);
          yield item(2);
        }
        expect(await engine.store.loadTerms("species", two())).toMatchObject({ new: 2 });
        expect(await staged()).toBe(0);
      }),
    );
    await expect(first).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(await engine.store.terms.count("species")).toBe(2);
    expect(await staged()).toBe(0);
  });

  it("ends when the database has lost what was staged", async () => {
    const crash = () => pool.run("TRUNCATE term_stage, term_stage_redirect, term_seen");
    await expect(engine.store.loadTerms("species", interrupted(crash))).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("restarted"),
    });
    expect(await engine.store.terms.count("species")).toBe(0);
    expect(
      await engine.store.loadTerms(
        "species",
        interrupted(async () => undefined),
      ),
    ).toMatchObject({ new: 1_002 });
  });
});
