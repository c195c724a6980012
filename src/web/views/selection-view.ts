import type { Query } from "../../http/parameters/query-string.js";

/** The records that a reader has ticked: `sel=<id>,...` of the address. */
export interface SelectionView {
  readonly ids: ReadonlySet<string>;
  /** Those of them that are on other pages of the search. */
  readonly elsewhere: readonly string[];
}

/** As many as an address has room for. */
const SELECTED_MAX = 50;

/** @param shown ids of the records of the page */
export function selectionView(query: Query, shown: readonly string[]): SelectionView {
  const sent = (query.get("sel") ?? []).flatMap((text) => text.split(",")).map((id) => id.trim().toLowerCase());
  const ids = new Set(sent.filter((id) => id !== "").slice(0, SELECTED_MAX));
  return { ids, elsewhere: [...ids].filter((id) => !shown.includes(id)) };
}
