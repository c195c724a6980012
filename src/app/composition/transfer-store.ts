import { createWriteStream, existsSync, fstatSync, rmSync, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isShared } from "../../config/derived.js";
import type { Config } from "../../config/schema.js";
import type { Catalog } from "../../core/catalog/types.js";
import { FILE_MODE, noteUnfinished, publishFile } from "../../engines/files/disk-files.js";
import { refuseFolder } from "../../engines/files/explain-access.js";
import type { StoreRows } from "../../ports/store-rows.js";

/**
 * Fills the store that the configuration names, which must have nothing yet, with the rows of another one: all or
 * nothing.
 * @throws Error with a clear word where there is a store, or the catalog lacks what the rows are of; what `rows` throws
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
 * Writes the lines into `<file>.part`, which gets its name when it is whole. The dump has digests of tokens, drafts and
 * addresses: only its owner may read it.
 */
export async function writeDumpFile(file: string, lines: Readable): Promise<void> {
  refuseFolder(file);
  const part = `${file}.part`;
  const there = `${file} cannot be written: it is there already.`;
  if (existsSync(file)) throw new Error(there);
  let ours: number | undefined;
  let forget = (): void => undefined;
  try {
    rmSync(part, { force: true });
    const target = createWriteStream(part, { flags: "wx", mode: FILE_MODE, flush: true });
    target.once("open", (descriptor) => {
      ours = fstatSync(descriptor).ino;
      forget = noteUnfinished([part]);
    });
    await pipeline(lines, target);
    if (statSync(part).ino !== ours) throw new Error(`Another dump into ${file} has begun; this one is given up.`);
    if (!publishFile(part, file)) throw new Error(there);
  } catch (error) {
    if (ours !== undefined && statSync(part, { throwIfNoEntry: false })?.ino === ours) rmSync(part);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`${file} cannot be written: ${message}.`, { cause: error });
  } finally {
    forget();
  }
}
