/** The rows in which all data of a store are copied to another one, independent of the engine. */

/**
 * Kinds of rows in the order of a store dump, with the names of their values. The values of the key come first, and
 * the rows of a kind are sorted by key. Texts such as `json` and `title` are JSON as stored. The numbers of imports and
 * loads come before the terms, because a store that assigns its own numbers must know them. `counter` has the last
 * number of users, tokens, audit entries, webhooks, deliveries and records, because numbers of deleted ones are never
 * reused.
 */
export const STORE_ROWS = {
  counter: ["name", "last"],
  user: ["id", "name", "role", "created", "disabled"],
  token: ["id", "user", "name", "scopes", "digest", "created", "expires", "revoked", "last_used", "parent"],
  change: ["seq", "time", "kind", "action", "place", "id", "state", "revision", "shown"],
  change_term: ["import", "n", "id", "action", "revision"],
  term_source: ["vocabulary", "name", "bit"],
  term_load: ["id", "vocabulary", "source", "time"],
  term: ["vocabulary", "ext", "parent", "title", "rest", "created", "revision", "sources"],
  redirect: ["vocabulary", "ext", "successor"],
  life: ["vocabulary", "ext", "revision", "state", "successor"],
  term_history: ["id", "vocabulary", "ext", "revision", "action", "load", "time", "user", "who", "changes"],
  authority_dump: ["vocabulary", "authority", "release", "file", "sha256", "bytes", "loaded"],
  record: ["row", "json"],
  tombstone: ["id", "parent", "model", "owner", "version", "revision", "removed", "json"],
  taken: ["id", "revision"],
  access: ["pid", "user", "permission", "created"],
  imported: ["model", "owner", "key", "pid", "digest"],
  answer: ["token", "key", "request", "time", "outcome"],
  audit: [
    "id",
    "time",
    "user",
    "token",
    "who",
    "action",
    "kind",
    "place",
    "target",
    "revision",
    "whom",
    "outcome",
    "times",
  ],
  webhook: ["id", "url", "secret", "filter", "created", "place", "delivered", "failed", "error"],
  delivery: ["id", "webhook", "seq", "entry", "subject", "change", "state", "attempts", "due", "error", "failed"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Kinds of rows that a counter numbers. */
export const COUNTERS = ["audit", "delivery", "record", "token", "user", "webhook"] as const;

export type StoreRowKind = keyof typeof STORE_ROWS;

export const STORE_ROW_KINDS = Object.keys(STORE_ROWS) as readonly StoreRowKind[];

export type StoreValue = string | number | null;

/** A batch of rows of one kind, with values in the order of `STORE_ROWS`. */
export interface StoreRows {
  readonly kind: StoreRowKind;
  readonly rows: readonly (readonly StoreValue[])[];
}
