import type { Term } from "./term-answers.js";

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
