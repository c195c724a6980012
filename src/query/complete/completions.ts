/** Completions of a query text: names of fields, units and operators. */

import type { Completion as CountedCompletion } from "../../core/answers/query-text.js";
import { cleanUnit, type Unit, type Units } from "../../core/units/units.js";
import type { FieldLookup } from "../fields/field-lookup.js";
import { declaredDimensions, type SearchField } from "../fields/field-meanings.js";
import { quote } from "../parse/print.js";
import { analyse } from "../text/analyse.js";
import type { TypedName, TypedUnit, TypingContext } from "./typing-context.js";

/** Text to insert in place of a range of the query, before its hits are counted. */
export type Completion = Omit<CountedCompletion, "doc_count">;

/** Name of a field in the query language. */
interface KnownName {
  readonly id: string;
  readonly label: string;
  readonly aliases: readonly string[];
  readonly example?: string;
}

/** Field names for completion. */
export interface Names {
  readonly fields: FieldLookup;
  /** Names that can be used outside of groups. */
  readonly known: readonly KnownName[];
  /** Returns the label of a field. @param name as in the query */
  fieldLabel(name: string, field: SearchField): string;
}

/** Returns the names of fields that begin with the typed text, or have an alias or a word of the label that does. */
export function completeName(typed: TypedName, outer: SearchField | undefined, names: Names): readonly Completion[] {
  const text = typed.text.toLowerCase();
  const ranked = namesAt(typed, outer, names).flatMap((name) => {
    const rank = rankName(name, text);
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
        detail: example,
      };
    });
}

/** Returns 0, 1 or 2 if the name, an alias or the label matches; undefined if none does. @param text in lower case */
function rankName({ id, label, aliases }: KnownName, text: string): number | undefined {
  const ranks: readonly (readonly string[])[] = [[id], aliases, [label, ...label.split(/\s+/u)]];
  const rank = ranks.findIndex((texts) => texts.some((each) => each.toLowerCase().startsWith(text)));
  return rank < 0 ? undefined : rank;
}

function namesAt({ base }: TypedName, outer: SearchField | undefined, names: Names): readonly KnownName[] {
  const { fields, known } = names;
  const namesBelow = (field: SearchField, prefix: string): readonly KnownName[] =>
    childNames(field).flatMap((child): readonly KnownName[] => {
      const id = prefix + child;
      const childField = fields.find(id, outer);
      return childField === undefined ? [] : [{ id, label: names.fieldLabel(id, childField), aliases: [child] }];
    });
  if (base !== undefined) return namesBelow(base.field, `${base.name}.`);
  if (outer === undefined) return known;
  const isInside = ({ id }: KnownName): boolean =>
    fields.find(id, outer)?.meanings.some(({ leaves }) => leaves.length > 0) === true;
  const own = namesBelow(outer, "");
  return [...own, ...known.filter((name) => isInside(name) && !own.some(({ id }) => id === name.id))];
}

/** Returns the names directly below a field. */
function childNames({ meanings }: SearchField): readonly string[] {
  const names = meanings.flatMap(({ path, leaves }) =>
    leaves.flatMap((leaf) => (leaf.path.startsWith(`${path}.`) ? leaf.path.slice(path.length + 1).split(".")[0]! : [])),
  );
  return [...new Set(names)];
}

/**
 * Returns the units of a field's dimensions that begin with the typed text, in declared order.
 * @param use numbers of records by unit: those with more come first
 */
export function completeUnit(
  { field, text, from, to }: TypedUnit,
  units: Units,
  use: ReadonlyMap<string, number> = new Map(),
): readonly Completion[] {
  const dimensions = new Set(declaredDimensions(field.meanings));
  const typed = cleanUnit(text).toLowerCase();
  // If any unit is possible, only canonical units are offered until something is typed.
  const isUsual = ({ name, dimension }: Unit): boolean =>
    dimensions.size > 0
      ? dimensions.has(dimension)
      : typed !== "" || units.dimensions.get(dimension)?.canonical === name;
  return [...units.units.values()]
    .filter((unit) => isUsual(unit) && cleanUnit(unit.name).toLowerCase().startsWith(typed))
    .sort((a, b) => (use.get(b.name) ?? 0) - (use.get(a.name) ?? 0))
    .map(({ name, dimension }) => {
      // A blank separates a unit that would be read as a part of the number.
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

/** Returns the operators that are possible here, in capitals as required. @param next text after the position */
export function completeOperator(typed: NonNullable<TypingContext["operator"]>, next: string): readonly Completion[] {
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

/** Writes a value for use after the colon of a field. */
export function valueText(value: string): string {
  return /^[\p{L}\p{N}]+$/u.test(value) && !/^(?:AND|OR|NOT|TO)$/u.test(value) ? value : quote(value);
}

/** Returns whether some texts have all typed words, the last one as a prefix. */
export function matchesTyped(typed: string, ...texts: readonly string[]): boolean {
  return makeTypedTest(typed)(...texts);
}

/** Returns a function like `matchesTyped` for many texts: the typed text is analysed once. */
export function makeTypedTest(typed: string): (...texts: readonly string[]) => boolean {
  const hasTyped = makeWordsTest(typed);
  return (...texts) => hasTyped(texts.flatMap((text) => analyse(text)));
}

/** Returns a function that tests words of `analyse` like `matchesTyped`. */
export function makeWordsTest(typed: string): (words: readonly string[]) => boolean {
  const typedWords = analyse(typed);
  const last = typedWords.pop() ?? "";
  return (words) => typedWords.every((word) => words.includes(word)) && words.some((word) => word.startsWith(last));
}
