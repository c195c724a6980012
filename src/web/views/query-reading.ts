import type { QueryPart } from "../../core/answers/query-text.js";
import { findUnit, type Units } from "../../core/units/units.js";
import { isPlainQuery, partText } from "../notation/query-parts.js";
import { plainText } from "../notation/rich-text.js";
import { unitLabel } from "../notation/unit-choice.js";
import { SCRIPT_WORDS } from "../words/script-en.js";
import type { SearchAddress } from "./page-addresses.js";

/** A part of a query as a page shows it. */
export interface ReadingPart {
  readonly kind: "part" | "dropped" | "operator" | "group";
  /** The interpretation of the part; for a group, the list of which one element must match. */
  readonly text: string;
  /** Address of the search without this part. Absent if it cannot be removed alone. */
  readonly without?: string | undefined;
  /** Parts of a group. */
  readonly parts: readonly ReadingPart[];
}

/** Joins a part with the operator that negates it: without the part, the operator goes, too. */
const withNegations = (parts: readonly ReadingPart[]): readonly ReadingPart[] =>
  parts.flatMap((part, i): readonly ReadingPart[] => {
    const isNegation = ({ kind, text }: ReadingPart): boolean => kind === "operator" && text === "NOT";
    const [previous, next] = [parts[i - 1], parts[i + 1]];
    if (isNegation(part) && next?.kind === "part") return [];
    const isNegated = part.kind === "part" && previous !== undefined && isNegation(previous);
    return [isNegated ? { ...part, text: `${SCRIPT_WORDS.query.operators.NOT} ${part.text}` } : part];
  });

/** Returns how a page shows a query. Empty if the query is only words. */
export function queryReading(
  parts: readonly QueryPart[],
  address: SearchAddress,
  units: Units | undefined,
): readonly ReadingPart[] {
  const unitText = (unit: string): string =>
    plainText(unitLabel(units, (units && findUnit(units, unit)?.name) ?? unit));
  const read = (part: QueryPart): ReadingPart => {
    const { kind, element, field, label, operator, without } = part;
    const shared = {
      without: without === undefined ? undefined : String(address.with("q", without)),
      parts: withNegations((part.parts ?? []).map(read)),
    };
    if (kind === "operator") return { ...shared, kind, text: operator ?? "+" };
    if (kind === "group") return { ...shared, kind, text: element === undefined ? "" : (label ?? field ?? "") };
    return { ...shared, kind: kind === "dropped" ? kind : "part", text: partText(part, unitText) };
  };
  return isPlainQuery(parts) ? [] : withNegations(parts.map(read));
}
