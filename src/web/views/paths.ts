import { encodeSegment, encodeText } from "../../http/parameters/percent.js";

/** Parameters of an address, in their order. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** An address below the root: a path and its parameters. Those without a value are left out. */
export function address(path: string, pairs: Pairs = []): string {
  const query = pairs.map(([name, value]) => `${encodeText(name)}=${encodeText(value).replaceAll("%20", "+")}`);
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** The page of a record by its id alone: what citations lead to. */
export const recordPath = (id: string): string => `records/${encodeSegment(id)}`;

export const termPath = (vocabulary: string, id: string): string =>
  `vocabularies/${encodeSegment(vocabulary)}/${encodeSegment(id)}`;

/** The records that cite a term. */
export const citationsPath = (vocabulary: string, id: string): string => `${termPath(vocabulary, id)}/citations`;

export const searchPath = (model: string | undefined): string => (model === undefined ? "search" : `records/${model}`);

/** A term in the tree of its vocabulary. */
export const treePath = (vocabulary: string, id: string): string =>
  address(`vocabularies/${vocabulary}`, [
    ["view", "tree"],
    ["at", id],
  ]);
