import { circlesIn } from "../../../core/terms/term-order.js";
import type { TermRow } from "../../../core/terms/term-row.js";
import {
  addCircle,
  addMissingParent,
  compareLife,
  compareTerm,
  type StoredLife,
  type VerifiedTerm,
} from "../../verify/compare-term.js";
import { scanRows } from "../connection/long-statements.js";
import { literal, type Sql } from "../connection/sql.js";
import { storedKeys } from "../terms/term-writer.js";
import type { DatabaseUnit, TermVerifyContext } from "./verify-context.js";

/** A row of `term`. */
export interface StoredTermRow extends TermRow {
  readonly sources: number;
}

/** Columns of `term` for a `StoredTermRow`. */
export const TERM_COLUMNS = `t.ext, t.status, t.prior, t.length, t.created, t.revision, t.hash, t.parent, t.successor,
  t.title, t.rest, t.sources`;

/** Converts a row of the driver: not all drivers return a Buffer. */
export const normalizeRow = (row: StoredTermRow): StoredTermRow => ({ ...row, hash: Buffer.from(row.hash) });

/** Checks each term against its content: its row and its whole names. */
export async function checkTerms(verifying: TermVerifyContext): Promise<void> {
  const { connection, vocabulary, count, report } = verifying;
  const { name } = vocabulary;
  const unit: DatabaseUnit = ["vocabularies", name];
  const items = `SELECT ${TERM_COLUMNS} FROM term t WHERE t.vocabulary = ${literal(name)} ORDER BY t.ext`;
  let done = 0;
  for await (const rows of scanRows<StoredTermRow>(connection, items)) {
    const names = await readNames(
      connection,
      name,
      rows.map(({ ext }) => ext),
    );
    for (const row of rows) {
      const item = compareTerm(report, vocabulary, normalizeRow(row), unit);
      if (item === undefined || hasNames(verifying, item, names.get(row.ext))) continue;
      const finding = { check: "items.keys", where: `${name}/${row.ext}`, expected: "the names of its content" };
      report.add({ ...finding, found: "others" }, unit);
    }
    done += rows.length;
    report.progress(`items of ${name}`, done, count);
  }
  for await (const rows of scanRows<{ readonly ext: string }>(connection, leftNames(literal(name)))) {
    for (const { ext } of rows) {
      report.add({ check: "items.keys", where: `${name}/${ext}`, expected: "nothing", found: "names" }, unit);
    }
  }
}

/** Returns SQL for ids with names that are not terms. @param vocabulary as SQL */
export const leftNames = (vocabulary: string): string => `SELECT DISTINCT n.ext FROM term_name n
  WHERE n.vocabulary = ${vocabulary}
    AND NOT EXISTS (SELECT FROM term t WHERE t.vocabulary = n.vocabulary AND t.ext = n.ext) ORDER BY n.ext`;

const NAMES = "SELECT ext, key, kind FROM term_name WHERE vocabulary = $1 AND ext = ANY($2::text[])";

/** Returns the stored names of some ids. */
export async function readNames(
  sql: Sql,
  vocabulary: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const values = [vocabulary, ids];
  const rows = await sql.rows<{ readonly ext: string; readonly key: string; readonly kind: number }>(NAMES, values);
  const names = new Map<string, Set<string>>();
  for (const { ext, key, kind } of rows) {
    const namesOfId = names.get(ext) ?? new Set();
    names.set(ext, namesOfId.add(`${kind} ${key}`));
  }
  return names;
}

/** Returns whether a term has exactly the names of its content. */
export function hasNames(
  { vocabulary }: Pick<TermVerifyContext, "vocabulary">,
  { content }: VerifiedTerm,
  found: ReadonlySet<string> = new Set(),
): boolean {
  const expected = storedKeys(content, vocabulary);
  return expected.length === found.size && expected.every(([key, kind]) => found.has(`${kind} ${key}`));
}

/** SQL for the number of terms of a vocabulary. */
export const COUNT_TERMS = "SELECT count(*) AS n FROM term WHERE vocabulary = $1";

/** Checks the data of a vocabulary as a whole: its number of terms, and the states of deleted ids. */
export async function checkCount({ connection, vocabulary, count, report }: TermVerifyContext): Promise<void> {
  const { name } = vocabulary;
  const finding = await connection.row<{ readonly count: number }>("SELECT count FROM vocabulary WHERE name = $1", [
    name,
  ]);
  const found = `${finding?.count ?? 0} items`;
  const unit: DatabaseUnit = ["vocabularies", name];
  report.compare({ check: "items.count", where: name, expected: `${count} items`, found }, unit);
  const deletedTerms = `SELECT l.ext, l.state, l.successor,
      EXISTS (SELECT FROM term t WHERE t.vocabulary = l.vocabulary AND t.ext = l.ext) AS "isItem"
    FROM life l WHERE l.vocabulary = ${literal(name)} ORDER BY l.ext`;
  for await (const rows of scanRows<StoredLife>(connection, deletedTerms)) {
    for (const life of rows) compareLife(report, name, life, unit);
  }
}

/** SQL for the terms by number, from 1. */
const numberedTerms = (vocabulary: string): string => `WITH numbered AS MATERIALIZED (
    SELECT ext, parent, row_number() OVER (ORDER BY ext) AS n FROM term WHERE vocabulary = ${vocabulary})`;

interface ParentLink {
  readonly n: number;
  readonly ext: string;
  readonly parent: string;
  /** Number of the parent. */
  readonly above: number | null;
}

/** Checks that each parent is a term and that no term is below itself. Only a curator can correct these. */
export async function checkParents({ connection, vocabulary, count, report }: TermVerifyContext): Promise<void> {
  if (!vocabulary.hierarchy) return;
  const { name } = vocabulary;
  const parentNumbers = new Uint32Array(count + 1);
  const links = `${numberedTerms(literal(name))} SELECT c.n, c.ext, c.parent, p.n AS above
    FROM numbered c LEFT JOIN numbered p ON p.ext = c.parent WHERE c.parent IS NOT NULL ORDER BY c.n`;
  let done = 0;
  for await (const rows of scanRows<ParentLink>(connection, links)) {
    for (const link of rows) {
      if (link.above === null) addMissingParent(report, name, link.ext, link.parent);
      else parentNumbers[link.n] = link.above;
    }
    done += rows.length;
    report.progress(`parents of ${name}`, done, count);
  }
  const inCircles = circlesIn(parentNumbers).flat();
  if (inCircles.length === 0) return;
  const selectNames = `${numberedTerms("$1")} SELECT ext FROM numbered WHERE n = ANY($2::bigint[]) ORDER BY n`;
  const rows = await connection.rows<{ readonly ext: string }>(selectNames, [name, inCircles]);
  for (const { ext } of rows) addCircle(report, name, ext);
}
