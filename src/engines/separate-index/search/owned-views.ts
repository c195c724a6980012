import { type BinderyError, fail } from "../../../core/errors.js";
import type { IndexSource, SourceView } from "../../../ports/index-source.js";
import type { IndexDriver } from "../driver/index-driver.js";

/** Makes the error for an index that cannot be searched now. */
export const unavailable = (reason: string): BinderyError => fail("SEARCH_UNAVAILABLE", { reason });

/**
 * Opens views of the store whose index was certainly made from the same history: neither a history that the database
 * lost when it was restored to an older state, nor one of which the search engine lost a part.
 *
 * The mark of the index is read once for each run of the database, *after* a view of this run was opened, and compared
 * with `begun` of a view that is opened afterwards. `begun` is stored before the mark is, so it is not less, unless the
 * database lost it. The mark was stored before `applied` of the first view was, so it is not less than that, unless
 * the search engine lost it, and documents with it. Writers check the same, also later.
 */
export class OwnedViews {
  readonly #source: IndexSource;
  readonly #driver: Pick<IndexDriver, "readMark">;
  readonly #isUsable: (view: SourceView) => Promise<boolean>;
  /** Digests of the definitions of indexes of other catalogs. */
  readonly #otherDigests = new Set<string>();
  /** The index and the run that were compared last. */
  #verifiedKey: string | undefined;

  /** @param isUsable returns whether this catalog makes the index of the view */
  constructor(
    source: IndexSource,
    driver: Pick<IndexDriver, "readMark">,
    isUsable: (view: SourceView) => Promise<boolean>,
  ) {
    this.#source = source;
    this.#driver = driver;
    this.#isUsable = isUsable;
  }

  /** Opens a view with an index of this catalog, if there is one, of any history. */
  async openAny(): Promise<SourceView> {
    for (;;) {
      const view = await this.#source.openView([...this.#otherDigests]);
      try {
        if (view.index === undefined || (await this.#isUsable(view))) return view;
        this.#otherDigests.add(view.index.digest);
      } catch (error) {
        await view.close();
        throw error;
      }
      await view.close();
    }
  }

  /** Opens a view whose index is of the same history. @throws BinderyError SEARCH_UNAVAILABLE */
  async open(): Promise<SourceView> {
    for (let markRead: MarkRead | undefined; ; ) {
      const view = await this.openAny();
      const { index, run } = view;
      const key = index && JSON.stringify([run, index.name, index.epoch]);
      if (index === undefined || key === this.#verifiedKey) return view;
      if (markRead !== undefined && markRead.key === key && markRead.begun <= index.begun) {
        this.#verifiedKey = key;
        return view;
      }
      await view.close();
      if (markRead?.key === key) throw unavailable("its index is being made");
      const mark = await this.#driver.readMark(index.name);
      const isWhole = mark?.epoch === index.epoch && mark.begun >= index.applied;
      markRead = { key, begun: isWhole ? mark.begun : Number.POSITIVE_INFINITY };
    }
  }
}

interface MarkRead {
  readonly key: string | undefined;
  readonly begun: number;
}
