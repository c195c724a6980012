/** Dependencies of the use cases. Only the composition root provides them (`app/composition/compose.ts`). */

import type { BackgroundReporter } from "../../core/background.js";
import type { Caches } from "../../core/caches.js";
import type { Field } from "../../core/catalog/field-tree.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import type { Quotas, TextLimits } from "../../core/limits.js";
import type { Drawing } from "../../formats/structure-svg.js";
import type { Authority, LiveAuthorities } from "../../ports/authorities.js";
import type { Clock, Random } from "../../ports/environment.js";
import type { SearchIndex } from "../../ports/search-index.js";
import type { Store } from "../../ports/store.js";
import type { StoreAdmin } from "../../ports/store-admin.js";
import type { ImportReadServices } from "../api/imports.js";
import type { PrepareServices } from "../api/preparation.js";
import type { ModelSites } from "../input/walk-sites.js";
import type { Validator } from "../rules/validator.js";
import type { RunWrite } from "./run-write.js";

/** A function that checks `metadata` against the rules of a model. It does not check cited terms and references. */
export type Validate = Validator;

/** A term that may have been meant. Its title is that of `readDistinctTitles`, in the vocabulary's first language. */
export type NearTerm = { readonly id: string; readonly title: string };

/** Finds a few terms of a vocabulary that an unknown id, or a name in place of an id, may mean, best first. */
export type FindNearTerms = (vocabulary: string, text: string) => Promise<readonly NearTerm[]>;

/** The dependencies of use cases. */
export interface Deps {
  readonly store: Store;
  readonly index: SearchIndex;
  readonly admin: StoreAdmin;
  readonly catalog: Catalog;
  /** The authorities whose dumps can be loaded, by name. */
  readonly authorities: ReadonlyMap<string, Authority>;
  /** The authorities that are queried for terms that are not loaded, by name. */
  readonly live: LiveAuthorities;
  readonly clock: Clock;
  readonly random: Random;
  /** Limits of the text in a record. */
  readonly textLimits: TextLimits;
  /** Maximum drafts and terms of one user. */
  readonly quotas: Quotas;
  /** Time limit of a query, including the highlighting of its hits. */
  readonly searchTimeoutMs: number;
  /** Reports errors of background tasks. */
  readonly background: BackgroundReporter;
  /** Caches, on which answers do not depend. */
  readonly caches: Caches;
  /** Runs a write of a use case: in one transaction, with audit entries, and with support of Idempotency-Keys. */
  readonly runWrite: RunWrite;
  /** Prepares a body before its transaction. */
  readonly prepare: PrepareServices["prepareRecord"];
  /** Finds the terms that an unknown id may mean. */
  readonly findNearTerms: FindNearTerms;
  /**
   * Draws a structure, given in SMILES, on another thread if there is one: the library may need seconds or hours.
   * @param caller who requests the drawing: callers take turns
   */
  readonly draw: (smiles: string, caller?: string) => Promise<Drawing>;
  /** Reads large import files on another thread; absent: they are read on this thread. */
  readonly readElsewhere?: ImportReadServices | undefined;
  /**
   * Returns the validator of a model. It is compiled on first use, so a thread that never validates compiles nothing.
   */
  readonly validatorOf: (model: Model) => Validate;
  /** Returns the tree of a model's fields. */
  readonly getFieldTree: (model: Model) => Field;
  /** Returns the places where records of a model cite terms and refer to their own parts. */
  readonly sitesOf: (model: Model) => ModelSites;
}
