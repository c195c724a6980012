import { createHash } from "node:crypto";
import type { Vocabulary } from "../../../core/catalog/types.js";
import type { TermContent } from "../../../core/term.js";
import { contentOf, type TermRow } from "../../../core/terms/term-row.js";
import { nameKeys, termSignature } from "../../../query/index-model/term-document.js";
import type { Sql } from "../connection/sql.js";

/** What is there under an id when it is written. */
export interface TermBefore {
  readonly id: string;
  /** The item; absent where there is none. */
  readonly item?: StoredItem;
  /** The last revision of an id that is no item any more, 0 where it never was one. */
  readonly goneAt: number;
}

/** An item as it is compared with what is to be written. */
export interface StoredItem {
  readonly revision: number;
  readonly created: number;
  /** In hex. */
  readonly hash: string;
  readonly parent: string | null;
  readonly successor: string | null;
  readonly isDeprecated: boolean;
  /** Bits of the sources that have it. */
  readonly sources: number;
  content(): TermContent;
}

/** One look-up by key for each id, whatever is known of the sizes of the tables: they grow while a load writes. */
const BEFORE = `SELECT a.id, t.*, coalesce(l.revision, 0) AS gone_at FROM unnest($2::text[]) a(id)
  LEFT JOIN LATERAL (
    SELECT revision, created, encode(hash, 'hex') AS hash, parent, successor, status, sources, title, rest
    FROM term WHERE vocabulary = $1 AND ext = a.id LIMIT 1) t ON true
  LEFT JOIN LATERAL (SELECT revision FROM life WHERE vocabulary = $1 AND ext = a.id LIMIT 1) l ON true`;

interface BeforeRow extends Omit<StoredItem, "revision" | "isDeprecated" | "content"> {
  readonly id: string;
  readonly revision: number | null;
  readonly status: number;
  readonly title: string;
  readonly rest: string;
  readonly gone_at: number;
}

/** What is there under these ids. */
export async function readBefore(
  sql: Sql,
  vocabulary: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TermBefore>> {
  const rows = await sql.rows<BeforeRow>(BEFORE, [vocabulary, [...new Set(ids)]]);
  return new Map(rows.map((row) => [row.id, beforeOf(row)]));
}

function beforeOf({ id, revision, status, title, rest, gone_at, ...row }: BeforeRow): TermBefore {
  if (revision === null) return { id, goneAt: gone_at };
  const content = (): TermContent => contentOf({ ext: id, parent: row.parent, title, rest });
  return { id, goneAt: gone_at, item: { ...row, revision, isDeprecated: status > 0, content } };
}

/** A row of `term` as it is written. */
export interface WrittenTerm {
  readonly row: TermRow;
  readonly content: TermContent;
  readonly sources: number;
  readonly isNew: boolean;
}

const PUT = `WITH item AS (
    SELECT * FROM unnest($2::text[], $3::smallint[], $4::float8[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[],
      $9::text[], $10::text[], $11::text[], $12::text[], $13::bigint[])
    i(ext, status, prior, length, created, revision, hash, parent, successor, title, rest, sources)),
  put AS (
    INSERT INTO term(vocabulary, ext, status, prior, length, created, revision, hash, parent, successor, title, rest,
      sources)
    SELECT $1, ext, status, prior, length, created, revision, decode(hash, 'hex'), parent, successor, title, rest,
      sources FROM item
    ON CONFLICT (vocabulary, ext) DO UPDATE SET status = excluded.status, prior = excluded.prior,
      length = excluded.length, created = excluded.created, revision = excluded.revision, hash = excluded.hash,
      parent = excluded.parent,
      successor = excluded.successor, title = excluded.title, rest = excluded.rest, sources = excluded.sources),
  named AS (
    INSERT INTO term_name(vocabulary, key, kind, ext)
    SELECT $1, key, kind, ext FROM unnest($14::text[], $15::smallint[], $16::text[]) n(key, kind, ext)),
  back AS (DELETE FROM life WHERE vocabulary = $1 AND ext = ANY($2::text[]))
  INSERT INTO vocabulary AS v (name, version, count, signature) VALUES($1, 1, $17, $18)
  ON CONFLICT (name) DO UPDATE SET version = v.version + 1, count = v.count + excluded.count`;

/**
 * Writes items with their names, each id once; ids that were gone are back. Who writes has the lock of the vocabulary,
 * so what is said of each (`isNew`) is still so.
 */
export async function writeTerms(sql: Sql, vocabulary: Vocabulary, terms: readonly WrittenTerm[]): Promise<void> {
  if (terms.length === 0) return;
  const changed = terms.filter(({ isNew }) => !isNew).map(({ row }) => row.ext);
  if (changed.length > 0) await forgetNames(sql, vocabulary.name, changed);
  const of = <Name extends keyof TermRow>(name: Name): TermRow[Name][] => terms.map(({ row }) => row[name]);
  const names = terms.flatMap(({ row, content }) =>
    storedKeys(content, vocabulary).map((key) => [...key, row.ext] as const),
  );
  await sql.run(PUT, [
    vocabulary.name,
    ...[of("ext"), of("status"), of("prior"), of("length"), of("created"), of("revision")],
    terms.map(({ row }) => row.hash.toString("hex")),
    ...[of("parent"), of("successor"), of("title"), of("rest")],
    terms.map(({ sources }) => sources),
    ...[names.map(([key]) => key), names.map(([, kind]) => kind), names.map(([, , ext]) => ext)],
    terms.length - changed.length,
    termSignature(vocabulary),
  ]);
}

async function forgetNames(sql: Sql, vocabulary: string, ids: readonly string[]): Promise<void> {
  await sql.run("DELETE FROM term_name WHERE vocabulary = $1 AND ext = ANY($2::text[])", [vocabulary, ids]);
}

/** The whole names of an item as `term_name` has them, each once. */
export const storedKeys = (
  content: TermContent,
  vocabulary: Vocabulary,
): readonly (readonly [key: string, kind: number])[] => {
  const keys = nameKeys(content, vocabulary).map(([key, kind]) => [storedKey(key), kind] as const);
  return [...new Map(keys.map((key) => [key.join("/"), key])).values()];
};

/** An index holds keys of 2,704 bytes at most, with the id (`LIMITS.termIdLengthMax`) beside this one. */
const KEY_BYTES_MAX = 512;

/** A whole name as `term_name` has it: a long one as its digest, which no analysed name looks like. */
export function storedKey(key: string): string {
  if (Buffer.byteLength(key) <= KEY_BYTES_MAX) return key;
  return `sha256:${createHash("sha256").update(key).digest("hex")}`;
}

const DELETE = `WITH removed AS (DELETE FROM term WHERE vocabulary = $1 AND ext = $2 RETURNING revision, successor),
  unnamed AS (DELETE FROM term_name WHERE vocabulary = $1 AND ext = $2),
  noted AS (
    INSERT INTO life(vocabulary, ext, revision, state, successor)
    SELECT $1, $2, revision, CASE WHEN successor IS NULL THEN 'deleted' ELSE 'replaced' END, successor FROM removed),
  counted AS (
    UPDATE vocabulary SET version = version + 1, count = count - 1
    WHERE name = $1 AND EXISTS (SELECT 1 FROM removed))
  SELECT revision FROM removed`;

/** Removes an item. @returns its last revision; undefined where there is none */
export async function removeTerm(sql: Sql, vocabulary: string, id: string): Promise<number | undefined> {
  return (await sql.row<{ readonly revision: number }>(DELETE, [vocabulary, id]))?.revision;
}
