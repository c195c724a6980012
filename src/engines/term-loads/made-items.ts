import { mergeTerm, patchOf } from "../../core/catalog/merge-term.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermContent, TermPatch } from "../../core/term.js";
import { contentDigest, rankOf, type TermRow } from "../../core/terms/term-row.js";
import type { TermLine } from "../../ports/store.js";
import type { CurrentItem } from "./compared-item.js";

/** An item as it is staged. */
export interface MadeItem extends Pick<TermRow, "status" | "prior" | "length" | "parent" | "successor"> {
  /** In hex: bytes are slow to pass between threads. */
  readonly hash: string;
  /** JSON of the content. */
  readonly json: string;
}

/** Why a line makes no item. */
interface NoItem {
  readonly reason: string;
}

/**
 * The line makes what was there when it was prepared, after the load had begun: what others did to the item since is
 * done after it.
 */
export interface StoredItem extends Pick<CurrentItem, "hash" | "sources"> {
  /** Where the engine has the item. */
  readonly row: number;
}

/** Stands for the patch that is all of the content, of a line whose item is new. */
export const NEW_PATCH = "";

/** All of a line that does not depend on what is stored. Plain data, which passes between threads. */
export interface PreparedLine {
  readonly line: number | null;
  readonly id: string;
  /** What the line makes where there is no item of its id. */
  readonly alone: MadeItem | NoItem | StoredItem;
  /** JSON of what the line says, or `NEW_PATCH`; null: it says the whole of the item. */
  readonly patch: string | null;
}

export function prepareLine(vocabulary: Vocabulary, item: TermContent | TermLine): PreparedLine {
  if ("prepared" in item) return item.prepared as PreparedLine;
  if ("redirect" in item) throw new Error("A redirect is no item.");
  if ("patch" in item) {
    const { line, patch, alone } = item;
    const made = alone === undefined ? madeOf(vocabulary, undefined, patch) : makeItem(vocabulary, alone);
    return { line, id: patch.id, alone: made, patch: JSON.stringify(patch) };
  }
  const [line, content] = "content" in item ? [item.line, item.content] : [null, item];
  return { line, id: content.id, alone: makeItem(vocabulary, content), patch: null };
}

/**
 * Makes the changed version of an existing term from a line of a file.
 * @param adapt changes the patch of the line before it is applied to the term
 * @returns `patch` as it is staged: JSON, `NEW_PATCH`, or null if the line contains the whole term
 */
export function lineOver(
  vocabulary: Vocabulary,
  { alone, patch }: { readonly alone: MadeItem | NoItem; readonly patch: string | null },
  old: CurrentItem,
  adapt: (old: TermContent, said: TermPatch) => TermPatch,
): { readonly made: MadeItem | NoItem; readonly patch: string | null } {
  // A line that says all of an item as it is: so it mostly is, where a file is loaded again.
  const isSame = !("reason" in alone) && alone.hash === old.hash;
  if (isSame || patch === null) return { made: alone, patch };
  const said = patch === NEW_PATCH ? patchOf(contentOfMade(alone as MadeItem)) : (JSON.parse(patch) as TermPatch);
  const content = old.content();
  const adapted = adapt(content, said);
  return { made: madeOf(vocabulary, content, adapted), patch: adapted === said ? patch : JSON.stringify(adapted) };
}

export const contentOfMade = ({ json }: MadeItem): TermContent => JSON.parse(json) as TermContent;

export function madeOf(vocabulary: Vocabulary, old: TermContent | undefined, patch: TermPatch): MadeItem | NoItem {
  const content = mergeTerm(vocabulary, old, patch);
  return "reason" in content ? content : makeItem(vocabulary, content);
}

export function makeItem(vocabulary: Vocabulary, content: TermContent): MadeItem {
  return {
    ...rankOf(content, vocabulary),
    parent: content.parent ?? null,
    successor: content.replaced_by ?? null,
    hash: contentDigest(content),
    json: JSON.stringify(content),
  };
}
