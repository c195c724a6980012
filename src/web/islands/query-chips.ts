import type { QueryPart, QueryWarning } from "../../client/query-text.js";
import { SCRIPT_WORDS } from "../words/script-en.js";
import { added } from "./island.js";

const words = SCRIPT_WORDS.query;

/** What the chips of a query do. Places are told in code points. */
interface ChipActions {
  /** Selects the characters of a part. */
  readonly select: (part: QueryPart) => void;
  readonly remove: (part: QueryPart) => void;
  /** Takes this text as the query. */
  readonly take: (q: string) => void;
}

/** How a query was read, part by part. */
export function chipsOf(parts: readonly QueryPart[], actions: ChipActions): HTMLElement {
  const line = added("p", { class: "read-parts" });
  line.append(word(words.readAs), ...parts.flatMap((part) => [" ", chipOf(part, actions)]));
  return line;
}

function chipOf(part: QueryPart, actions: ChipActions): Node {
  if (part.kind === "operator") return word(words.operators[part.operator ?? "+"]);
  if (part.kind === "group") return groupOf(part, actions);
  const read = added("button", { type: "button", title: part.text }, textOf(part));
  read.addEventListener("click", () => actions.select(part));
  const remove = added("button", { type: "button", "aria-label": words.remove(part.text) }, "×");
  remove.addEventListener("click", () => actions.remove(part));
  const chip = added("span", { class: part.kind === "dropped" ? "part dropped" : "part" }, read);
  if (part.total !== undefined) chip.append(word(words.count(part.total)));
  chip.append(remove);
  return chip;
}

function groupOf(part: QueryPart, actions: ChipActions): HTMLElement {
  const group = added("span", { class: "part-group" });
  if (part.element !== undefined) group.append(word(words.oneOf(part.label ?? part.field ?? "")));
  group.append("(", ...(part.parts ?? []).flatMap((inner) => [" ", chipOf(inner, actions)]), " )");
  return group;
}

/** What was read, with names in place of ids and the unit that numbers are compared in. */
function textOf({ kind, text, label, match, value, bounds, canonical, term }: QueryPart): string {
  const name = label === undefined ? "" : `${label} `;
  if (kind === "quantity" || kind === "range") {
    const written = (bounds ?? []).map(({ op, value: number, unit = "" }) => `${op} ${number} ${unit}`.trim());
    const unit = bounds?.find((bound) => bound.unit !== undefined)?.unit;
    const ends = [canonical?.from, canonical?.to].filter((end) => end !== undefined);
    const isConverted = canonical?.unit !== undefined && unit !== undefined && unit !== canonical.unit;
    return `${name}${written.join(words.and)}${isConverted ? ` = ${ends.join(" – ")} ${canonical.unit}` : ""}`;
  }
  if (match === "exists") return words.has(label ?? text);
  if (kind === "term") return `${name}${match === "within" ? words.within : ""}${term?.title ?? value ?? text}`;
  if (kind === "field") return `${name}${quoted(value ?? text)}`;
  return quoted(text.replaceAll('"', ""));
}

const quoted = (text: string): string => `“${text}”`;

/** What was read otherwise than it was written, with queries to send instead. */
export function warningsOf(warnings: readonly QueryWarning[], { take }: ChipActions): readonly HTMLElement[] {
  return warnings.map(({ code, message, value, cures = [] }) => {
    // The page does not search until the number has a unit. It offers the units below, too.
    const isUnitMissing = code === "QUERY_UNIT_MISSING" && cures.length > 0;
    const text = isUnitMissing ? words.unitNeeded(String(value)) : message.replaceAll("`", "");
    const line = added("p", { class: isUnitMissing ? "warning unit-missing" : "warning" }, text);
    for (const { label, q } of cures) {
      const cure = added("button", { type: "button", class: "quiet", title: q }, label);
      cure.addEventListener("click", () => take(q));
      line.append(" ", cure);
    }
    return line;
  });
}

const word = (text: string): HTMLElement => added("span", { class: "soft" }, text);
