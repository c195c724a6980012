import { createHash } from "node:crypto";
import type { ImportedDocument, ImportKeeper, ImportReader } from "../../../ports/imports.js";
import type { Sql, SqlValue } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";

interface Known {
  readonly id: string;
  readonly digest: string;
}

const FIND = "SELECT pid AS id, digest FROM imported WHERE model = $1 AND owner = $2 AND key_hash = $3";
const INSERT = "INSERT INTO imported(model, owner, key_hash, key, pid, digest) VALUES($1, $2, $3, $4, $5, $6)";
const REPLACE = `${INSERT}
  ON CONFLICT (model, owner, key_hash) DO UPDATE SET pid = excluded.pid, digest = excluded.digest`;

/** A key is a text of a document, and may be longer than what an index takes. */
export const keyHash = (key: string): string => createHash("sha256").update(key).digest("hex");

const nameOf = ({ model, owner, key }: ImportedDocument): readonly [string, number, string] => [
  model,
  Number(owner),
  keyHash(key),
];

/** What imports made records of. */
export function makeImportReader(sql: Sql): ImportReader {
  return { find: (document) => sql.row<Known>(FIND, nameOf(document)) };
}

/** The same within an open transaction: a document that was found, or was not there, stays so until it ends. */
export function makeImportKeeper({ sql }: OpenTransaction): ImportKeeper {
  const missing = new Set<string>();
  return {
    find: async (document) => {
      const known = await sql.row<Known>(`${FIND} FOR UPDATE`, nameOf(document));
      if (known === undefined) missing.add(nameOf(document).join(" "));
      return known;
    },
    keep: async (document, { id, digest }) => {
      const name = nameOf(document);
      const values: readonly SqlValue[] = [...name, document.key, id, digest];
      // Of two transactions that missed one document, the second violates the key, and is run again.
      const wasMissing = missing.delete(name.join(" "));
      await sql.run(wasMissing ? INSERT : REPLACE, values);
    },
  };
}
