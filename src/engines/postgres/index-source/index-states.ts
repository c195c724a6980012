import { type JsonObject, storedObject } from "../../../core/json.js";
import type { IndexFailure } from "../../../ports/index-documents.js";
import type { IndexMark, IndexMarks, IndexSource, IndexState, NewIndex } from "../../../ports/index-source.js";
import { withoutTimeLimits } from "../connection/long-statements.js";
import { literal, type Pool, type Sql } from "../connection/sql.js";

/** Columns of `index_state` for `IndexState`. */
const STATE = "name, epoch, current, made, digest, begun, applied, scanned";

interface StateRow extends IndexMarks {
  readonly name: string;
  readonly epoch: string;
  readonly current: true | null;
  readonly made: string;
  readonly digest: string;
  readonly scanned: number | null;
}

function parseState({ current, made, scanned, ...row }: StateRow): IndexState {
  return {
    ...row,
    isCurrent: current === true,
    made: storedObject<JsonObject>(made, "The state of the index", row.name),
    scanned: scanned ?? undefined,
  };
}

const STATES = `SELECT ${STATE} FROM index_state ORDER BY name`;

const BEHIND = `SELECT EXISTS (
  SELECT FROM feed_head head JOIN index_state i ON i.applied < head.seq AND i.name <> ALL($1::text[])) AS "isBehind"`;

/** Marks only rise: an earlier leader that resumes changes nothing. */
const BEGIN = `UPDATE index_state SET begun = greatest(begun, $2)
  WHERE name = $1 AND $3 BETWEEN applied AND begun AND epoch = $4`;
/** Deletes touched terms up to the least `applied`, unless a running load needs them. */
const APPLY = `WITH noted AS (
    UPDATE index_state SET applied = greatest(applied, $2) WHERE name = $1 AND epoch = $3 AND begun >= $2
    RETURNING name, applied)
  DELETE FROM term_touched WHERE seq <= least(
    (SELECT min(coalesce(noted.applied, i.applied)) FROM index_state i LEFT JOIN noted ON noted.name = i.name),
    (SELECT min(seq) FROM term_loading))`;

const SET_ASIDE = `INSERT INTO index_failure(index, kind, place, id, reason, seq)
  SELECT $1, f.*, $6::bigint FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) f(kind, place, id, reason)`;
const TAKE_BACK = `DELETE FROM index_failure f USING unnest($2::text[], $3::text[], $4::text[]) t(kind, place, id)
  WHERE f.index = $1 AND f.kind = t.kind AND f.place = t.place AND f.id = t.id AND f.seq <= $5`;
const FAILURES = "SELECT kind, place, id, reason FROM index_failure WHERE index = $1 ORDER BY kind, place, id";

/** Makes the part of the index source for states of indexes. */
export function makeIndexStates(pool: Pool): Omit<IndexSource, "leadership" | "openView" | "followSome" | "onLoads"> {
  return {
    isBehind: async (others = []) => (await pool.row<{ readonly isBehind: boolean }>(BEHIND, [others]))!.isBehind,
    states: async () => (await pool.rows<StateRow>(STATES)).map(parseState),
    addIndex: (state) => addIndex(pool, state),
    noteMade: async (index, made) =>
      void (await pool.run("UPDATE index_state SET made = $2 WHERE name = $1", [index, JSON.stringify(made)])),
    noteScanned: async (index, row) =>
      void (await pool.run("UPDATE index_state SET scanned = $2 WHERE name = $1", [index, row ?? null])),
    makeCurrent: async (index) => void (await pool.run(MAKE_CURRENT, [index])),
    dropIndex: async (index) => void (await pool.rows(DROP, [index])),
    disown: (index, mark) => dropForeign(pool, index, mark),
    noteBegun: async (index, upTo, { begun, epoch }) => (await pool.run(BEGIN, [index, upTo, begun, epoch])) > 0,
    noteApplied: async ({ name, epoch }, upTo) => void (await pool.run(APPLY, [name, upTo, epoch])),
    setAside: (index, failures, seq) => noteFailures(pool, index, failures, seq),
    takeBack: async (index, items, upTo) => void (await pool.run(TAKE_BACK, [index, ...keyColumns(items), upTo])),
    failures: async (index) => (await pool.rows<FailureRow>(FAILURES, [index])).map(parseFailure),
  };
}

/** One statement, so that exactly one index is current for every reader. */
const MAKE_CURRENT = `UPDATE index_state s SET current = NULLIF(s.name = $1, false)
  WHERE s.name = $1 OR s.current`;

/** Deletes rows of `index_state` with the rows that belong to them. */
const dropWhere = (condition: string): string => `
  WITH dropped AS (DELETE FROM index_state WHERE ${condition} RETURNING name),
  of_vocabularies AS (DELETE FROM index_vocabulary WHERE index IN (SELECT name FROM dropped)),
  failures AS (DELETE FROM index_failure WHERE index IN (SELECT name FROM dropped))
  SELECT name FROM dropped`;

const DROP = dropWhere("name = $1 AND current IS NULL");
/** A missing mark matches no index. */
const DROP_FOREIGN = dropWhere("name = $1 AND (begun >= $2 AND epoch = $3) IS NOT TRUE");

async function dropForeign(sql: Sql, index: string, mark: IndexMark | undefined): Promise<boolean> {
  return (await sql.row(DROP_FOREIGN, [index, mark?.begun ?? null, mark?.epoch ?? null])) !== undefined;
}

/**
 * Adds an index. A transaction that wrote without knowing of any index ends before the first index is added: it has
 * read `indexed`, and a later reader waits for the lock and then finds the row.
 */
function addIndex(pool: Pool, { name, epoch, made, scanned, begun, applied, large }: NewIndex): Promise<void> {
  return withoutTimeLimits(pool, async (connection) => {
    await connection.script(`LOCK TABLE indexed IN ACCESS EXCLUSIVE MODE;
      INSERT INTO indexed VALUES(true) ON CONFLICT DO NOTHING;
      INSERT INTO index_state(name, epoch, made, begun, applied, scanned)
      VALUES(${[name, epoch, JSON.stringify(made), begun, applied, scanned ?? null].map(literal).join(", ")})`);
    for (const [vocabulary, ids] of large) await connection.run(ADD_LARGE, [name, vocabulary, ids]);
  });
}

const ADD_LARGE = `INSERT INTO index_vocabulary(index, vocabulary, generation, import, large)
  VALUES($1, $2, 0, 0, $3)`;

type FailureKey = Pick<IndexFailure, "kind" | "place" | "id">;

const keyColumns = (items: readonly FailureKey[]): readonly string[][] => [
  items.map(({ kind }) => kind),
  items.map(({ place = "" }) => place),
  items.map(({ id }) => id),
];

/** Records documents that an index refuses. */
export async function noteFailures(
  sql: Sql,
  index: string,
  failures: readonly IndexFailure[],
  seq: number,
): Promise<void> {
  const reasons = failures.map(({ reason }) => reason);
  await sql.run(
    `${SET_ASIDE} ON CONFLICT (index, kind, place, id) DO UPDATE SET seq = excluded.seq,
    reason = excluded.reason`,
    [index, ...keyColumns(failures), reasons, seq],
  );
}

interface FailureRow extends Omit<IndexFailure, "place"> {
  readonly place: string;
}

function parseFailure({ place, ...row }: FailureRow): IndexFailure {
  return { ...row, place: place === "" ? undefined : place };
}
