import type { Vocabulary } from "../../../core/catalog/types.js";
import { circlesIn } from "../../../core/terms/term-order.js";
import type { LoadOptions } from "../../../ports/loads.js";
import type { Sql } from "../connection/sql.js";

type Refuse = NonNullable<LoadOptions["refuse"]>;

/**
 * Refuses staged lines that give a term a parent or a successor that does not exist, or a parent that is its
 * descendant. Existing errors that the line did not cause are left to `verify`.
 */
export async function refuseTargets(sql: Sql, load: string, vocabulary: Vocabulary, refuse: Refuse): Promise<void> {
  // A refused term may be the target of another line, and keeps its old parent, which may form a circle.
  for (;;) {
    if ((await refuseMissing(sql, load, vocabulary, refuse)) > 0) continue;
    if (!vocabulary.hierarchy || (await refuseCircles(sql, load, vocabulary.name, refuse)) === 0) return;
  }
}

interface Row {
  readonly n: number;
  readonly line: number | null;
  readonly ext: string;
  readonly target: string;
}

/** Number of lines that are refused, and of links that are read, at once. */
const ROWS_AT_ONCE = 50_000;

/** Targets of a line: the condition for lines that have one, and its name in messages. */
const TARGETS = {
  parent: { given: "i.moved = 1", label: "parent" },
  successor: { given: "i.successor IS NOT NULL", label: "successor (replaced_by)" },
} as const;

type Target = keyof typeof TARGETS;

/** Selects lines whose target is a term neither of the vocabulary nor of the load. */
const missingSql = (column: Target): string => `SELECT i.n, i.line, i.ext, i.${column} AS target FROM term_stage i
  WHERE i.load = $1 AND i.fresh > 0 AND ${TARGETS[column].given}
    AND NOT EXISTS (SELECT 1 FROM term_stage s WHERE s.load = $1 AND s.ext = i.${column} AND s.fresh >= 0)
    AND NOT EXISTS (SELECT 1 FROM term t WHERE t.vocabulary = $2 AND t.ext = i.${column})
  ORDER BY i.n LIMIT ${ROWS_AT_ONCE}`;

const MISSING = { parent: missingSql("parent"), successor: missingSql("successor") } as const;

const targetsOf = ({ hierarchy }: Vocabulary): readonly Target[] =>
  hierarchy ? ["successor", "parent"] : ["successor"];

async function refuseMissing(sql: Sql, load: string, vocabulary: Vocabulary, refuse: Refuse): Promise<number> {
  let count = 0;
  for (const target of targetsOf(vocabulary)) {
    const rows = await sql.rows<Row>(MISSING[target], [load, vocabulary.name]);
    for (const row of rows) {
      refuse(
        row.line ?? 0,
        `the ${TARGETS[target].label} "${row.target}" is not a term, neither of the vocabulary nor of the file; ` +
          "load or add it first",
      );
    }
    await removeLines(sql, load, rows);
    count += rows.length;
  }
  return count;
}

/** Returns a target of a line that no longer exists; undefined if all exist. */
export async function findMissingTarget(sql: Sql, load: string, vocabulary: Vocabulary): Promise<string | undefined> {
  for (const target of targetsOf(vocabulary)) {
    const row = await sql.row<Row>(MISSING[target], [load, vocabulary.name]);
    if (row !== undefined) return row.target;
  }
  return undefined;
}

async function removeLines(sql: Sql, load: string, rows: readonly Pick<Row, "n">[]): Promise<void> {
  if (rows.length === 0) return;
  const ns = rows.map(({ n }) => n);
  await sql.run("DELETE FROM term_stage WHERE load = $1 AND n = ANY($2::bigint[])", [load, ns]);
}

const IN_CIRCLE = `SELECT n, line, ext, parent AS target FROM term_stage
  WHERE load = $1 AND moved = 1 AND fresh > 0 AND n = ANY($2::bigint[])`;

async function refuseCircles(sql: Sql, load: string, vocabulary: string, refuse: Refuse): Promise<number> {
  const moved = await sql.row("SELECT 1 AS n FROM term_stage WHERE load = $1 AND moved = 1 LIMIT 1", [load]);
  if (moved === undefined) return 0;
  const inCircle = circlesIn(await readStagedAncestors(sql, load, vocabulary)).flat();
  const rowsByNumber = new Map((await sql.rows<Row>(IN_CIRCLE, [load, inCircle])).map((row) => [row.n, row]));
  const rows = inCircle.flatMap((n) => rowsByNumber.get(n) ?? []);
  for (const { line, ext, target } of rows) {
    refuse(line ?? 0, `the parent "${target}" is a descendant of "${ext}"; give one of them another parent`);
  }
  await removeLines(sql, load, rows);
  return rows.length;
}

const LINKS = `SELECT i.n, i.parent, p.n AS above FROM term_stage i
  LEFT JOIN term_stage p ON p.load = $1 AND p.ext = i.parent AND p.fresh > 0
  WHERE i.load = $1 AND i.fresh > 0 AND i.parent IS NOT NULL AND i.n > $2 ORDER BY i.n LIMIT ${ROWS_AT_ONCE}`;

interface Link {
  readonly n: number;
  readonly parent: string;
  readonly above: number | null;
}

/**
 * Returns the number of the nearest staged ancestor by the number of a staged term, 0 if it has none. A circle that the
 * load causes contains at least one of its lines.
 */
async function readStagedAncestors(sql: Sql, load: string, vocabulary: string): Promise<Uint32Array> {
  const max = "SELECT coalesce(max(n), 0) AS n FROM term_stage WHERE load = $1";
  const ancestors = new Uint32Array((await sql.row<{ readonly n: number }>(max, [load]))!.n + 1);
  const paths = new StoredPaths(sql, load, vocabulary);
  for (let last = 0; ; ) {
    const links = await sql.rows<Link>(LINKS, [load, last]);
    if (links.length === 0) return ancestors;
    last = links.at(-1)!.n;
    const toStored = links.filter((link) => link.above === null);
    await paths.read(toStored.map(({ parent }) => parent));
    for (const link of links) ancestors[link.n] = link.above ?? paths.stagedAncestor(link.parent);
  }
}

const STEPS = `SELECT a.id, t.parent, s.n FROM unnest($3::text[]) a(id)
  LEFT JOIN LATERAL (SELECT parent FROM term WHERE vocabulary = $2 AND ext = a.id LIMIT 1) t ON true
  LEFT JOIN LATERAL (SELECT n FROM term_stage WHERE load = $1 AND ext = a.id AND fresh > 0 LIMIT 1) s ON true`;

interface Step {
  readonly id: string;
  readonly parent: string | null;
  readonly n: number | null;
}

/** Paths from terms that the load does not change up to staged ones. Each step is read once. */
class StoredPaths {
  readonly #sql: Sql;
  readonly #load: string;
  readonly #vocabulary: string;
  readonly #steps = new Map<string, Step>();

  constructor(sql: Sql, load: string, vocabulary: string) {
    this.#sql = sql;
    this.#load = load;
    this.#vocabulary = vocabulary;
  }

  /** Reads the ancestors of these ids, level by level, up to staged ones. */
  async read(ids: readonly string[]): Promise<void> {
    let unread = [...new Set(ids)].filter((id) => !this.#steps.has(id));
    while (unread.length > 0) {
      const rows = await this.#sql.rows<Step>(STEPS, [this.#load, this.#vocabulary, unread]);
      for (const row of rows) this.#steps.set(row.id, row);
      const next = rows.flatMap(({ parent, n }) => (parent === null || n !== null ? [] : [parent]));
      unread = [...new Set(next)].filter((id) => !this.#steps.has(id));
    }
  }

  /** Returns the number of the first staged term from an id upwards, which must have been read; 0 if there is none. */
  stagedAncestor(id: string): number {
    const passed = new Set<string>();
    let step = this.#steps.get(id);
    while (step !== undefined && step.n === null && step.parent !== null && !passed.has(step.id)) {
      passed.add(step.id);
      step = this.#steps.get(step.parent);
    }
    const ancestor = step?.n ?? 0;
    // Later paths through these terms end here at once.
    for (const each of passed) this.#steps.set(each, { id: each, parent: null, n: ancestor });
    return ancestor;
  }
}
