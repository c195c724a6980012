import type { Vocabulary } from "../../../core/catalog/types.js";
import { circlesIn } from "../../../core/terms/circles.js";
import type { LoadOptions } from "../../../ports/loads.js";
import type { Sql } from "../connection/sql.js";

type Refuse = NonNullable<LoadOptions["refuse"]>;

/**
 * Takes the lines out of the stage that give an item a parent or a successor which is not there, or a parent that
 * stands below the item. What was wrong before, and is not the line's doing, stays.
 */
export async function refuseTargets(sql: Sql, load: string, vocabulary: Vocabulary, refuse: Refuse): Promise<void> {
  // An item that is refused may be the target of another, or stand again where it stood.
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

/** Lines that are refused, and links that are read, in one go. */
const ROWS_AT_ONCE = 50_000;

/** What a line may lead to: lines that do, and how they name it. */
const TARGETS = {
  parent: { given: "i.moved = 1", label: "parent" },
  successor: { given: "i.successor IS NOT NULL", label: "successor (replaced_by)" },
} as const;

type Target = keyof typeof TARGETS;

/** Lines whose target is an item neither of the vocabulary nor of the load. */
const missing = (column: Target): string => `SELECT i.n, i.line, i.ext, i.${column} AS target FROM term_stage i
  WHERE i.load = $1 AND i.fresh > 0 AND ${TARGETS[column].given}
    AND NOT EXISTS (SELECT 1 FROM term_stage s WHERE s.load = $1 AND s.ext = i.${column} AND s.fresh >= 0)
    AND NOT EXISTS (SELECT 1 FROM term t WHERE t.vocabulary = $2 AND t.ext = i.${column})
  ORDER BY i.n LIMIT ${ROWS_AT_ONCE}`;

const MISSING = { parent: missing("parent"), successor: missing("successor") } as const;

const targetsOf = ({ hierarchy }: Vocabulary): readonly Target[] =>
  hierarchy ? ["successor", "parent"] : ["successor"];

async function refuseMissing(sql: Sql, load: string, vocabulary: Vocabulary, refuse: Refuse): Promise<number> {
  let refused = 0;
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
    refused += rows.length;
  }
  return refused;
}

/** An id that lines lead to and that is not there any more; undefined: all are. */
export async function missingTarget(sql: Sql, load: string, vocabulary: Vocabulary): Promise<string | undefined> {
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
  const inCircle = circlesIn(await loadedAbove(sql, load, vocabulary)).flat();
  const found = new Map((await sql.rows<Row>(IN_CIRCLE, [load, inCircle])).map((row) => [row.n, row]));
  const rows = inCircle.flatMap((n) => found.get(n) ?? []);
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
 * By the number of a staged item that of the nearest staged one above it, 0 where there is none: a circle that the load
 * makes goes through one of its lines.
 */
async function loadedAbove(sql: Sql, load: string, vocabulary: string): Promise<Uint32Array> {
  const most = "SELECT coalesce(max(n), 0) AS n FROM term_stage WHERE load = $1";
  const above = new Uint32Array((await sql.row<{ readonly n: number }>(most, [load]))!.n + 1);
  const climb = new Climb(sql, load, vocabulary);
  for (let last = 0; ; ) {
    const links = await sql.rows<Link>(LINKS, [load, last]);
    if (links.length === 0) return above;
    last = links.at(-1)!.n;
    const others = links.filter((link) => link.above === null);
    await climb.from(others.map(({ parent }) => parent));
    for (const link of links) above[link.n] = link.above ?? climb.stagedAbove(link.parent);
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

/** Leads from items that the load does not change up to one that it does; each step is read once. */
class Climb {
  readonly #sql: Sql;
  readonly #load: string;
  readonly #vocabulary: string;
  readonly #steps = new Map<string, Step>();

  constructor(sql: Sql, load: string, vocabulary: string) {
    this.#sql = sql;
    this.#load = load;
    this.#vocabulary = vocabulary;
  }

  /** Reads all above these ids, one level after the other. */
  async from(ids: readonly string[]): Promise<void> {
    let unread = [...new Set(ids)].filter((id) => !this.#steps.has(id));
    while (unread.length > 0) {
      const rows = await this.#sql.rows<Step>(STEPS, [this.#load, this.#vocabulary, unread]);
      for (const row of rows) this.#steps.set(row.id, row);
      const next = rows.flatMap(({ parent, n }) => (parent === null || n !== null ? [] : [parent]));
      unread = [...new Set(next)].filter((id) => !this.#steps.has(id));
    }
  }

  /** The number of the first staged item on the way up from an id that was read; 0: there is none. */
  stagedAbove(id: string): number {
    const passed = new Set<string>();
    let step = this.#steps.get(id);
    while (step !== undefined && step.n === null && step.parent !== null && !passed.has(step.id)) {
      passed.add(step.id);
      step = this.#steps.get(step.parent);
    }
    const found = step?.n ?? 0;
    // The next who comes by goes straight there.
    for (const each of passed) this.#steps.set(each, { id: each, parent: null, n: found });
    return found;
  }
}
