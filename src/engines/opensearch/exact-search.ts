import { BinderyError } from "../../core/errors.js";
import type {
  ChangesSince,
  IndexMarks,
  IndexSource,
  Overlaid,
  SearchedIndex,
  SourceView,
} from "../../ports/index-source.js";
import { unavailable } from "./connection/map-error.js";
import type { SearchTarget } from "./connection/multi-search.js";
import { openPoint, type PointInTime } from "./connection/point-in-time.js";
import type { SearchClient } from "./connection/search-client.js";
import { OwnedViews } from "./owned-views.js";

/** What a search is not asked of the index, because the view says it. */
export interface Overlay extends Pick<ChangesSince, "records" | "terms"> {
  /**
   * Number of public changes that the answer may lack, at least 1: the overlay is empty, because there were too many
   * changes. Absent: the answer is exact.
   */
  readonly behind?: number;
}

/** One state of the store, and the index beside it. */
export interface SearchedState {
  readonly view: SourceView;
  readonly index: SearchedIndex;
  /**
   * @param mayBeBehind rather answers without it than not at all, unless far more has changed
   * @throws BinderyError SEARCH_UNAVAILABLE: it is too much
   */
  overlayOf(of: Overlaid, mayBeBehind?: boolean): Promise<Overlay>;
  /** The same where it is found to be too much by whoever reads what changed. */
  without(mayBeBehind?: boolean): Promise<Overlay>;
  /** What is searched in the place of one of the indexes. */
  target(name: string): SearchTarget;
  /**
   * Says that the index has answered all it is asked, and the view was asked all it is: the view may be closed, and the
   * index looked at once more, while the view still answers. Quicker than to leave that to the end of the search.
   */
  askedAll(): void;
}

interface ExactSearchOptions {
  readonly source: IndexSource;
  readonly client: SearchClient;
  /** Changed records and terms that are judged beside the index at most. */
  readonly overlayMax: number;
  /** Is the index of the view one that this catalog makes? */
  isUsable(view: SourceView): Promise<boolean>;
}

/** Nothing is answered by an index that is behind by so many times as many changes as are judged beside it. */
const FAR_BEHIND = 10;

/** So often a search is begun at most: it is begun again where the index moved on while it was asked. */
const ATTEMPTS = 10;

/**
 * Runs searches on one state of the store, though the index is always somewhat behind, and moves while it is asked.
 *
 * Let S be a view of the store: all changes up to `head`. The index is one for which the store says, within S, that all
 * its copies show every change up to `applied`. What changed after `applied` and up to `head`, the *overlay*, is left
 * out of every question to the index, and judged here as S has it. So the answer is that of S if the index has of
 * everything else exactly what S has. Let x be a record, or a term, that is not in the overlay.
 *
 * - *The index has nothing of x that is older than S.* Its document was made of some view. `applied` is set after a
 *   refresh of all copies that followed the writing of all that changed up to it. So what is shown of x is as of its
 *   last change up to `applied` at least; and after that x did not change until `head`.
 * - *The index has nothing of x that is newer than S.* Before a document is sent `begun` is set to the `head` of the
 *   view that it was made of, and committed. So if `begun` is not above the head of S when it is looked at *after* the
 *   index has answered, then all that could be seen in it, whoever refreshed it, was made of views that are not newer
 *   than S.
 *
 * If the second look finds a greater number, all is done again, through *points in time* of the index, which are opened
 * before the view: `applied` is read first, then they are opened, then the view is. So they show all up to that
 * `applied`, and whatever they show was begun before the view, which is therefore not older. How long the search takes
 * does not matter then, and nothing has to be looked at once more.
 *
 * A search takes one connection of the store at a time: the second look takes that of its view. Else as many searches
 * as there are connections would wait for each other. The look is sent behind the last reads of the view, so all of
 * these together take one way to the store and back.
 *
 * All that holds of an index that was made of this history of the store, see `OwnedViews`.
 *
 * If the overlay is more than can be judged, a search that may be behind is asked of the index alone, and says so.
 */
export class ExactSearch {
  readonly #options: ExactSearchOptions;
  readonly views: OwnedViews;
  /** Searches that were begun again. */
  repeats = 0;

  constructor(options: ExactSearchOptions) {
    this.#options = options;
    this.views = new OwnedViews(options.source, options.client, options.isUsable);
  }

  /** @param indexesOf names of the indexes that the search asks */
  async run<T>(indexesOf: IndexNames, search: (state: SearchedState) => Promise<T>): Promise<T> {
    const first = await this.#plainly(search);
    if (first !== undefined) return first.answer;
    const held = await this.hold(indexesOf);
    try {
      return await search(held.state);
    } finally {
      await held.close();
    }
  }

  /** Opens a state that stays until it is closed. */
  async hold(indexesOf: IndexNames): Promise<HeldState> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const held = await this.#tryToHold(indexesOf);
      if (held !== undefined) return held;
    }
    throw unavailable("its index is changing too quickly");
  }

  /** @returns undefined where searches ask another index since */
  async #tryToHold(indexesOf: IndexNames): Promise<HeldState | undefined> {
    const { client } = this.#options;
    const { applied, names } = await this.#searched(indexesOf);
    const points: PointInTime[] = [];
    const closePoints = async (): Promise<void> => void (await Promise.all(points.map((point) => point.close())));
    try {
      for (const name of names) points.push(await openPoint(client, name));
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

  /** What would be asked now, and how far it is. */
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
   * Where the index shows more than the view has, it may look as if it were wrong: a hit has no body. That is known
   * only after the second look.
   * @returns undefined where the index has moved on
   */
  async #plainly<T>(search: (state: SearchedState) => Promise<T>): Promise<{ readonly answer: T } | undefined> {
    const view = await this.views.open();
    let looking: Promise<IndexMarks | undefined> | undefined;
    try {
      const index = indexOf(view);
      const look = (): Promise<IndexMarks | undefined> => {
        looking ??= view.closeAndLook(index.name);
        return looking;
      };
      // That the look fails is seen where it is waited for, if the search does not fail before.
      const askedAll = (): void => void look().catch(() => undefined);
      const asked = await outcomeOf(
        search(this.#state(view, index, { target: (name) => ({ index: name }), askedAll })),
      );
      if (this.#isNewer(await look(), view)) return undefined;
      if ("failure" in asked) throw asked.failure;
      return asked;
    } catch (error) {
      if (looking === undefined) await view.close();
      throw error;
    }
  }

  #state(view: SourceView, index: SearchedIndex, asking: Pick<SearchedState, "target" | "askedAll">): SearchedState {
    const { overlayMax } = this.#options;
    const without = async (mayBeBehind = false): Promise<Overlay> => {
      const isTooFar = view.head - index.applied > FAR_BEHIND * overlayMax;
      if (!mayBeBehind || isTooFar) throw unavailable("its index is too far behind the store");
      // Documents that the index refuses are part of the overlay too, so the number of changes may be 0.
      return { records: [], terms: [], behind: Math.max(1, await view.countPublic(index.applied)) };
    };
    return {
      ...{ view, index, ...asking, without },
      overlayOf: async (of, mayBeBehind) =>
        (await view.overlaySince(index.applied, of, overlayMax)) ?? (await without(mayBeBehind)),
    };
  }

  /** The second look: may a search of the index have shown anything newer than the view? */
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

/** @throws BinderyError: it says what the search is told, whatever the index shows */
async function outcomeOf<T>(answer: Promise<T>): Promise<Outcome<T>> {
  try {
    return { answer: await answer };
  } catch (failure) {
    if (failure instanceof BinderyError) throw failure;
    return { failure };
  }
}

type IndexNames = (index: SearchedIndex, view: SourceView) => readonly string[];

interface HeldState {
  readonly state: SearchedState;
  close(): Promise<void>;
}
