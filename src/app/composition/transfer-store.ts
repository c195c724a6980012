import { createWriteStream, existsSync, fstatSync, rmSync, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isShared } from "../../config/derived.js";
import type { Config } from "../../config/schema.js";
import type { Catalog } from "../../core/catalog/types.js";
import { FILE_MODE, noteUnfinished, publishFile } from "../../engines/files/disk-files.js";
import { refuseFolder } from "../../engines/files/explain-access.js";
import type { StoreRows } from "../../ports/store-admin.js";

/**
 * Fills the store of the configuration, which must be empty or missing, with the rows of another store, all or nothing.
 * @throws Error with a clear message if the store has content, or if the catalog lacks a model or vocabulary of the
 *   rows; errors of `rows`
 */
export async function loadStore(config: Config, catalog: Catalog, rows: AsyncIterable<StoreRows>): Promise<void> {
  if (!isShared(config)) {
    const { loadDatabase } = await import("../../engines/sqlite/index.js");
    return await loadDatabase(config.data, catalog, rows);
  }
  const { loadDatabase, migrate, openPool } = await import("../../engines/postgres/index.js");
  const pool = openPool({ url: config.databaseUrl, connections: 1 });
  try {
    await migrate(pool);
    await loadDatabase(pool, catalog, rows);
  } finally {
    await pool.close();
  }
}

/**
 * Writes the lines into `<file>.part`, and renames it when it is complete. The dump contains digests of tokens, drafts
 * and addresses: only its owner may read it.
 *
 * @throws Error with a clear message if the file exists or cannot be written; errors of `lines`
 */
export async function writeDumpFile(file: string, lines: Readable): Promise<void> {
  refuseFolder(file);
  const part = `${file}.part`;
  const existsMessage = `${file} cannot be written: it is there already.`;
  if (existsSync(file)) throw new Error(existsMessage);
  let inode: number | undefined;
  let release = (): void => undefined;
  try {
    rmSync(part, { force: true });
    const target = createWriteStream(part, { flags: "wx", mode: FILE_MODE, flush: true });
    target.once("open", (descriptor) => {
      inode = fstatSync(descriptor).ino;
      release = noteUnfinished([part]);
    });
    await pipeline(lines, target);
    if (statSync(part).ino !== inode) throw new Error(`Another dump into ${file} has begun; this one was stopped.`);
    if (!publishFile(part, file)) throw new Error(existsMessage);
  } catch (error) {
    if (inode !== undefined && statSync(part, { throwIfNoEntry: false })?.ino === inode) rmSync(part);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`${file} cannot be written: ${message}.`, { cause: error });
  } finally {
    release();
  }
}
