import { isShared } from "../../config/derived.js";
import type { Config } from "../../config/schema.js";
import type { Catalog } from "../../core/catalog/types.js";
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
