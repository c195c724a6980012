import type { Term } from "./term-answers.js";

/** An item that an authority found: one that is loaded is as it is here. */
export interface FoundTerm<Props = Record<string, unknown>>
  extends Pick<Term<Props>, "id" | "type" | "title" | "synonyms" | "status" | "replaced_by">,
    Partial<Pick<Term<Props>, "@v" | "created" | "updated" | "revision_id" | "cited_by">> {
  readonly props: Partial<Props>;
  readonly source: {
    /** Name of the authority that was asked. */
    readonly authority: string;
    /** Does the vocabulary have it? */
    readonly loaded: boolean;
  };
  /** None of an item that is not loaded. */
  readonly links: Partial<Term["links"]>;
}
