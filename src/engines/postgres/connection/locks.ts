import type { Sql } from "./sql.js";

/** What is locked by its name: whatever of it was read stays true until the transaction ends. */
type LockKind = "answer" | "owner" | "quota" | "repair" | "term" | "vocabulary";

/** Locks of one transaction. A name is asked for once: what is locked stays so. */
export interface Locks {
  /** Nobody else may have it, or (`shared`) nobody who wants it alone. */
  take(kind: LockKind, name: string, mode?: "alone" | "shared"): Promise<void>;
  /** Locks all records, drafts and tombstones under the parent of this id, or the id where nothing has it yet. */
  family(id: string): Promise<void>;
}

const ALONE = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
const SHARED = "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))";

export function makeLocks(sql: Sql): Locks {
  const taken = new Set<string>();
  const once = async (name: string, statement: string, value: string): Promise<void> => {
    if (taken.has(name)) return;
    await sql.row(statement, [value]);
    taken.add(name);
  };
  return {
    take: (kind, name, mode = "alone") =>
      once(`${mode} ${kind} ${name}`, mode === "alone" ? ALONE : SHARED, `${kind} ${name}`),
    family: async (id) => {
      if (taken.has(`family ${id}`)) return;
      const { family } = (await sql.row<{ readonly family: string }>("SELECT lock_family($1) AS family", [id]))!;
      // Whoever read a record asks for its parent next.
      for (const name of [id, family]) taken.add(`family ${name}`);
    },
  };
}
