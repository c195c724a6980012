import { createHash } from "node:crypto";
import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import type { TermContent } from "../../../core/term.js";
import { contentHash, readTermContent, type TermRow, termRow } from "../../../core/terms/term-row.js";
import type { TermWriter } from "../../../ports/store.js";
import { nameKeys, termSignature } from "../../../query/index-model/term-document.js";
import type { ExistingTerm } from "../../term-loads/compiled-terms.js";
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";
import { followTerm } from "./follow-terms.js";
import { noteMoved } from "./moved-terms.js";
import { makeTermLocks, makeTermReader } from "./term-reader.js";

/** Makes the writer of terms in an open transaction. */
export function makeTermWriter(tx: OpenTransaction, catalog: Catalog): TermWriter {
  const { sql, now, locks, note } = tx;
  const termLocks = makeTermLocks(locks);
  return {
    ...makeTermReader(sql, catalog, termLocks),
    put: async (name, content) => {
      const vocabulary = requireVocabulary(catalog, name);
      const { id } = content;
      await termLocks.toWrite(name);
      const { term, deletedRevision } = (await readStates(sql, name, [id])).get(id)!;
      const hash = contentHash(content);
      if (term?.hash === hash.toString("hex")) return "unchanged";
      const revision = (term?.revision ?? deletedRevision) + 1;
      const row = termRow(content, vocabulary, { revision, created: term?.created ?? now, updated: now }, hash);
      const isNew = term === undefined;
      await writeTerms(sql, vocabulary, [{ row, content, sources: term?.sources ?? 0, isNew }]);
      note({ kind: "term", action: isNew ? "created" : "updated", place: name, id, revision });
      tx.touch(name, changedSuccessors(term?.successor, row.successor));
      const isMoved = (term?.parent ?? null) !== row.parent;
      if (isMoved) await noteMoved(tx, name, id);
      await followTerm(tx, name, id, isMoved);
      return isNew ? "new" : "changed";
    },
    delete: async (name, id) => {
      requireVocabulary(catalog, name);
      await termLocks.toWrite(name);
      const term = (await readStates(sql, name, [id])).get(id)?.term;
      const revision = await removeTerm(sql, name, id);
      if (revision === undefined) return;
      note({ kind: "term", action: "removed", place: name, id, revision });
      const isMoved = term?.parent != null;
      if (isMoved) await noteMoved(tx, name, id);
      await followTerm(tx, name, id, isMoved);
    },
  };
}

/** Returns the old and the new successor of a term if they differ: their citation counts change. */
const changedSuccessors = (oldId: string | null = null, newId: string | null): readonly string[] =>
  oldId === newId ? [] : [oldId, newId].filter((id) => id !== null);

/** Returns a declared vocabulary. @throws BinderyError VOCABULARY_NOT_FOUND */
export function requireVocabulary(catalog: Catalog, name: string): Vocabulary {
  const vocabulary = catalog.vocabularies.get(name);
  if (vocabulary !== undefined) return vocabulary;
  throw fail("VOCABULARY_NOT_FOUND", { vocabulary: name, known: [...catalog.vocabularies.keys()] });
}

/** The state of an id before it is written. */
export interface TermState {
  readonly id: string;
  /** The stored term, if there is one. */
  readonly term?: StoredTermState;
  /** The last revision of a deleted term, 0 if it never existed. */
  readonly deletedRevision: number;
}

/** A stored term, with the data for writing another revision of it. */
interface StoredTermState extends ExistingTerm {
  readonly revision: number;
  readonly created: number;
  readonly successor: string | null;
}

/** Reads states by one look-up per id. It does not depend on table statistics, because tables grow during a load. */
const STATES = `SELECT a.id, t.*, coalesce(l.revision, 0) AS gone_at FROM unnest($2::text[]) a(id)
  LEFT JOIN LATERAL (
    SELECT revision, created, encode(hash, 'hex') AS hash, parent, successor, status, sources, title, rest
    FROM term WHERE vocabulary = $1 AND ext = a.id LIMIT 1) t ON true
  LEFT JOIN LATERAL (SELECT revision FROM life WHERE vocabulary = $1 AND ext = a.id LIMIT 1) l ON true`;

interface StateRow extends Omit<StoredTermState, "revision" | "isDeprecated" | "content"> {
  readonly id: string;
  readonly revision: number | null;
  readonly status: number;
  readonly title: string;
  readonly rest: string;
  readonly gone_at: number;
}

/** Reads the states of ids. */
export async function readStates(
  sql: Sql,
  vocabulary: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TermState>> {
  const rows = await sql.rows<StateRow>(STATES, [vocabulary, [...new Set(ids)]]);
  return new Map(rows.map((row) => [row.id, termState(row)]));
}

function termState({ id, revision, status, title, rest, gone_at, ...row }: StateRow): TermState {
  if (revision === null) return { id, deletedRevision: gone_at };
  const content = (): TermContent => readTermContent({ ext: id, parent: row.parent, title, rest });
  return { id, deletedRevision: gone_at, term: { ...row, revision, isDeprecated: status > 0, content } };
}

/** A term to write. */
export interface TermToWrite {
  readonly row: TermRow;
  readonly content: TermContent;
  readonly sources: number;
  readonly isNew: boolean;
}

const PUT = `WITH input AS (
    SELECT * FROM unnest($2::text[], $3::smallint[], $4::float8[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[],
      $9::text[], $10::text[], $11::text[], $12::text[], $13::bigint[])
    i(ext, status, prior, length, created, revision, hash, parent, successor, title, rest, sources)),
  put AS (
    INSERT INTO term(vocabulary, ext, status, prior, length, created, revision, hash, parent, successor, title, rest,
      sources)
    SELECT $1, ext, status, prior, length, created, revision, decode(hash, 'hex'), parent, successor, title, rest,
      sources FROM input
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
 * Writes terms with their names. Each id may occur once. Deleted ids exist again. The caller has locked the vocabulary,
 * so that `isNew` of each term is still correct.
 */
export async function writeTerms(sql: Sql, vocabulary: Vocabulary, terms: readonly TermToWrite[]): Promise<void> {
  if (terms.length === 0) return;
  const changed = terms.filter(({ isNew }) => !isNew).map(({ row }) => row.ext);
  if (changed.length > 0) await deleteNames(sql, vocabulary.name, changed);
  const column = <Name extends keyof TermRow>(name: Name): TermRow[Name][] => terms.map(({ row }) => row[name]);
  const names = terms.flatMap(({ row, content }) =>
    storedKeys(content, vocabulary).map((key) => [...key, row.ext] as const),
  );
  await sql.run(PUT, [
    vocabulary.name,
    column("ext"),
    column("status"),
    column("prior"),
    column("length"),
    column("created"),
    column("revision"),
    terms.map(({ row }) => row.hash.toString("hex")),
    column("parent"),
    column("successor"),
    column("title"),
    column("rest"),
    terms.map(({ sources }) => sources),
    names.map(([key]) => key),
    names.map(([, kind]) => kind),
    names.map(([, , ext]) => ext),
    terms.length - changed.length,
    termSignature(vocabulary),
  ]);
}

async function deleteNames(sql: Sql, vocabulary: string, ids: readonly string[]): Promise<void> {
  await sql.run("DELETE FROM term_name WHERE vocabulary = $1 AND ext = ANY($2::text[])", [vocabulary, ids]);
}

/** Returns the whole names of a term as in the table `term_name`, each once. */
export const storedKeys = (
  content: TermContent,
  vocabulary: Vocabulary,
): readonly (readonly [key: string, kind: number])[] => {
  const keys = nameKeys(content, vocabulary).map(([key, kind]) => [storedKey(key), kind] as const);
  return [...new Map(keys.map((key) => [key.join("/"), key])).values()];
};

/** Maximum length of a name. An entry of a PostgreSQL index, here with the id, may have at most 2,704 bytes. */
const KEY_BYTES_MAX = 512;

/** Returns a whole name as in the table `term_name`. A long name becomes a digest, which no analysed name equals. */
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

/** Deletes a term. @returns its last revision; undefined if it does not exist */
async function removeTerm(sql: Sql, vocabulary: string, id: string): Promise<number | undefined> {
  return (await sql.row<{ readonly revision: number }>(DELETE, [vocabulary, id]))?.revision;
}
