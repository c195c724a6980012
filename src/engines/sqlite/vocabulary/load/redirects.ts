import type { Redirect } from "../../../../ports/store.js";
import { currentGeneration, type Generation } from "../store/generation.js";
import { noteRedirects } from "../store/put-row.js";
import type { BulkLoader } from "./bulk-loader.js";
import { copySorted } from "./copy-tables.js";

/** Ids that are no items, as the load says where they lead; of one that comes twice the last one counts. */
export const REDIRECT_TABLE = "CREATE TABLE scratch.redirect(ext TEXT PRIMARY KEY, successor TEXT) WITHOUT ROWID;";

export function stageRedirect({ db }: BulkLoader, { id, to }: Redirect): void {
  db.sql("INSERT OR REPLACE INTO scratch.redirect(ext, successor) VALUES(?, ?)").run(id, to);
}

/** Those that the generation does not have, or has otherwise. */
const otherThan = (generation: Generation | undefined): string =>
  `FROM scratch.redirect s WHERE NOT EXISTS (SELECT 1 FROM scratch.item i WHERE i.ext = s.ext)
     AND NOT EXISTS (SELECT 1 FROM main.redirect r
       WHERE r.g = ${generation?.g ?? 0} AND r.ext = s.ext AND r.successor IS s.successor)`;

/** How many ids lead elsewhere than they do now. */
export function countRedirects({ db }: BulkLoader, vocabulary: string): number {
  const sql = `SELECT count(*) ${otherThan(currentGeneration(db, vocabulary))}`;
  return db.raw.prepare<[], number>(sql).pluck().get()!;
}

/** Those that a load changes, where they are few. */
export function changedRedirects({ db }: BulkLoader, vocabulary: string): readonly Redirect[] {
  const sql = `SELECT s.ext AS id, s.successor AS "to" ${otherThan(currentGeneration(db, vocabulary))}`;
  return db.raw.prepare<[], Redirect>(sql).all();
}

/** Writes redirects into a generation, in the open transaction. */
export function putRedirects(generation: Generation, redirects: readonly Redirect[]): void {
  if (redirects.length === 0) return;
  const put = generation.sql("INSERT OR REPLACE INTO redirect(g, ext, successor) VALUES($g, ?, ?)");
  for (const { id, to } of redirects) put.run(id, to);
  noteRedirects(generation);
}

/** Gives generation `g` the redirects of the load, and those of the current generation that it does not speak of. */
export async function copyRedirects(loader: BulkLoader, vocabulary: string, g: number): Promise<void> {
  const current = currentGeneration(loader.db, vocabulary);
  const isItem = "SELECT 1 FROM scratch.item i WHERE i.ext = r.ext AND i.fresh <> 0";
  const staged = `SELECT ${g} AS g, ext, successor FROM scratch.redirect r WHERE NOT EXISTS (${isItem})`;
  const kept = `SELECT ${g}, ext, successor FROM main.redirect r WHERE g = ${current?.g ?? 0}
    AND NOT EXISTS (SELECT 1 FROM scratch.redirect s WHERE s.ext = r.ext) AND NOT EXISTS (${isItem})`;
  await copySorted(loader, g, "redirect", `${staged} UNION ALL ${kept} ORDER BY 2`);
}
