import type { Field, FieldLookup } from "../fields/field-meanings.js";
import type { Scope } from "./frame.js";

/** A field by the name that was typed. */
export interface Named {
  readonly name: string;
  readonly field: Field;
}

/** A field, and what says that descendants are meant too. Among terms `within` alone is about the items themselves. */
const WITHIN = /^(.+)\.within$/u;

/** A name of a field. The lookup of labels ignores signs, but in queries they are operators, brackets and bounds. */
const NAME = /^[\p{L}\p{N}_\u2206][^\s()":\\*?^~[\]{}<>=≤≥]*$/u;

/** The field that a name stands for in a bracket. */
export function findNamed(name: string, { name: around, outer }: Scope, fields: FieldLookup): Named | undefined {
  if (!NAME.test(name)) return undefined;
  const names = around === undefined ? [name] : [`${around}.${name}`, name];
  for (const candidate of names) {
    const field = fields.find(candidate, outer);
    if (field !== undefined) return { name: candidate, field };
  }
  return undefined;
}

/** As `findNamed`, and by a name that says that descendants are meant too: `organism.within`. */
export function findWithin(
  name: string,
  scope: Scope,
  fields: FieldLookup,
): (Named & { readonly within: boolean }) | undefined {
  const named = findNamed(name, scope, fields);
  if (named !== undefined) return { ...named, within: false };
  const base = fields.isTerms && /^within$/iu.test(name) ? "id" : WITHIN.exec(name)?.[1];
  const above = base === undefined ? undefined : findNamed(base, scope, fields);
  return above && { ...above, within: true };
}
