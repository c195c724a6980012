/** What the use cases are made from. Only the composition root fills it (`app/composition/compose.ts`). */

import type { BackgroundReporter } from "../../core/background.js";
import type { Field } from "../../core/catalog/field-tree.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import type { Quotas, TextLimits } from "../../core/limits.js";
import type { Drawing } from "../../formats/structure-svg.js";
import type { Authority } from "../../ports/authorities.js";
import type { Clock } from "../../ports/clock.js";
import type { LiveAuthorities } from "../../ports/live-authorities.js";
import type { Random } from "../../ports/random.js";
import type { SearchIndex } from "../../ports/search-index.js";
import type { Store } from "../../ports/store.js";
import type { StoreAdmin } from "../../ports/store-admin.js";
import type { ImportReadServices } from "../api/import-services.js";
import type { PrepareServices } from "../api/prepare-services.js";
import type { ModelSites } from "../input/model-sites.js";
import type { Validator } from "../rules/validator.js";
import type { RunWrite } from "./run-write.js";

/** What a model says of `metadata`; cited terms and references are not its matter. */
export type Validate = Validator;

export interface Deps {
  readonly store: Store;
  readonly index: SearchIndex;
  readonly admin: StoreAdmin;
  readonly catalog: Catalog;
  /** Whose dumps can be loaded, by name. */
  readonly authorities: ReadonlyMap<string, Authority>;
  /** Those that are asked for terms that are not loaded, by name. */
  readonly live: LiveAuthorities;
  readonly clock: Clock;
  readonly random: Random;
  /** How much text a record may hold. */
  readonly textLimits: TextLimits;
  /** Maximum drafts and terms of one user. */
  readonly quotas: Quotas;
  /** How long a query may take, with the marking of its hits. */
  readonly searchTimeoutMs: number;
  /** Hears of the work that no caller waits for. */
  readonly background: BackgroundReporter;
  /** The way in which services write: one transaction, audited, safe to send again. */
  readonly runWrite: RunWrite;
  /** Does before a transaction what need not be done in it. */
  readonly prepare: PrepareServices["prepareRecord"];
  /**
   * Draws a structure, given in SMILES, on another thread if there is one: the library may need seconds or hours.
   * @param caller who requests the drawing: callers take turns
   */
  readonly draw: (smiles: string, caller?: string) => Promise<Drawing>;
  /** Reads large files of imports on another thread; absent: they are read on this one. */
  readonly readElsewhere?: ImportReadServices;
  /** The validator of a model: a thread that never validates compiles nothing. */
  readonly validatorOf: (model: Model) => Validate;
  /** The model as a tree of fields. */
  readonly fieldsOf: (model: Model) => Field;
  /** Where its records cite terms and refer to their own parts. */
  readonly sitesOf: (model: Model) => ModelSites;
}
