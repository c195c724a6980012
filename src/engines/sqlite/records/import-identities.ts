import type { ImportKeeper } from "../../../ports/imports.js";
import type { Db } from "../connection/database.js";

/** What imports made records of, within the open transaction. */
export function makeImports(db: Db): ImportKeeper {
  return {
    find: async ({ model, owner, key }) =>
      db
        .sql<{ id: string; digest: string }>(
          "SELECT pid AS id, digest FROM imported WHERE model = ? AND owner = ? AND key = ?",
        )
        .get(model, Number(owner), key),
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
