import type { ChangePage, ChangePageRequest, ChangePlace } from "../core/feed/feed.js";

export interface ChangeReader {
  /** Takes the same time wherever the place is. @throws CHANGE_CURSOR_GONE where the place is none of this store */
  page(request: ChangePageRequest): Promise<ChangePage>;
  /** The place after the last change. */
  head(): Promise<ChangePlace>;
  /** `seq` of the last change that is shown, 0 for none. Quick: it is asked again and again. */
  lastShown(): Promise<number>;
}
