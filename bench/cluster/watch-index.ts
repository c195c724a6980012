import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

/** How far an index is, as the store has it. */
export interface IndexMark {
  readonly name: string;
  readonly isCurrent: boolean;
  /** All searches of it show all changes up to this one. */
  readonly applied: number;
  /** The last record that was written into it while it is filled; absent: it is filled. */
  readonly scanned?: number;
}

export interface Sighting {
  /** On the clock of `performance.now()`, when the answer was there. */
  readonly at: number;
  readonly indexes: readonly IndexMark[];
}

export interface Watch {
  readonly sightings: readonly Sighting[];
  /** The number of the last change of each record. */
  changesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  end(): Promise<void>;
}

const POLL_MS = 5;

const MARKS = `
  SELECT name, coalesce(current, false) AS "isCurrent", applied::float8 AS applied, scanned::float8 AS scanned
  FROM bindery.index_state`;
const CHANGES = "SELECT pid AS id, seq::float8 AS seq FROM bindery.rec WHERE pid = ANY($1)";

/** Looks at the marks of all indexes again and again, on a connection of its own. */
export async function watchIndex(connectionString: string): Promise<Watch> {
  const client = new Client({ connectionString });
  await client.connect();
  const sightings: Sighting[] = [];
  let isOver = false;
  const look = async (): Promise<void> => {
    const { rows } = await client.query<{ name: string; isCurrent: boolean; applied: number; scanned: number | null }>({
      name: "marks",
      text: MARKS,
    });
    const indexes = rows.map(({ scanned, ...mark }) => ({ ...mark, ...(scanned === null ? {} : { scanned }) }));
    sightings.push({ at: performance.now(), indexes });
  };
  const looking = (async () => {
    for (; !isOver; await sleep(POLL_MS)) await look();
  })();
  return {
    sightings,
    changesOf: async (ids) => {
      const { rows } = await client.query<{ id: string; seq: number }>(CHANGES, [ids]);
      return new Map(rows.map(({ id, seq }) => [id, seq]));
    },
    async end() {
      isOver = true;
      await looking;
      await client.end();
    },
  };
}
