import { BinderyError, fail } from "../../../core/errors.js";
import type {
  ChangesSince,
  IndexMarks,
  IndexSource,
  SearchedIndex,
  SearchSubject,
  SourceView,
} from "../../../ports/index-source.js";
import type { IndexDriver, PointInTime, SearchTarget } from "../driver/index-driver.js";

/** Changes that a search must take from the view instead of the index. */
export interface Overlay extends Pick<ChangesSince, "records" | "terms"> {
  /**
   * Number of public changes missing from the answer, at least 1. Set when the overlay was too large and was left
   * empty. Undefined: the answer is exact.
   */
  readonly behind?: number;
}

/** One state of the store, and its index. */
export interface SearchedState {
  readonly view: SourceView;
  readonly index: SearchedIndex;
  /**
   * Returns the overlay of records or of a vocabulary.
   * @param mayBeBehind prefers an answer without the overlay to none, unless far more has changed
   * @throws BinderyError SEARCH_UNAVAILABLE if the overlay is too large
   */
  getOverlay(of: SearchSubject, mayBeBehind?: boolean): Promise<Overlay>;
  /** Returns an empty overlay, for a caller that finds the changed data too large. */
  without(mayBeBehind?: boolean): Promise<Overlay>;
  /** Returns the target that is searched in place of one of the indexes. */
  target(name: string): SearchTarget;
  /**
   * Signals that all reads of the index and the view have been sent: the view may be closed and the marks read again in
   * the same round trip, which is faster than doing so at the end of the search.
   */
  askedAll(): void;
}

interface ExactSearchOptions {
  readonly source: IndexSource;
  readonly driver: Pick<IndexDriver, "openPoint" | "readMark">;
  /** Maximum number of changed records and terms that are judged apart from the index. */
  readonly overlayMax: number;
  /** Returns whether the index of the view is one that this catalog makes. */
  isUsable(view: SourceView): Promise<boolean>;
}

/** Factor of the maximum overlay above which an index that is behind is not used at all. */
const FAR_BEHIND = 10;

/** Maximum number of attempts of a search, which is repeated if the index changed while it was read. */
const ATTEMPTS = 10;

/**
 * Runs searches on one state of the store, although the index lags behind and changes while it is read.
 *
 * Let S be a view of the store with all changes up to `head`. The index is one for which the store says, within S, that
 * all its copies show every change up to `applied`. Changes after `applied` and up to `head`, the *overlay*, are
 * excluded from every query to the index, and judged here as S has them. The answer is that of S if the index has
 * exactly the content of S for everything else. Let x be a record or term that is not in the overlay.
 *
 * - *The index has no older version of x than S.* Its document was made from some view. `applied` is set after a
 * refresh of all copies that followed the writes of all changes up to it. So the visible document is at least as new as
 * the last change of x up to `applied`, and x did not change between that and `head`.
 * - *The index has no newer version of x than S.* Before a document is sent, `begun` is set to the `head` of the view
 * that it was made from, and committed. If `begun` is not above the head of S when it is read *after* the index has
 * answered, everything visible in it was made from views that are not newer than S.
 *
 * If the second read finds a greater number, the search is repeated on *points in time* of the index that are opened
 * before the view: `applied` is read first, then the points are opened, then the view. So they show all changes up to
 * that `applied`, and everything they show was begun before the view, which is therefore not older. The duration of the
 * search does not matter then, and no second read is needed.
 *
 * A search uses one connection of the store at a time: the second read uses that of its view. Otherwise as many
 * searches as there are connections would wait for each other. The second read is sent after the last reads of the
 * view, so all of them share one round trip to the store.
 *
 * All this holds for an index that was made from this history of the store, see `OwnedViews`.
 *
 * If the overlay is too large to be judged, a search that may be behind uses the index alone, and reports that.
 */
export class ExactSearch {
  readonly #options: ExactSearchOptions;
  readonly views: OwnedViews;
  /** Number of searches that were repeated. */
  repeats = 0;

  constructor(options: ExactSearchOptions) {
    this.#options = options;
    this.views = new OwnedViews(options.source, options.driver, options.isUsable);
  }

  /** Runs a search. @param indexesOf returns the names of the indexes that it reads */
  async run<T>(indexesOf: IndexNames, search: (state: SearchedState) => Promise<T>): Promise<T> {
    const first = await this.#plainly(search);
    if (first !== undefined) return first.answer;
    const pinned = await this.pin(indexesOf);
    try {
      return await search(pinned.state);
    } finally {
      await pinned.close();
    }
  }

  /** Opens a state that stays until it is closed. */
  async pin(indexesOf: IndexNames): Promise<PinnedState> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const pinned = await this.#tryToPin(indexesOf);
      if (pinned !== undefined) return pinned;
    }
    throw unavailable("its index is changing too quickly");
  }

  /** Makes one attempt. @returns undefined if searches use another index since */
  async #tryToPin(indexesOf: IndexNames): Promise<PinnedState | undefined> {
    const { driver } = this.#options;
    const { applied, names } = await this.#searched(indexesOf);
    const points: PointInTime[] = [];
    const closePoints = async (): Promise<void> => void (await Promise.all(points.map((point) => point.close())));
    try {
      for (const name of names) points.push(await driver.openPoint(name));
      const view = await this.views.open();
      const close = async (): Promise<void> => {
        await closePoints();
        await view.close();
      };
      const { index } = view;
      if (index === undefined || indexesOf(index, view).join() !== names.join()) {
        await close();
        return undefined;
      }
      const targets = new Map(points.map(({ index: name, target }) => [name, target]));
      const target = (name: string): SearchTarget => targets.get(name)!;
      return { state: this.#state(view, { ...index, applied }, { target, askedAll: () => undefined }), close };
    } catch (error) {
      await closePoints();
      throw error;
    }
  }

  /** Returns the indexes that a search would use now, and `applied`. */
  async #searched(indexesOf: IndexNames): Promise<{ readonly applied: number; readonly names: readonly string[] }> {
    const view = await this.views.open();
    try {
      const index = indexOf(view);
      return { applied: index.applied, names: indexesOf(index, view) };
    } finally {
      await view.close();
    }
  }

  /**
   * Runs a search directly on the index. If the index shows more than the view has, a hit may lack a body, which looks
   * like damage until the second read.
   * @returns undefined if the index has changed
   */
  async #plainly<T>(search: (state: SearchedState) => Promise<T>): Promise<{ readonly answer: T } | undefined> {
    const view = await this.views.open();
    let secondRead: Promise<IndexMarks | undefined> | undefined;
    try {
      const index = indexOf(view);
      const look = (): Promise<IndexMarks | undefined> => {
        secondRead ??= view.closeAndLook(index.name);
        return secondRead;
      };
      // A failure of the read is handled where it is awaited, unless the search fails before.
      const askedAll = (): void => void look().catch(() => undefined);
      const asked = await settle(search(this.#state(view, index, { target: (name) => ({ index: name }), askedAll })));
      if (this.#isNewer(await look(), view)) return undefined;
      if ("failure" in asked) throw asked.failure;
      return asked;
    } catch (error) {
      if (secondRead === undefined) await view.close();
      throw error;
    }
  }

  #state(view: SourceView, index: SearchedIndex, asking: Pick<SearchedState, "target" | "askedAll">): SearchedState {
    const { overlayMax } = this.#options;
    const without = async (mayBeBehind = false): Promise<Overlay> => {
      const isTooFar = view.head - index.applied > FAR_BEHIND * overlayMax;
      if (!mayBeBehind || isTooFar) throw unavailable("its index is too far behind the store");
      // Refused documents are part of the overlay too, so the number of changes may be 0.
      return { records: [], terms: [], behind: Math.max(1, await view.countPublic(index.applied)) };
    };
    return {
      view,
      index,
      ...asking,
      without,
      getOverlay: async (of, mayBeBehind) =>
        (await view.overlaySince(index.applied, of, overlayMax)) ?? (await without(mayBeBehind)),
    };
  }

  /** Returns whether the index may have shown anything newer than the view, by the second read of its marks. */
  #isNewer(marks: IndexMarks | undefined, view: SourceView): boolean {
    const isNewer = marks === undefined || marks.begun > view.head;
    if (isNewer) this.repeats += 1;
    return isNewer;
  }
}

function indexOf({ index }: SourceView): SearchedIndex {
  if (index === undefined) throw unavailable("its index is being made");
  return index;
}

type Outcome<T> = { readonly answer: T } | { readonly failure: unknown };

/**
 * Returns the result of a search or its failure. @throws BinderyError, which does not depend on what the index shows
 */
async function settle<T>(answer: Promise<T>): Promise<Outcome<T>> {
  try {
    return { answer: await answer };
  } catch (failure) {
    if (failure instanceof BinderyError) throw failure;
    return { failure };
  }
}

type IndexNames = (index: SearchedIndex, view: SourceView) => readonly string[];

interface PinnedState {
  readonly state: SearchedState;
  close(): Promise<void>;
}

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
class OwnedViews {
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
