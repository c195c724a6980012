import type { Query } from "../../http/parameters/query-string.js";
import type { SearchAddress } from "./address-of-search.js";
import { address, type Pairs } from "./paths.js";

/** The records that a reader has selected: `sel=<id>,...` of the address. */
export interface SelectionView {
  readonly ids: ReadonlySet<string>;
  /** Those of them that are on other pages of the search. */
  readonly elsewhere: readonly string[];
  /** The page that they are selected on: its path, and its parameters but for them. */
  readonly path: string;
  readonly carried: Pairs;
  /** The same page with all its records selected beside those that are; absent where all of them are. */
  readonly all?: string;
}

/** As many as an address has room for. */
const SELECTED_MAX = 50;

/** @param shown ids of the records of the page */
export function selectionView(query: Query, here: SearchAddress, shown: readonly string[]): SelectionView {
  const sent = (query.get("sel") ?? []).flatMap((text) => text.split(",")).map((id) => id.trim().toLowerCase());
  const ids = new Set(sent.filter((id) => id !== "").slice(0, SELECTED_MAX));
  const places = PLACES.flatMap((name) => (query.get(name) ?? []).map((value) => [name, value] as const));
  const carried = [...here.pairs.filter(([name]) => name !== "sel"), ...places];
  const all = [...new Set([...ids, ...shown])].slice(0, SELECTED_MAX);
  return {
    ids,
    elsewhere: [...ids].filter((id) => !shown.includes(id)),
    path: here.path,
    carried,
    ...(all.length === ids.size ? {} : { all: address(here.path, [...carried, ["sel", all.join(",")]]) }),
  };
}

/** Which page of the search it is. */
const PLACES = ["page", "p", "cursor"];
