/** Wall time. A dependency, so that tests can set it. */
export interface Clock {
  /** Microseconds since 1970 UTC; need not be monotonic. */
  nowMicros(): number;
}

/** Randomness for ids and tokens: cryptographically strong in the service, seeded in tests. */
export interface Random {
  bytes(count: number): Uint8Array;
}
