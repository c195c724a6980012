/** Terms of vocabularies in requests. */
import type { Titles } from "./models/citations.js";

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
