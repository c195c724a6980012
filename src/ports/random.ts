/** Randomness for ids and tokens: cryptographically strong in the service, seeded in tests. */
export interface Random {
  bytes(count: number): Uint8Array;
}
