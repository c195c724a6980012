import type { PublicPart } from "../core/feed/public-parts.js";

/**
 * Says whether what was made of public data is still what a read would make of it now. It looks at commits of every
 * process, and is synchronous: it stands before each request that may be answered from memory.
 */
export interface PublicChanges {
  /**
   * Looks at what was committed until now.
   * @returns the moment: a number that rises where anything was
   */
  look(): number;
  /** Are these parts still as they were at that moment? As of the last look. */
  areSame(parts: readonly PublicPart[], since: number): boolean;
}
