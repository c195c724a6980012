import type { JsonObject } from "../json.js";
import type { Synonym, TermStatus, Titles } from "../term.js";

/** The body of a term, as clients see it; what a term that only stands above another one lacks is absent. */
export interface TermBody {
  readonly id: string;
  readonly title: Titles;
  readonly props?: JsonObject;
  readonly synonyms?: readonly Synonym[];
  readonly parent?: { readonly id: string; readonly title: Titles };
  readonly status?: TermStatus;
  readonly replaced_by?: string;
  readonly confirmed?: false;
  readonly created?: string;
  readonly updated?: string;
}
