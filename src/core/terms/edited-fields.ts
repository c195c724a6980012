import type { FieldChange, EditedField as PublicEdit } from "../answers/term-answers.js";

/** A field of a term whose value is from a person, not from the source of the term. */
export interface EditedField extends PublicEdit {
  /** Name of the curator; `operator` for the command line. */
  readonly by: string;
}

/** A change of a term with its origin. */
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
 * Returns the fields that a person changed last. The initial values of a term do not count as changes.
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

/** Maximum length of a described value in UTF-16 units. */
const VALUE_LENGTH_MAX = 100;

/** Describes the change of a field: `parent: "taxid:561" -> none`. */
export const describeChange = ({ field, from, to }: FieldChange): string =>
  `${field}: ${valueText(from)} -> ${valueText(to)}`;

function valueText(value: unknown): string {
  if (value === undefined) return "none";
  const text = JSON.stringify(value);
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
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

/** Fields that depend on each other: an active term has no successor. */
const STATUS_FIELDS: readonly string[] = ["status", "replaced_by"];

/** Returns the edit of a person that protects a field: of the field itself, or of one that depends on it. */
export const isEdited = (edited: ReadonlyMap<string, EditedField>, field: string): EditedField | undefined =>
  edited.get(field) ??
  (STATUS_FIELDS.includes(field) ? STATUS_FIELDS.map((name) => edited.get(name)).find(Boolean) : undefined);

/**
 * Kinds of changes of an existing term by a load. `merged`: it gets a successor. `withdrawn`: it is deprecated without
 * a successor. `renamed`: a title changes, possibly with other fields.
 */
export const LOAD_KINDS = ["merged", "withdrawn", "renamed", "changed"] as const;
export type LoadKind = (typeof LOAD_KINDS)[number];

/** Returns the first kind that applies. */
export function loadKind(fields: readonly FieldChange[]): LoadKind {
  const to = (name: string): FieldChange["to"] => fields.find(({ field }) => field === name)?.to;
  if (to("replaced_by") !== undefined) return "merged";
  if (to("status") === "deprecated") return "withdrawn";
  return fields.some(({ field }) => field.startsWith("title.")) ? "renamed" : "changed";
}
