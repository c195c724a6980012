import type { ChangePage, ChangePageRequest, ChangePlace } from "../core/feed/feed.js";

export interface ChangeReader {
  /** Takes the same time wherever the place is. @throws CHANGE_CURSOR_GONE where the place is none of this store */
  page(request: ChangePageRequest): Promise<ChangePage>;
  /** Returns the place after the last public change. Quick: it is read many times a second. */
  head(): Promise<ChangePlace>;
}
