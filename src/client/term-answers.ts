/** What the service answers of items of vocabularies, and what it takes of them. */
import type { Highlight, Warning } from "./answers.js";
import type { Titles } from "./models/citations.js";

/** An item of a vocabulary. */
export interface Term<Props = Record<string, unknown>> {
  readonly id: string;
  /** Name of the vocabulary. */
  readonly type: string;
  readonly title: Titles;
  readonly props: Props;
  /** Version marker: `<uuid>::<revision>`. */
  readonly "@v": string;
  readonly created: string;
  readonly updated: string;
  readonly revision_id: number;
  readonly synonyms?: readonly Synonym[];
  /** The item above, in a hierarchy. */
  readonly parent?: { readonly id: string; readonly title: Titles };
  /** Root first; of single items only. */
  readonly ancestors?: readonly { readonly id: string; readonly title: Titles }[];
  /** Numbers of items directly below it, and at all levels below it; of single items of a hierarchy only. */
  readonly below?: { readonly children: number; readonly all: number };
  readonly status?: "active" | "deprecated";
  /** Id of the successor of a deprecated item. */
  readonly replaced_by?: string;
  /** A depositor added it, and no curator has confirmed it yet. */
  readonly confirmed?: false;
  /** Fields that people changed since the source of the item last did; of single items only. */
  readonly edited?: readonly EditedField[];
  /** How many records cite it: the latest published version of each. */
  readonly cited_by: number;
  /** `structure` is a picture (SVG) of the compound, of items that have its structure. */
  readonly links: {
    readonly self: string;
    readonly self_html: string;
    readonly citations: string;
    readonly structure?: string;
  };
  /** Of a suggestion: what matched; of a synonym with its kind. */
  readonly matched?: { readonly field: string; readonly text: string; readonly kind?: string };
  /** Of a hit of a search with `highlight`. */
  readonly highlight?: Highlight;
  readonly warnings?: readonly Warning[];
}

/** A field of an item that a person changed. */
export interface EditedField {
  /** `title.en`, `props.rank`, `parent` ... */
  readonly field: string;
  /** ISO 8601 UTC. */
  readonly time: string;
}

/** One change of an item. */
export interface TermChange {
  /** The revision that it made; of `removed` the last one. */
  readonly revision_id: number;
  readonly action: "created" | "changed" | "merged" | "confirmed" | "removed" | "loaded";
  /** ISO 8601 UTC. */
  readonly time: string;
  /** Name of the user, as it was then; `operator`: the command line. */
  readonly by: string;
  /** Of `loaded`: what was loaded. */
  readonly source?: string;
  /** What differs; without `from` it was not there, without `to` it is no longer. */
  readonly fields: readonly { readonly field: string; readonly from?: unknown; readonly to?: unknown }[];
}

export interface Synonym {
  readonly name: string;
  /** synonym, acronym, common name, iupac ... */
  readonly kind: string;
  readonly lang?: string;
}

/** An item as one sends it. */
export interface NewTerm<Props = Record<string, unknown>> {
  /** Of the form that the vocabulary declares. */
  id: string;
  title: Titles;
  props?: Props;
  /** Texts, or with what they are. */
  synonyms?: readonly (string | { name: string; kind?: string; lang?: string })[];
  /** Id of the item above, where the vocabulary is a hierarchy. */
  parent?: string;
  status?: "active" | "deprecated";
  replaced_by?: string;
}

/** Changes of an item: null removes a field, a language of the title, or a prop. */
export interface TermPatch<Props = Record<string, unknown>> {
  title?: Readonly<Record<string, string | null>>;
  props?: { readonly [Name in keyof Props]?: Props[Name] | null };
  /** The whole list. */
  synonyms?: NewTerm["synonyms"] | null;
  parent?: string | null;
  status?: "active" | "deprecated" | null;
  replaced_by?: string | null;
}
