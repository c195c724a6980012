import type { Actor } from "../../core/actor.js";
import type { StoredTerm } from "../../core/term.js";
import type { EditedField } from "../../core/terms/edited-fields.js";
import type { Ancestor } from "../../ports/store.js";
import { TERM_ACTIONS, type TermHistoryEntry } from "../../ports/term-history.js";
import type { Conditions } from "./conditions.js";
import type { SearchAnswer, TermHit } from "./search-services.js";
import type { ValidationResult } from "./validation-services.js";

export { TERM_ACTIONS };

/** Numbers of items directly below an item, and at all levels below it. */
export interface TermsBelow {
  readonly children: number;
  readonly all: number;
}

/** One item, or the id that it has now. Unknown and removed items are errors. */
export type TermAnswer =
  | ({ readonly kind: "found"; readonly hasChildren: boolean } & WrittenTerm)
  | { readonly kind: "moved"; readonly to: string };

/** The picture of a term's structure in SVG, with the revision of the term, or where the term lives now. */
type StructureAnswer =
  | { readonly kind: "drawn"; readonly svg: string; readonly revision: number }
  | { readonly kind: "moved"; readonly to: string };

export interface VocabularyHit {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly authority?: string;
  readonly count: number;
  /** Published records that have an older version of one of its terms; absent where nothing can be searched. */
  readonly stale?: number;
  readonly id_pattern: string;
  readonly extensible: boolean;
  /** The authority that is asked for terms that are not loaded; absent: none is. */
  readonly lookup?: string;
  /** Dumps of authorities that were loaded into it, by authority; absent where there are none. */
  readonly sources?: readonly VocabularySource[];
}

/** A dump of an authority, as it was last loaded. */
export interface VocabularySource {
  readonly authority: string;
  readonly title: string;
  readonly url: string;
  readonly licence: string;
  readonly release?: string;
  readonly file: string;
  /** Of the file, in hex. */
  readonly sha256: string;
  /** ISO 8601 UTC. */
  readonly loaded: string;
}

/** Addresses an item. */
export interface TermAddress {
  readonly vocabulary: string;
  readonly id: string;
}

/** A single item: as it is, or as it was just written. */
export interface WrittenTerm {
  readonly term: StoredTerm;
  readonly ancestors: readonly Ancestor[];
  /** Fields that people changed since its source last did. */
  readonly edited: readonly EditedField[];
}

/** A page of how an item changed, newest first. */
export interface TermHistoryAnswer {
  readonly entries: readonly TermHistoryEntry[];
  readonly total: number;
  /** Entries of a page. */
  readonly size: number;
}

/** Items of vocabularies. A write runs whole in one transaction; `body` is the request's text. */
export interface VocabularyServices {
  readTerm(vocabulary: string, id: string): Promise<TermAnswer>;
  /** @returns undefined if the vocabulary is flat or the index is unavailable */
  countBelow(vocabulary: string, id: string): Promise<TermsBelow | undefined>;
  /** Items by id, in the order asked, without repeats; replaced ids are followed, unknown ones named in `warnings`. */
  fetchTerms(vocabulary: string, ids: readonly string[]): Promise<SearchAnswer<TermHit>>;
  /** @param caller who requests the drawing: callers take turns. @throws STRUCTURE_NOT_FOUND */
  drawStructure(vocabulary: string, id: string, caller?: string): Promise<StructureAnswer>;
  listVocabularies(): Promise<readonly VocabularyHit[]>;
  /** Says of an item what adding it would say; stores nothing. Needs the right to add it. */
  validateTerm(actor: Actor, vocabulary: string, body: string): Promise<Omit<ValidationResult, "metadata">>;
  /** `warnings` name items that may be the same. @throws TERM_EXISTS */
  createTerm(
    actor: Actor,
    vocabulary: string,
    body: string,
    conditions?: Conditions,
  ): Promise<WrittenTerm & Pick<ValidationResult, "warnings">>;
  replaceTerm(actor: Actor, address: TermAddress, body: string, conditions?: Conditions): Promise<WrittenTerm>;
  /** @param body a JSON merge patch (RFC 7396) of the item */
  patchTerm(actor: Actor, address: TermAddress, body: string, conditions?: Conditions): Promise<WrittenTerm>;
  /** @param body `{"into": <id>}`: the item that stands for this one from then on. @throws TERM_HAS_CHILDREN */
  mergeTerm(actor: Actor, address: TermAddress, body: string, conditions?: Conditions): Promise<WrittenTerm>;
  /** Notes that a curator has looked at an item that a depositor added. */
  confirmTerm(actor: Actor, address: TermAddress, conditions?: Conditions): Promise<WrittenTerm>;
  /** For curators: it names users. */
  readTermHistory(
    actor: Actor,
    address: TermAddress,
    page: { readonly page?: number; readonly size?: number },
  ): Promise<TermHistoryAnswer>;
  /** @throws TERM_CITED, TERM_HAS_CHILDREN */
  deleteTerm(actor: Actor, address: TermAddress, conditions?: Conditions): Promise<void>;
}
