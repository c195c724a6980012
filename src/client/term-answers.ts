/** Answers and requests about terms of vocabularies. */
import type { Highlight, Warning } from "./answers.js";
import type { Titles } from "./models/citations.js";

/** Term of a vocabulary. */
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
  /** Parent, in a hierarchy. */
  readonly parent?: { readonly id: string; readonly title: Titles };
  /** Ancestors, root first; only of single terms. */
  readonly ancestors?: readonly { readonly id: string; readonly title: Titles }[];
  /** Numbers of children and of descendants; only of single terms of a hierarchy. */
  readonly below?: { readonly children: number; readonly all: number };
  readonly status?: "active" | "deprecated";
  /** Id of the successor of a deprecated term. */
  readonly replaced_by?: string;
  /** False if a depositor added it and no curator has confirmed it. */
  readonly confirmed?: false;
  /** Fields that people changed after the last change by the source; only of single terms. */
  readonly edited?: readonly EditedField[];
  /** Number of records whose latest published version cites it. */
  readonly cited_by: number;
  /** `structure` is a picture (SVG) of the compound, for terms with a structure. */
  readonly links: {
    readonly self: string;
    readonly self_html: string;
    readonly citations: string;
    readonly structure?: string;
  };
  /** For a suggestion: the matching name; for a synonym with its kind. */
  readonly matched?: { readonly field: string; readonly text: string; readonly kind?: string };
  /** For a hit of a search with `highlight`. */
  readonly highlight?: Highlight;
  readonly warnings?: readonly Warning[];
}

/** Field of a term that a person changed. */
export interface EditedField {
  /** `title.en`, `props.rank`, `parent` ... */
  readonly field: string;
  /** ISO 8601 UTC. */
  readonly time: string;
}

/** Change of a term. */
export interface TermChange {
  /** New revision; for `removed` the last one. */
  readonly revision_id: number;
  readonly action: "created" | "changed" | "merged" | "confirmed" | "removed" | "loaded";
  /** ISO 8601 UTC. */
  readonly time: string;
  /** Name of the user at that time; `operator`: the command line. */
  readonly by: string;
  /** For `loaded`: the loaded source. */
  readonly source?: string;
  /** Differences; a new value has no `from`, a removed one has no `to`. */
  readonly fields: readonly { readonly field: string; readonly from?: unknown; readonly to?: unknown }[];
}

/** Synonym of a term. */
export interface Synonym {
  readonly name: string;
  /** synonym, acronym, common name, iupac ... */
  readonly kind: string;
  readonly lang?: string;
}

/** Term in a request. */
export interface NewTerm<Props = Record<string, unknown>> {
  /** Id in the form that the vocabulary declares. */
  id: string;
  title: Titles;
  props?: Props;
  /** Texts, or texts with their kinds. */
  synonyms?: readonly (string | { name: string; kind?: string; lang?: string })[];
  /** Id of the parent, if the vocabulary is a hierarchy. */
  parent?: string;
  status?: "active" | "deprecated";
  replaced_by?: string;
}

/** Changes of a term: null removes a field, a language of the title, or a prop. */
export interface TermPatch<Props = Record<string, unknown>> {
  title?: Readonly<Record<string, string | null>>;
  props?: { readonly [Name in keyof Props]?: Props[Name] | null };
  /** Replacement of the whole list. */
  synonyms?: NewTerm["synonyms"] | null;
  parent?: string | null;
  status?: "active" | "deprecated" | null;
  replaced_by?: string | null;
}

/** Term that an authority found. A loaded term has its local data. */
export interface FoundTerm<Props = Record<string, unknown>>
  extends Pick<Term<Props>, "id" | "type" | "title" | "synonyms" | "status" | "replaced_by">,
    Partial<Pick<Term<Props>, "@v" | "created" | "updated" | "revision_id" | "cited_by">> {
  readonly props: Partial<Props>;
  readonly source: {
    /** Name of the authority. */
    readonly authority: string;
    /** Whether the vocabulary has the term. */
    readonly loaded: boolean;
  };
  /** Absent for a term that is not loaded. */
  readonly links: Partial<Term["links"]>;
}
