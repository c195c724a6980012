/** Resolution of ids of a vocabulary: successors, aliases, and ids in another case. */
import type { CurrentTerm, TermContent } from "../term.js";

/** The result of a resolution. `moved`: the id is an alias or was replaced. */
export type Resolved<Row> = { readonly kind: "found"; readonly row: Row; readonly moved: boolean } | typeof GONE;

const GONE = { kind: "gone" } as const;

/** Successors that form a circle. */
const CIRCLE = { kind: "circle" } as const;

type Followed<Row> = Resolved<Row> | typeof CIRCLE | undefined;

/** Look-ups of ids in a vocabulary. */
export interface IdLookup<Row> {
  /** Returns the term with exactly this id. */
  exact(id: string): Row | undefined;
  /** Returns the successor of a deleted id, null if it has none; undefined if the id was not deleted. */
  successorOfGone(id: string): string | null | undefined;
  /** Returns the id of a declared alias. */
  alias(id: string): string | undefined;
  /** Returns the best term whose id differs only in case. */
  variant(id: string): Row | undefined;
}

/**
 * Resolves an id to the current term: follows successors (a term whose successor does not exist stands for itself),
 * deleted ids, aliases, and ids in another case if there is no exact match.
 */
export function followId<Row extends { readonly successor: string | null }>(
  id: string,
  lookup: IdLookup<Row>,
): Resolved<Row> | undefined {
  const visited = new Set<string>();
  const follow = (next: string): Followed<Row> => {
    if (visited.has(next)) return CIRCLE;
    visited.add(next);
    const exact = lookup.exact(next);
    if (exact !== undefined) return current(exact);
    const successor = lookup.successorOfGone(next);
    if (successor !== undefined) return successor === null ? GONE : asMoved(follow(successor), GONE);
    const alias = lookup.alias(next);
    if (alias !== undefined && alias !== next) return asMoved(follow(alias), undefined);
    const variant = lookup.variant(next);
    return variant && current(variant);
  };
  const current = (row: Row): Followed<Row> => {
    const itself = { kind: "found", row, moved: false } as const;
    return row.successor === null ? itself : asMoved(follow(row.successor), itself);
  };
  const resolved = follow(id);
  if (resolved?.kind !== "circle") return resolved;
  const row = lookup.exact(id);
  return row === undefined ? GONE : { kind: "found", row, moved: false };
}

/** Marks a target as reached by another id. @param instead the result if the target is not a term */
function asMoved<Row>(target: Followed<Row>, instead: Resolved<Row> | undefined): Followed<Row> {
  if (target?.kind === "found") return { ...target, moved: true };
  return target === CIRCLE ? CIRCLE : (instead ?? target);
}

/** A step of a chain of successors; `content` is absent if the term was deleted or cannot be read. */
export interface CitedStep {
  readonly content?: TermContent | undefined;
  /** The `@v` of the term. */
  readonly version?: string | undefined;
  readonly successor: string | null;
}

/**
 * Follows a cited id to its last existing successor. Ids are exact, because records never contain aliases. The names of
 * each step are collected, so that a record can still be found by the words with which it was written.
 */
export function followCited(cited: string, stepAt: (id: string) => CitedStep): CurrentTerm | undefined {
  const visited = new Set([cited]);
  const contents: TermContent[] = [];
  let version: string | undefined;
  let first: string | undefined;
  let isCircle = false;
  for (let at: string | null = cited; at !== null; ) {
    const step: CitedStep = stepAt(at);
    const { content, successor } = step;
    if (content !== undefined) contents.push(content);
    version = step.version ?? version;
    first ??= version;
    isCircle = successor !== null && visited.has(successor);
    if (successor !== null && !isCircle) visited.add(successor);
    at = isCircle ? null : successor;
  }
  const [, ...successors] = visited;
  if (contents.length === 0 && successors.length === 0) return undefined;
  const present = isCircle ? first : version;
  return {
    id: isCircle ? cited : (contents.at(-1)?.id ?? cited),
    successors,
    ...(present === undefined ? {} : { version: present }),
    titles: contents.map(({ title }) => title),
    names: contents.flatMap(({ synonyms = [] }) => synonyms.map(({ name }) => name)),
  };
}

/**
 * Returns the last existing successor of a term, which is suggested instead of it; undefined if it has none, none
 * exists, or they form a circle.
 * @param successorOf returns the direct successor of a term if it exists
 */
export function lastSuccessor<Row extends { readonly id: number }>(
  item: Row,
  successorOf: (item: Row) => Row | undefined,
): Row | undefined {
  const visited = new Set([item.id]);
  let last = item;
  for (let next = successorOf(item); next !== undefined; next = successorOf(next)) {
    if (visited.has(next.id)) return undefined;
    visited.add(next.id);
    last = next;
  }
  return last === item ? undefined : last;
}
