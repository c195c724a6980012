import type { Catalog } from "../../../core/catalog/types.js";
import type { IndexSource, IndexState } from "../../../ports/index-source.js";
import type { SearchClient } from "../connection/search-client.js";
import { dropIndexSet, isUsable, madeOf } from "./index-set.js";

interface OldIndexesOptions {
  readonly client: SearchClient;
  readonly catalog: Catalog;
  readonly source: IndexSource;
  /** How long searches may still ask the index that was asked before. */
  readonly retireMs?: number;
}

/** Longer than any search takes. A whole result that is still being sent ends with an error. */
export const RETIRE_MS = 60_000;

/** Services that still have another catalog go on asking its index until they are replaced. */
const OTHERS_KEPT_MS = 60 * 60_000;

/** How often it is looked. */
const LOOK_MS = 5_000;

/** A reindex that runs leads; then it is for the next look. */
const LEAD_MS = 100;

/** Removes indexes that were made for another catalog, some time after searches have another one that is current. */
export class OldIndexes {
  readonly #options: OldIndexesOptions;
  readonly #retireMs: number;
  /** When each was first seen. */
  readonly #seen = new Map<string, number>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: OldIndexesOptions) {
    this.#options = options;
    this.#retireMs = options.retireMs ?? OTHERS_KEPT_MS;
  }

  /** Looks whether there are any, now and then. */
  async drop(): Promise<void> {
    const now = performance.now();
    if (now < this.#lookedAt + Math.min(LOOK_MS, this.#retireMs)) return;
    this.#lookedAt = now;
    const retired = (await this.#unused()).filter(({ name }) => {
      const since = this.#seen.get(name) ?? now;
      this.#seen.set(name, since);
      return now >= since + this.#retireMs;
    });
    if (retired.length > 0) await this.#dropUnused(new Set(retired.map(({ name }) => name)));
  }

  async #unused(): Promise<readonly IndexState[]> {
    const { source, catalog } = this.#options;
    return (await source.states()).filter((state) => !state.isCurrent && !isUsable(madeOf(state), catalog));
  }

  /** One that a reindex is making for the catalog of the next release is not asked yet: it stays. */
  async #dropUnused(retired: ReadonlySet<string>): Promise<void> {
    const { source, client } = this.#options;
    const lead = await source.leadership.lead("reindex", AbortSignal.timeout(LEAD_MS));
    if (lead === undefined) return;
    try {
      for (const { name } of await this.#unused()) {
        if (!retired.has(name)) continue;
        await source.dropIndex(name);
        await dropIndexSet(client, name);
        this.#seen.delete(name);
      }
    } finally {
      await lead.giveBack();
    }
  }
}
