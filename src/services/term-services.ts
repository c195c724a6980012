import type { Actor } from "../core/actor.js";
import type { StoredTerm } from "../core/term.js";
import type { Ancestor } from "../ports/store.js";
import type { Conditions } from "./services.js";

/** Addresses an item. */
export interface TermAddress {
  readonly vocabulary: string;
  readonly id: string;
}

/** An item as it was just written. */
export interface WrittenTerm {
  readonly term: StoredTerm;
  readonly ancestors: readonly Ancestor[];
}

/** Each runs whole in one transaction of the writer. `body` is the request's text. */
export interface TermWriteServices {
  /** @throws TERM_EXISTS */
  createTerm(actor: Actor, vocabulary: string, body: string, conditions?: Conditions): Promise<WrittenTerm>;
  replaceTerm(actor: Actor, address: TermAddress, body: string, conditions?: Conditions): Promise<WrittenTerm>;
  /** @throws TERM_CITED, TERM_HAS_CHILDREN */
  deleteTerm(actor: Actor, address: TermAddress, conditions?: Conditions): Promise<void>;
}
