/** PostgreSQL as WebAssembly in this process: one connection, nothing to install, and no word about races. */
import { PGlite } from "@electric-sql/pglite";
import { makeSql } from "../../../src/engines/postgres/connection/make-sql.js";
import { SCHEMA } from "../../../src/engines/postgres/connection/open-pool.js";
import type { Connection, Pool } from "../../../src/engines/postgres/connection/sql.js";
import { HAS_POSTGRES } from "./postgres.js";

/**
 * Do the tests run on it? It takes several times as long as PostgreSQL, which is better where it is installed: then
 * TEST_PGLITE=1 adds it.
 */
export const USES_PGLITE = !HAS_POSTGRES || process.env.TEST_PGLITE === "1" || process.env.TEST_LONG === "1";

/** To start one takes seconds: the suites of a worker share it, one after the other, and each leaves it empty. */
let shared: Promise<PGlite> | undefined;

export function sharedPglite(): Promise<PGlite> {
  shared ??= PGlite.create();
  return shared;
}

const INT8 = 20;

/** A pool of one connection: who wants it waits until it is free. */
export async function openPglite(database: PGlite): Promise<Pool> {
  await database.exec(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}; SET search_path = ${SCHEMA}`);
  let last: Promise<void> = Promise.resolve();
  const turn = (): Promise<() => void> => {
    const before = last;
    let release = (): void => undefined;
    last = new Promise((resolve) => {
      release = resolve;
    });
    return before.then(() => release);
  };
  const send: Parameters<typeof makeSql>[0] = async (text, values) => {
    const { rows, affectedRows = 0 } = await database.query<Record<string, unknown>>(text, values, {
      parsers: { [INT8]: Number },
    });
    return { rows, written: affectedRows };
  };
  return {
    ...makeSql(async (text, values) => {
      const release = await turn();
      try {
        return await send(text, values);
      } finally {
        release();
      }
    }),
    connect: async (): Promise<Connection> => {
      const release = await turn();
      return {
        ...makeSql(send),
        script: async (text) => void (await database.exec(text)),
        // A real connection is closed then, and its transaction ends.
        release: (isBroken = false) => void (isBroken ? database.exec("ROLLBACK").then(release) : release()),
      };
    },
    waiting: () => 0,
    close: async () => undefined,
  };
}
