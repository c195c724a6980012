import type { Part } from "../parse/parts.js";

/**
 * The text without one of the parts that stand side by side in it, and without what joins or negates it: AND binds
 * tighter, so of `a OR b AND c` without b is left `a OR c`. Undefined where no other part says anything.
 */
export function withoutPart(text: string, parts: readonly Part[], index: number): string | undefined {
  const isOperand = (part: Part): boolean => part.kind === "clause" || part.kind === "group";
  const before = parts.slice(0, index);
  const after = parts.slice(index + 1);
  const previous = before.findLastIndex(isOperand);
  if (previous < 0 && !after.some(isOperand)) return undefined;
  const lead = before.slice(previous + 1).filter(({ kind }) => kind === "operator");
  const [joinBefore] = lead.filter(joins);
  const signs = lead.filter((part) => !joins(part));
  let end = parts[index]!.to;
  // A boost, for one: it belongs to what it follows.
  while (after[0]?.kind === "dropped" && after[0].from === end) end = after.shift()!.to;
  const joinAfter = after[0] !== undefined && joins(after[0]) ? after[0] : undefined;
  const isAlternative = joinBefore !== undefined && isOr(joinBefore);
  const bindsNext = after.some(isOperand) && !(joinAfter !== undefined && isOr(joinAfter));
  const goesWithNext = previous < 0 || (isAlternative && bindsNext);
  const first = (goesWithNext ? undefined : joinBefore) ?? signs[0] ?? parts[index]!;
  return joined(text.slice(0, first.from), text.slice(goesWithNext ? (joinAfter?.to ?? end) : end));
}

const isOr = (part: Part): boolean => part.kind === "operator" && part.operator === "OR";
const joins = (part: Part): boolean => part.kind === "operator" && (part.operator === "AND" || isOr(part));

/** What is left, with one blank where two words would meet; an escaped blank is none. */
function joined(before: string, after: string): string {
  const [left, right] = [before.replace(/(?<!\\)\s+$/u, ""), after.trimStart()];
  const isApart = left === "" || right === "" || left.endsWith("(") || right.startsWith(")");
  return left + (isApart ? "" : " ") + right;
}
