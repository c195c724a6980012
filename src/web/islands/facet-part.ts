import { showState } from "./live-search.js";
import { fetchPage } from "./page-change.js";

/**
 * The facet around an element as another page shows it, for lists that change alone. If there is no such page, the
 * search goes there as a whole: it says what failed, and tries again on request.
 * @returns undefined where there is none, or no one waits for it any longer
 */
export async function fetchFacet(within: Element, url: URL, signal: AbortSignal): Promise<Element | undefined> {
  const { id = "" } = within.closest(".facet") ?? {};
  try {
    const page = await fetchPage(url, signal);
    return signal.aborted ? undefined : (page.getElementById(id) ?? undefined);
  } catch {
    if (!signal.aborted) await showState(url);
    return undefined;
  }
}
