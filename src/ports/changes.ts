import type { ChangePage, ChangePageRequest, ChangePlace, PublicPart } from "../core/feed/feed.js";

/** The public change feed of a store. */
export interface ChangeReader {
  /** Takes the same time for every place. @throws CHANGE_CURSOR_GONE if the place does not belong to this store */
  page(request: ChangePageRequest): Promise<ChangePage>;
  /** Returns the place after the last public change. Fast, because it is called many times per second. */
  head(): Promise<ChangePlace>;
}

/**
 * Checks whether an answer that was made from public data is still current. It sees commits of all processes, and is
 * synchronous because it runs before each request that may be answered from memory.
 */
export interface PublicChanges {
  /**
   * Reads the commits until now.
   * @returns the current moment: a number that increases with each commit
   */
  look(): number;
  /** Are these parts unchanged since a moment, as of the last look? */
  areSame(parts: readonly PublicPart[], since: number): boolean;
}
