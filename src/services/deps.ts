/** What the use cases are made from. The only place that fills it is the composition root (`app/compose.ts`). */
import type { BackgroundReporter } from "../core/background.js";
import { type Field, fieldTree } from "../core/catalog/field-tree.js";
import type { Catalog, Model } from "../core/catalog/types.js";
import type { Issue, Warning } from "../core/issue.js";
import type { Json } from "../core/json.js";
import type { Clock } from "../ports/clock.js";
import type { Random } from "../ports/random.js";
import type { SearchIndex } from "../ports/search-index.js";
import type { Store } from "../ports/store.js";
import type { Upkeep } from "../ports/upkeep.js";
import type { PrepareServices } from "./prepare-record.js";
import type { RunWrite } from "./run-write.js";
import { type Circumstances, makeValidator } from "./validate/validator.js";

/** What a model says of `metadata`; cited terms and references are not its matter. */
export type Validate = (
  metadata: Json,
  circumstances?: Circumstances,
) => { readonly issues: readonly Issue[]; readonly warnings: readonly Warning[] };

export interface Deps {
  readonly store: Store;
  readonly index: SearchIndex;
  readonly upkeep: Upkeep;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly random: Random;
  /** Hears of the work that no caller waits for. */
  readonly background: BackgroundReporter;
  /** The way in which services write: one transaction, audited, safe to send again. */
  readonly runWrite: RunWrite;
  /** Does before a transaction what need not be done in it. */
  readonly prepare: PrepareServices["prepareRecord"];
  /** The validator of a model: a thread that never validates compiles nothing. */
  readonly validatorOf: (model: Model) => Validate;
  /** The model as a tree of fields. */
  readonly fieldsOf: (model: Model) => Field;
}

/** What is made of a model when it is first asked for, and kept. */
export function makeOnDemand(): Pick<Deps, "validatorOf" | "fieldsOf"> {
  const fieldsOf = keptByModel((model) => fieldTree(model.schema));
  return { fieldsOf, validatorOf: keptByModel((model): Validate => makeValidator(model, () => fieldsOf(model))) };
}

function keptByModel<T>(make: (model: Model) => T): (model: Model) => T {
  const made = new Map<string, T>();
  return (model) => {
    const known = made.get(model.name);
    if (known !== undefined) return known;
    const fresh = make(model);
    made.set(model.name, fresh);
    return fresh;
  };
}
