/** What must hold for a write, and what makes it safe to send it again. */
export interface Conditions {
  /** The revision that the client saw (`If-Match`); of several, one must be the current one. */
  readonly revision?: number | readonly number[];
  readonly once?: Once;
}

/** An `Idempotency-Key`: the same request again gets the first answer. */
export interface Once {
  readonly key: string;
  /** Hex SHA-256 of method, path and body: what was asked. */
  readonly request: string;
}
