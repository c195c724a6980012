import type { ImportKeeper, ImportReader } from "../../../ports/imports.js";
import type { Db } from "../connection/database.js";
import { reading } from "../connection/map-error.js";

/** What imports made records of. */
export function makeImportReader(db: Db): ImportReader {
  const sql = "SELECT pid AS id, digest FROM imported WHERE model = ? AND owner = ? AND key = ?";
  return {
    find: ({ model, owner, key }) =>
      reading(() => db.sql<{ id: string; digest: string }>(sql).get(model, Number(owner), key)),
  };
}

/** The same within the open transaction. */
export function makeImportKeeper(db: Db): ImportKeeper {
  return {
    ...makeImportReader(db),
    keep: async ({ model, owner, key }, { id, digest }) => {
      db.sql("INSERT OR REPLACE INTO imported(model, owner, key, pid, digest) VALUES(?, ?, ?, ?, ?)").run(
        model,
        Number(owner),
        key,
        id,
        digest,
      );
    },
  };
}
