import type { TermRow } from "../../../core/terms/term-row.js";
import { circlesIn } from "../../term-loads/circles.js";
import {
  addCircle,
  addMissingParent,
  compareItem,
  compareLife,
  type StoredItem,
  type StoredLife,
} from "../../verify/compare-term.js";
import { literal } from "../connection/literal.js";
import { scanRows } from "../connection/scan-rows.js";
import type { Sql } from "../connection/sql.js";
import { storedKeys } from "../terms/written-terms.js";
import type { DatabaseUnit } from "./database-plan.js";
import type { TermVerifyContext } from "./verify-context.js";

/** A row of `term`. */
export interface ItemRow extends TermRow {
  readonly sources: number;
}

export const ITEM = `t.ext, t.status, t.prior, t.length, t.created, t.revision, t.hash, t.parent, t.successor, t.title,
  t.rest, t.sources`;

/** A row as drivers give it: not all of them make a Buffer of bytes. */
export const itemRow = (row: ItemRow): ItemRow => ({ ...row, hash: Buffer.from(row.hash) });

/** Each item against its content: its row, and its whole names. */
export async function checkItems(verifying: TermVerifyContext): Promise<void> {
  const { connection, vocabulary, count, report } = verifying;
  const { name } = vocabulary;
  const again: DatabaseUnit = ["vocabularies", name];
  const items = `SELECT ${ITEM} FROM term t WHERE t.vocabulary = ${literal(name)} ORDER BY t.ext`;
  let done = 0;
  for await (const rows of scanRows<ItemRow>(connection, items)) {
    const names = await namesOf(
      connection,
      name,
      rows.map(({ ext }) => ext),
    );
    for (const row of rows) {
      const item = compareItem(report, vocabulary, itemRow(row), again);
      if (item === undefined || hasNames(verifying, item, names.get(row.ext))) continue;
      const noted = { check: "items.keys", where: `${name}/${row.ext}`, expected: "the names of its content" };
      report.add({ ...noted, found: "others" }, again);
    }
    done += rows.length;
    report.progress(`items of ${name}`, done, count);
  }
  for await (const rows of scanRows<{ readonly ext: string }>(connection, leftNames(literal(name)))) {
    for (const { ext } of rows) {
      report.add({ check: "items.keys", where: `${name}/${ext}`, expected: "nothing", found: "names" }, again);
    }
  }
}

/** Ids that have names, and are no items. @param vocabulary as it stands in a statement */
export const leftNames = (vocabulary: string): string => `SELECT DISTINCT n.ext FROM term_name n
  WHERE n.vocabulary = ${vocabulary}
    AND NOT EXISTS (SELECT FROM term t WHERE t.vocabulary = n.vocabulary AND t.ext = n.ext) ORDER BY n.ext`;

const NAMES = "SELECT ext, key, kind FROM term_name WHERE vocabulary = $1 AND ext = ANY($2::text[])";

/** The names that stand under some ids. */
export async function namesOf(
  sql: Sql,
  vocabulary: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await sql.rows<{ readonly ext: string; readonly key: string; readonly kind: number }>(NAMES, [
    ...[vocabulary, ids],
  ]);
  const names = new Map<string, Set<string>>();
  for (const { ext, key, kind } of rows) {
    const of = names.get(ext) ?? new Set();
    names.set(ext, of.add(`${kind} ${key}`));
  }
  return names;
}

/** Does an item have just the names that its content gives it? */
export function hasNames(
  { vocabulary }: Pick<TermVerifyContext, "vocabulary">,
  { content }: StoredItem,
  found: ReadonlySet<string> = new Set(),
): boolean {
  const expected = storedKeys(content, vocabulary);
  return expected.length === found.size && expected.every(([key, kind]) => found.has(`${kind} ${key}`));
}

export const COUNT = "SELECT count(*) AS n FROM term WHERE vocabulary = $1";

/** What is kept of a vocabulary as a whole: how many items there are, and what became of ids that are none. */
export async function checkCount({ connection, vocabulary, count, report }: TermVerifyContext): Promise<void> {
  const { name } = vocabulary;
  const noted = await connection.row<{ readonly count: number }>("SELECT count FROM vocabulary WHERE name = $1", [
    name,
  ]);
  const found = `${noted?.count ?? 0} items`;
  const again: DatabaseUnit = ["vocabularies", name];
  report.compare({ check: "items.count", where: name, expected: `${count} items`, found }, again);
  const lives = `SELECT l.ext, l.state, l.successor,
      EXISTS (SELECT FROM term t WHERE t.vocabulary = l.vocabulary AND t.ext = l.ext) AS "isItem"
    FROM life l WHERE l.vocabulary = ${literal(name)} ORDER BY l.ext`;
  for await (const rows of scanRows<StoredLife>(connection, lives)) {
    for (const life of rows) compareLife(report, name, life, again);
  }
}

/** Items by number, from 1. */
const numbered = (vocabulary: string): string => `WITH numbered AS MATERIALIZED (
    SELECT ext, parent, row_number() OVER (ORDER BY ext) AS n FROM term WHERE vocabulary = ${vocabulary})`;

interface Link {
  readonly n: number;
  readonly ext: string;
  readonly parent: string;
  /** Number of the parent. */
  readonly above: number | null;
}

/** Each parent is an item, and none stands below itself. What else would be meant only a curator can say. */
export async function checkParents({ connection, vocabulary, count, report }: TermVerifyContext): Promise<void> {
  if (!vocabulary.hierarchy) return;
  const { name } = vocabulary;
  const above = new Uint32Array(count + 1);
  const links = `${numbered(literal(name))} SELECT c.n, c.ext, c.parent, p.n AS above
    FROM numbered c LEFT JOIN numbered p ON p.ext = c.parent WHERE c.parent IS NOT NULL ORDER BY c.n`;
  let done = 0;
  for await (const rows of scanRows<Link>(connection, links)) {
    for (const link of rows) {
      if (link.above === null) addMissingParent(report, name, link.ext, link.parent);
      else above[link.n] = link.above;
    }
    done += rows.length;
    report.progress(`parents of ${name}`, done, count);
  }
  const inCircles = circlesIn(above);
  if (inCircles.length === 0) return;
  const named = `${numbered("$1")} SELECT ext FROM numbered WHERE n = ANY($2::bigint[]) ORDER BY n`;
  const rows = await connection.rows<{ readonly ext: string }>(named, [name, inCircles]);
  for (const { ext } of rows) addCircle(report, name, ext);
}
