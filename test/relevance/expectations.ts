import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

/** A query as somebody types it, and the item that has to come first, or within the first three. */
export interface Expectation {
  readonly vocabulary: string;
  /** What of an item is typed: `common names`, `beginnings`. */
  readonly kind: string;
  readonly text: string;
  /** A name as it is; else the beginning of one, an abbreviation or a misspelling. */
  readonly isWhole: boolean;
  /** `suggest` as somebody types; `search` as a query that is sent. */
  readonly way: "suggest" | "search";
  /** Its id, or its title in any language. */
  readonly item: string;
  readonly within: 1 | 3;
}

const QUERIES = join(import.meta.dirname, "queries");

type Group = Readonly<Record<string, Readonly<Record<string, string | [string, 3]>>>>;

/**
 * The queries of `queries/<vocabulary>.yaml`, by kind. What is `whole` names an item as it is, and is sent as a query
 * and as a text that is being typed; what is `typed` (beginnings, abbreviations, misspellings) only as the latter.
 */
export function readExpectations(): readonly Expectation[] {
  return readdirSync(QUERIES).flatMap((file) => {
    const vocabulary = file.replace(".yaml", "");
    const groups = parse(readFileSync(join(QUERIES, file), "utf8")) as Readonly<Record<"whole" | "typed", Group>>;
    return [
      ...readGroup(groups.whole, { vocabulary, isWhole: true, way: "search" }),
      ...readGroup(groups.whole, { vocabulary, isWhole: true, way: "suggest" }),
      ...readGroup(groups.typed, { vocabulary, isWhole: false, way: "suggest" }),
    ];
  });
}

function readGroup(group: Group, common: Pick<Expectation, "vocabulary" | "isWhole" | "way">): readonly Expectation[] {
  return Object.entries(group).flatMap(([kind, queries]) =>
    Object.entries(queries).map(([text, expected]): Expectation => {
      const [item, within] = typeof expected === "string" ? [expected, 1 as const] : expected;
      return { ...common, kind, text, item, within };
    }),
  );
}
