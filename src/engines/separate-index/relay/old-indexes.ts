import type { Catalog } from "../../../core/catalog/types.js";
import { greatestOf } from "../../../core/collections.js";
import type { IndexSource, IndexState, SourceView } from "../../../ports/index-source.js";
import type { IndexDriver, IndexFormat } from "../driver/index-driver.js";
import { termsIndexOf } from "../driver/index-driver.js";
import { dropIndexSet } from "./index-set.js";

interface OldIndexesOptions {
  readonly driver: IndexDriver;
  readonly format: IndexFormat;
  readonly source: IndexSource;
  /** Time for which searches may still use the previous index. */
  readonly retireMs?: number;
}

/** Longer than any search takes. A whole result that is still being sent ends with an error. */
export const RETIRE_MS = 60_000;

/** Time for which services with another catalog may use its index until they are replaced. */
const OTHERS_KEPT_MS = 60 * 60_000;

/** Interval between checks. */
const CHECK_INTERVAL_MS = 5_000;

/** Time to wait for the lead, which a running reindex holds; then the next check tries again. */
const LEAD_MS = 100;

/** Drops indexes that were made for another catalog, some time after another index became current. */
export class OldIndexes {
  readonly #options: OldIndexesOptions;
  readonly #retireMs: number;
  /** Time at which each index was first seen. */
  readonly #seen = new Map<string, number>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: OldIndexesOptions) {
    this.#options = options;
    this.#retireMs = options.retireMs ?? OTHERS_KEPT_MS;
  }

  /** Drops unused indexes, at most once per interval. */
  async drop(): Promise<void> {
    const now = performance.now();
    if (now < this.#lookedAt + Math.min(CHECK_INTERVAL_MS, this.#retireMs)) return;
    this.#lookedAt = now;
    const retired = (await this.#unused()).filter(({ name }) => {
      const since = this.#seen.get(name) ?? now;
      this.#seen.set(name, since);
      return now >= since + this.#retireMs;
    });
    if (retired.length > 0) await this.#dropUnused(new Set(retired.map(({ name }) => name)));
  }

  async #unused(): Promise<readonly IndexState[]> {
    const { source, format } = this.#options;
    return (await source.states()).filter((state) => !state.isCurrent && !format.isUsable(state.made));
  }

  /**
   * Drops indexes that are still unused. An index that a reindex makes for the catalog of the next release is unused as
   * well and stays.
   */
  async #dropUnused(retired: ReadonlySet<string>): Promise<void> {
    const { source, driver } = this.#options;
    const lead = await source.leadership.lead("reindex", AbortSignal.timeout(LEAD_MS));
    if (lead === undefined) return;
    try {
      for (const { name } of await this.#unused()) {
        if (!retired.has(name)) continue;
        await source.dropIndex(name);
        await dropIndexSet(driver, name);
        this.#seen.delete(name);
      }
    } finally {
      await lead.giveBack();
    }
  }
}

/**
 * Returns `<prefix>-<n>` with a number that no index has, including indexes that the store does not know, so that an
 * existing index is never mistaken for the new one.
 */
export async function newIndexName(
  driver: Pick<IndexDriver, "list">,
  prefix: string,
  states: readonly Pick<IndexState, "name">[],
): Promise<string> {
  const existingNames = [...(await driver.list(`${prefix}-`)), ...states.map(({ name }) => `${name}-`)];
  const numbers = existingNames.map((name) => Number(/^\d+(?=-)/u.exec(name.slice(prefix.length + 1))?.[0] ?? 0));
  return `${prefix}-${greatestOf([0, ...numbers]) + 1}`;
}

/** Time for which searches and streams that began before a load may use the replaced index. */
const KEPT_MS = 60 * 60_000;

/** Interval between checks for replaced indexes of vocabularies. */
const GENERATIONS_INTERVAL_MS = 60_000;

/** Drops the indexes of vocabularies some time after large loads have replaced them. */
export class OldGenerations {
  readonly #driver: IndexDriver;
  readonly #catalog: Catalog;
  readonly #keptMs: number;
  /** Time at which each index was first found to be replaced. */
  readonly #replaced = new Map<string, number>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(driver: IndexDriver, catalog: Catalog, keptMs = KEPT_MS) {
    this.#driver = driver;
    this.#catalog = catalog;
    this.#keptMs = keptMs;
  }

  /** Drops replaced indexes, at most once per interval. */
  async drop(source: IndexSource): Promise<void> {
    const now = performance.now();
    if (now < this.#lookedAt + Math.min(GENERATIONS_INTERVAL_MS, this.#keptMs)) return;
    this.#lookedAt = now;
    const states = await source.states();
    const view = await source.openView();
    try {
      for (const { name } of states) {
        for (const replaced of await this.#replacedIn(view, name)) await this.#dropLater(replaced, now);
      }
    } finally {
      await view.close();
    }
  }

  async #replacedIn(view: SourceView, index: string): Promise<readonly string[]> {
    const names = [...this.#catalog.vocabularies.keys()].flatMap((vocabulary) =>
      Array.from({ length: view.trees.generationOf(index, vocabulary) }, (_, generation) =>
        termsIndexOf(index, vocabulary, generation),
      ),
    );
    if (names.length === 0) return [];
    const existing = await this.#driver.list(`${index}-terms-`);
    return names.filter((name) => existing.includes(name));
  }

  async #dropLater(name: string, now: number): Promise<void> {
    const since = this.#replaced.get(name) ?? now;
    this.#replaced.set(name, since);
    if (now < since + this.#keptMs) return;
    await this.#driver.drop(name);
    this.#replaced.delete(name);
  }
}
