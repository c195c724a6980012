/** Where ids of a vocabulary lead: to what replaced them, to what an alias names, to what is written otherwise. */
import type { TermContent, TermNow } from "../term.js";

/** What an id leads to. `moved`: it is an alias, or another id replaced it. */
export type Resolved<Row> = { readonly kind: "found"; readonly row: Row; readonly moved: boolean } | typeof GONE;

const GONE = { kind: "gone" } as const;

/** Successors that lead back to where they began. */
const CIRCLE = { kind: "circle" } as const;

type Followed<Row> = Resolved<Row> | typeof CIRCLE | undefined;

/** How ids are looked up in a vocabulary. */
export interface IdLookup<Row> {
  /** The item with exactly this id. */
  exact(id: string): Row | undefined;
  /** Of an id that was deleted the one that replaced it, null where none did; undefined: it was not deleted. */
  successorOfGone(id: string): string | null | undefined;
  /** What a declared alias stands for. */
  alias(id: string): string | undefined;
  /** The best item whose id differs in capitals only. */
  variant(id: string): Row | undefined;
}

/**
 * Follows an id to the item that stands for it now: replaced ids to their successors (an item whose successor is not
 * there stands for itself), ids that were deleted, aliases, and ids in other capitals where the exact one is not there.
 */
export function followId<Row extends { readonly successor: string | null }>(
  id: string,
  lookup: IdLookup<Row>,
): Resolved<Row> | undefined {
  const seen = new Set<string>();
  const follow = (asked: string): Followed<Row> => {
    if (seen.has(asked)) return CIRCLE;
    seen.add(asked);
    const exact = lookup.exact(asked);
    if (exact !== undefined) return current(exact);
    const successor = lookup.successorOfGone(asked);
    if (successor !== undefined) return successor === null ? GONE : moved(follow(successor), GONE);
    const alias = lookup.alias(asked);
    if (alias !== undefined && alias !== asked) return moved(follow(alias), undefined);
    const variant = lookup.variant(asked);
    return variant && current(variant);
  };
  const current = (row: Row): Followed<Row> => {
    const itself = { kind: "found", row, moved: false } as const;
    return row.successor === null ? itself : moved(follow(row.successor), itself);
  };
  const found = follow(id);
  if (found?.kind !== "circle") return found;
  const row = lookup.exact(id);
  return row === undefined ? GONE : { kind: "found", row, moved: false };
}

/** @param instead where the target is no item */
function moved<Row>(target: Followed<Row>, instead: Resolved<Row> | undefined): Followed<Row> {
  if (target?.kind === "found") return { ...target, moved: true };
  return target === CIRCLE ? CIRCLE : (instead ?? target);
}

/** What stands under an id or stood there; `content` is absent where it is gone or cannot be read. */
export interface CitedStep {
  readonly content?: TermContent;
  /** The `@v` of what is there. */
  readonly version?: string;
  readonly successor: string | null;
}

/**
 * Follows a cited id to its last successor that is there. Ids are exact: what a record holds is never an alias. Names
 * of each step count: a record stays findable by the words under which it was written.
 */
export function followCited(cited: string, stepAt: (id: string) => CitedStep): TermNow | undefined {
  const passed = new Set([cited]);
  const found: TermContent[] = [];
  let version: string | undefined;
  let first: string | undefined;
  let isCircle = false;
  for (let at: string | null = cited; at !== null; ) {
    const step: CitedStep = stepAt(at);
    const { content, successor } = step;
    if (content !== undefined) found.push(content);
    version = step.version ?? version;
    first ??= version;
    isCircle = successor !== null && passed.has(successor);
    if (successor !== null && !isCircle) passed.add(successor);
    at = isCircle ? null : successor;
  }
  const [, ...successors] = passed;
  if (found.length === 0 && successors.length === 0) return undefined;
  const present = isCircle ? first : version;
  return {
    id: isCircle ? cited : (found.at(-1)?.id ?? cited),
    successors,
    ...(present === undefined ? {} : { version: present }),
    titles: found.map(({ title }) => title),
    names: found.flatMap(({ synonyms = [] }) => synonyms.map(({ name }) => name)),
  };
}

/**
 * The last of an item's successors that there are, which is offered in its place; undefined where it stands for itself:
 * it has none, none is there, or they lead in a circle.
 * @param successorOf the item that replaced one, where it is there
 */
export function lastSuccessor<Row extends { readonly id: number }>(
  item: Row,
  successorOf: (item: Row) => Row | undefined,
): Row | undefined {
  const passed = new Set([item.id]);
  let last = item;
  for (let next = successorOf(item); next !== undefined; next = successorOf(next)) {
    if (passed.has(next.id)) return undefined;
    passed.add(next.id);
    last = next;
  }
  return last === item ? undefined : last;
}
