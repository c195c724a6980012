import { isSealed, type SecretBox, secretContext } from "../../files/secret-box.js";
import type { Db } from "../connection/database.js";

/** Seals the secrets of webhooks that an earlier version stored as they are, and wipes what they stood in. */
export function sealSecrets(db: Db, secrets: SecretBox): void {
  const rows = db.sql<{ id: number; url: string; secret: string }>("SELECT id, url, secret FROM webhook").all();
  const clear = rows.filter(({ secret }) => !isSealed(secret));
  if (clear.length === 0) return;
  const sealed = clear.map(({ id, url, secret }) => ({ id, secret, box: secrets.seal(secret, secretContext(url)) }));
  // What is overwritten is filled with zeros, instead of being left in the page until something else needs the room.
  const before = db.raw.pragma("secure_delete", { simple: true });
  db.raw.pragma("secure_delete = ON");
  try {
    db.raw
      .transaction(() => {
        const update = db.sql("UPDATE webhook SET secret = ? WHERE id = ? AND secret = ?");
        for (const { id, secret, box } of sealed) update.run(box, id, secret);
      })
      .immediate();
    // The log may hold the pages as they were. Where somebody reads just now it is emptied later, as ever.
    db.raw.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    db.raw.pragma(`secure_delete = ${before}`);
  }
}
