import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RecordBody } from "../../src/core/record.js";
import { parseInstant } from "../../src/core/time.js";
import type { RecordPage, RecordSearch } from "../../src/ports/search-index.js";
import type { SortKey } from "../../src/query/ranking/sort-keys.js";
import { type ClusterEngine, clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { contractCatalog, makeClock, putOne, tinyRecord } from "../support/engines/engine-under-test.js";
import { seeded } from "../support/random.js";
import { SEED } from "../support/seed.js";
import { HAS_OPENSEARCH } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

/** Clusters with an up-to-date index, with an index that is always behind, and with evaluation in memory only. */
const CLUSTERS = [
  clusterUnderTest({ shards: 1, stepMs: 0 }),
  clusterUnderTest({ shards: 3, stepMs: 60_000 }),
  clusterUnderTest({ shards: 1 }),
];

const RECORDS = 60;

const EVERYTHING: RecordSearch = {
  clause: { kind: "everything" },
  scope: { kind: "public", models: ["tiny"] },
  facets: [],
  sort: "newest",
  page: { offset: 0, limit: RECORDS },
};

const WORD: RecordSearch["clause"] = { kind: "words", place: { in: "text" }, words: ["same"] };

interface Written {
  readonly id: string;
  readonly created: number;
  readonly row: number;
  readonly ph: number | undefined;
}

type Compare = (a: Written, b: Written) => number;
const newest: Compare = (a, b) => b.created - a.created || b.row - a.row;
const byPh =
  (sign: number): Compare =>
  (a, b) => {
    if (a.ph === undefined || b.ph === undefined) {
      return Number(a.ph === undefined) - Number(b.ph === undefined) || newest(a, b);
    }
    return sign * (a.ph - b.ph) || newest(a, b);
  };

const ORDERS: readonly (readonly [name: string, changes: Partial<RecordSearch>, compare: Compare])[] = [
  ["newest", { sort: "newest" }, newest],
  ["newest of the hits of a word", { sort: "newest", clause: WORD }, newest],
  ["oldest", { sort: "oldest" }, (a, b) => newest(b, a)],
  ["bestmatch", { sort: "bestmatch", clause: WORD }, newest],
  ["the smallest number", { sort: { by: ["metadata.ph"], first: "smallest" } }, byPh(1)],
  ["the largest number", { sort: { by: ["metadata.ph"], first: "largest" } }, byPh(-1)],
  ["-created", { sort: { by: ["created"], first: "largest" } }, newest],
  ["created", { sort: { by: ["created"], first: "smallest" } }, (a, b) => a.created - b.created || b.row - a.row],
  ["a number that nobody has", { sort: { by: ["metadata.results.value"], first: "smallest" } }, newest],
];

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH).each(CLUSTERS)("the order of records in $name", (under) => {
  const clock = makeClock();
  let nodes: readonly ClusterEngine[] = [];
  let written: readonly Written[] = [];

  beforeAll(async () => {
    const options = { catalog: contractCatalog(), clock };
    nodes = [await under.open(options), await under.open(options)];
    written = await writeAtOnce(nodes);
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await under.cleanUp();
  });

  const bodyOf = (n: number, created: string): RecordBody => {
    const ph = n % 4 === 0 ? {} : { ph: n % 3 };
    return tinyRecord(`r${n}`, { title: "same", ...ph }, { created, updated: created });
  };

  /** Each transaction of one node begins before one of the other node, and is committed after it. */
  async function writeAtOnce([first, second]: readonly ClusterEngine[]): Promise<readonly Written[]> {
    const random = seeded(SEED);
    const rows: Written[] = [];
    const note = (n: number, now: string): void => {
      const { id, created, metadata } = bodyOf(n, now);
      rows.push({ id, created: parseInstant(created), row: rows.length, ph: metadata.ph as number | undefined });
    };
    for (let n = 0; n < RECORDS; n += 2) {
      const [outer, inner] = n % 4 === 0 ? [first!, second!] : [second!, first!];
      // Sometimes both have one instant.
      clock.micros += 1_000;
      const between = random.integer(0, 2) * 10;
      let innerNow = "";
      const outerNow = await outer.store.transaction(async (tx) => {
        clock.micros += between;
        innerNow = await inner.store.transaction(async (other) => {
          await putOne(inner, other, bodyOf(n, other.now));
          return other.now;
        });
        await putOne(outer, tx, bodyOf(n + 1, tx.now));
        return tx.now;
      });
      note(n, innerNow);
      note(n + 1, outerNow);
    }
    return rows;
  }

  const idsOf = ({ hits }: RecordPage): readonly string[] => hits.map(({ id }) => id);

  it("has rows that are not in the order of creation, and some of one instant", () => {
    const instants = written.map(({ created }) => created);
    expect(instants).not.toEqual([...instants].sort((a, b) => a - b));
    expect(new Set(instants).size).toBeLessThan(RECORDS);
  });

  it.each(ORDERS)(
    "is that of creation, by %s: at once, by offset and by cursor, on both nodes",
    async (_, changes, compare) => {
      const expected = [...written].sort(compare).map(({ id }) => id);
      for (const { index } of nodes) {
        const search = (page: RecordSearch["page"]): Promise<RecordPage> =>
          index.searchRecords({ ...EVERYTHING, ...changes, page });
        expect(idsOf(await search({ offset: 0, limit: RECORDS }))).toEqual(expected);
        for (const offset of [1, 17, RECORDS - 3]) {
          expect(idsOf(await search({ offset, limit: 5 }))).toEqual(expected.slice(offset, offset + 5));
        }
        for (const limit of [1, 7]) {
          const walked: string[] = [];
          for (let after: SortKey | null | undefined = null; after !== undefined; ) {
            const page: RecordPage = await search({ after, limit });
            walked.push(...idsOf(page));
            after = page.next;
          }
          expect(walked).toEqual(expected);
        }
      }
    },
  );

  it.each<[RecordSearch["sort"], SortKey]>([
    ["newest", [7]],
    ["newest", ["7", "8"]],
    ["newest", ["9223372036854775808"]],
    ["oldest", ["a"]],
    ["bestmatch", [1, 7]],
    ["bestmatch", [0.5, "7"]],
    [{ by: ["metadata.ph"], first: "smallest" }, [0, 7, 1]],
    [{ by: ["metadata.ph"], first: "smallest" }, [2, "7"]],
    [{ by: ["metadata.ph"], first: "largest" }, [0, "7", "2"]],
  ])("refuses a key of another order %j: %j", async (sort, after) => {
    const asked = nodes[0]!.index.searchRecords({ ...EVERYTHING, sort, page: { after, limit: 5 } });
    await expect(asked).rejects.toMatchObject({ code: "CURSOR_INVALID" });
  });
});
