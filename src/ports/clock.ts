/** Wall time. A dependency, so that tests decide what time it is. */
export interface Clock {
  /** Microseconds since 1970 UTC; need not be monotonic. */
  nowMicros(): number;
}
