import type { FieldChange } from "../catalog/merge-term.js";

/** A field of a term whose value is from a person, not from the source of the term. */
export interface EditedField {
  /** As in `FieldChange`. */
  readonly field: string;
  /** Name of the curator; `operator`: somebody at the command line. */
  readonly by: string;
  /** ISO 8601 UTC. */
  readonly time: string;
}

/** How one change of a term came about. */
export interface TermChange {
  readonly isLoad: boolean;
  /** Name of the loaded source, if a load made this change and its source has a name. */
  readonly source?: string;
  readonly action: string;
  readonly by: string;
  readonly time: string;
  readonly fields: readonly FieldChange[];
}

/**
 * The fields that a person changed last, by field. What the term was added with is nobody's change.
 * @param changes of one term, oldest first
 */
export function editedFields(changes: Iterable<TermChange>): ReadonlyMap<string, EditedField> {
  const edited = new Map<string, EditedField>();
  for (const { isLoad, action, by, time, fields } of changes) {
    if (action === "created") edited.clear();
    for (const { field } of action === "created" ? [] : fields) {
      if (isLoad || field === "confirmed") edited.delete(field);
      else edited.set(field, { field, by, time });
    }
  }
  return edited;
}

/** Origin of each title of a term by field (`title.en`), if the history has it. `title`: creator of the term. */
export type TitleGivers = ReadonlyMap<string, "authority" | "operator">;

/**
 * Returns the origin of each title of a term: an authority, or an operator (a person or an import).
 * @param changes of one term, oldest first
 * @param authorities names of the sources that are authorities
 */
export function titleGivers(changes: Iterable<TermChange>, authorities: readonly string[]): TitleGivers {
  const givers = new Map<string, "authority" | "operator">();
  for (const { source, action, fields } of changes) {
    const giver = source !== undefined && authorities.includes(source) ? "authority" : "operator";
    if (action === "created" || action === "removed") givers.clear();
    if (action === "created") givers.set("title", giver);
    else for (const { field } of fields) if (field.startsWith("title.")) givers.set(field, giver);
  }
  return givers;
}

/** They are one: an active term has no successor. */
const STANDING: readonly string[] = ["status", "replaced_by"];

/** Does a person's change of one field keep this one too? */
export const isEdited = (edited: ReadonlyMap<string, EditedField>, field: string): EditedField | undefined =>
  edited.get(field) ?? (STANDING.includes(field) ? STANDING.map((name) => edited.get(name)).find(Boolean) : undefined);
