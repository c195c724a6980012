import type { Catalog } from "../../../core/catalog/types.js";
import type { IndexSource } from "../../../ports/index-source.js";
import type { Leadership } from "../../../ports/leadership.js";
import type { Pool } from "../connection/sql.js";
import type { RunTransaction } from "../connection/write-transaction.js";
import { followSome } from "../terms/follow-terms.js";
import { followMoved, hasMoved } from "../terms/moved-terms.js";
import type { IndexLoads } from "./index-loads.js";
import { makeIndexStates } from "./index-states.js";
import { openSourceView } from "./source-view.js";

/** What an index beside this store reads of it, and what the store knows of the index. */
export function makeIndexSource(
  pool: Pool,
  catalog: Catalog,
  transaction: RunTransaction,
  leadership: Leadership,
  { onLoads }: Pick<IndexLoads, "onLoads">,
): IndexSource {
  return {
    ...makeIndexStates(pool),
    leadership,
    onLoads,
    openView: (others) => openSourceView(pool, catalog, others),
    followSome: async () => (await followSome(transaction)) || ((await hasMoved(pool)) && followMoved(transaction)),
  };
}
