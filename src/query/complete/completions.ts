/** Completions of a query text: names of fields, units and operators. */

import { cleanUnit, type Unit, type Units } from "../../core/catalog/units.js";
import type { Field, FieldLookup } from "../fields/field-meanings.js";
import { dimensionsOf } from "../fields/field-type.js";
import type { Span } from "../parse/parts.js";
import { quote } from "../parse/print.js";
import { analyse } from "../text/analyse.js";
import type { Typed, TypedName, TypedUnit } from "./typed.js";

type CompletionKind = "field" | "value" | "term" | "unit" | "operator";

/** A text that can be put in place of a piece of the query. */
export interface Completion extends Span {
  readonly kind: CompletionKind;
  readonly insert: string;
  readonly label: string;
  readonly detail?: string;
}

/** A name of the query language, as people choose it. */
interface KnownName {
  readonly id: string;
  readonly label: string;
  readonly aliases: readonly string[];
  readonly example?: string;
}

/** What names may be completed to. */
export interface Names {
  readonly fields: FieldLookup;
  /** Those that may stand outside of all groups. */
  readonly known: readonly KnownName[];
  labelOf(name: string, field: Field): string;
}

/** Names of fields that begin as what is typed does, by their name, an alias, or a word of their label. */
export function completeName(typed: TypedName, outer: Field | undefined, names: Names): readonly Completion[] {
  const text = typed.text.toLowerCase();
  const ranked = namesAt(typed, outer, names).flatMap((name) => {
    const rank = rankOf(name, text);
    return rank === undefined ? [] : [{ name, rank }];
  });
  const { from, to } = typed;
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .map(({ name: { id, label, example } }) => {
      return {
        kind: "field",
        insert: `${id}:`,
        from,
        to,
        label,
        ...(example === undefined ? {} : { detail: example }),
      };
    });
}

/** Undefined where nothing of the name begins so. @param text in lower case */
function rankOf({ id, label, aliases }: KnownName, text: string): number | undefined {
  const ways: readonly (readonly string[])[] = [[id], aliases, [label, ...label.split(/\s+/u)]];
  const rank = ways.findIndex((some) => some.some((name) => name.toLowerCase().startsWith(text)));
  return rank < 0 ? undefined : rank;
}

function namesAt({ base }: TypedName, outer: Field | undefined, names: Names): readonly KnownName[] {
  const { fields, known } = names;
  const named = (field: Field, prefix: string): readonly KnownName[] =>
    childrenOf(field).flatMap((child): readonly KnownName[] => {
      const id = prefix + child;
      const found = fields.find(id, outer);
      return found === undefined ? [] : [{ id, label: names.labelOf(id, found), aliases: [child] }];
    });
  if (base !== undefined) return named(base.field, `${base.name}.`);
  if (outer === undefined) return known;
  const isInside = ({ id }: KnownName): boolean =>
    fields.find(id, outer)?.meanings.some(({ leaves }) => leaves.length > 0) === true;
  const own = named(outer, "");
  return [...own, ...known.filter((name) => isInside(name) && !own.some(({ id }) => id === name.id))];
}

/** Names right below a field. */
function childrenOf({ meanings }: Field): readonly string[] {
  const names = meanings.flatMap(({ path, leaves }) =>
    leaves.flatMap((leaf) => (leaf.path.startsWith(`${path}.`) ? leaf.path.slice(path.length + 1).split(".")[0]! : [])),
  );
  return [...new Set(names)];
}

/** Units of the field's dimensions that begin as what is typed does. */
export function completeUnit({ field, text, from, to }: TypedUnit, units: Units): readonly Completion[] {
  const dimensions = new Set(dimensionsOf(field.meanings));
  const typed = cleanUnit(text).toLowerCase();
  // Where any unit may stand, the canonical ones are enough to begin with.
  const isUsual = ({ name, dimension }: Unit): boolean =>
    dimensions.size > 0
      ? dimensions.has(dimension)
      : typed !== "" || units.dimensions.get(dimension)?.canonical === name;
  return [...units.units.values()]
    .filter((unit) => isUsual(unit) && cleanUnit(unit.name).toLowerCase().startsWith(typed))
    .map(({ name, dimension }) => {
      // Where the unit would be read as a part of the number, a blank keeps them apart.
      const insert = text === "" && /^[\d./+-]|^e\d/iu.test(name) ? ` ${name}` : name;
      return {
        kind: "unit",
        insert,
        from,
        to,
        label: name,
        detail: units.dimensions.get(dimension)?.title ?? dimension,
      };
    });
}

const OPERATORS = { AND: "both", OR: "either", NOT: "without" } as const;

/** Operators that may stand here; in capitals, as they must be typed. @param next what follows in the query */
export function completeOperator(typed: NonNullable<Typed["operator"]>, next: string): readonly Completion[] {
  const { from, to, text, isAfterOperand } = typed;
  return Object.entries(OPERATORS)
    .filter(([operator]) => operator.startsWith(text) && (isAfterOperand || (operator === "NOT" && text !== "")))
    .map(([operator, detail]) => {
      return {
        kind: "operator",
        insert: /^\s/u.test(next) ? operator : `${operator} `,
        from,
        to,
        label: operator,
        detail,
      };
    });
}

/** A value as it is written after the colon of a field. */
export function valueText(value: string): string {
  return /^[\p{L}\p{N}]+$/u.test(value) && !/^(?:AND|OR|NOT|TO)$/u.test(value) ? value : quote(value);
}

/** Do some texts have all words that are typed, the last one as a beginning? */
export function matchesTyped(typed: string, ...texts: readonly string[]): boolean {
  const words = texts.flatMap((text) => analyse(text));
  const asked = analyse(typed);
  const last = asked.pop() ?? "";
  return asked.every((word) => words.includes(word)) && words.some((word) => word.startsWith(last));
}
