import type { Catalog } from "../../../core/catalog/types.js";
import type { IndexSource, SourceView } from "../../../ports/index-source.js";
import type { IndexDriver } from "../driver/index-driver.js";
import { termsIndexOf } from "../driver/index-names.js";

/** Time for which searches and streams that began before a load may use the replaced index. */
const KEPT_MS = 60 * 60_000;

/** Interval between checks. */
const CHECK_INTERVAL_MS = 60_000;

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
    if (now < this.#lookedAt + Math.min(CHECK_INTERVAL_MS, this.#keptMs)) return;
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
