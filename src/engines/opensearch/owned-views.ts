import type { IndexSource, SourceView } from "../../ports/index-source.js";
import { unavailable } from "./connection/map-error.js";
import type { SearchClient } from "./connection/search-client.js";
import { readMark } from "./relay/index-mark.js";

/**
 * Opens views of the store, of which it is known that their index was made of the same history: not of one that the
 * database has lost, because it was put back to an older state, and with nothing lost because OpenSearch was.
 *
 * The mark of the index is read once for each run of the database, *after* a view of this run was seen, and compared
 * with `begun` of a view that is opened after that. `begun` is noted before the mark is, so it is not less, unless the
 * database has lost what was noted. It was noted before `applied` of the first view was, so it is not less than that,
 * unless OpenSearch has lost it, and documents with it. Whoever writes looks in the same way, later too.
 */
export class OwnedViews {
  readonly #source: IndexSource;
  readonly #client: SearchClient;
  readonly #isUsable: (view: SourceView) => Promise<boolean>;
  /** Digests of what indexes of other catalogs were made with. */
  readonly #others = new Set<string>();
  /** The index and the run that were compared last. */
  #known: string | undefined;

  /** @param isUsable is the index of the view one that this catalog makes? */
  constructor(source: IndexSource, client: SearchClient, isUsable: (view: SourceView) => Promise<boolean>) {
    this.#source = source;
    this.#client = client;
    this.#isUsable = isUsable;
  }

  /** Opens a view with an index of this catalog, if there is one, of whatever history. */
  async openAny(): Promise<SourceView> {
    for (;;) {
      const view = await this.#source.openView([...this.#others]);
      try {
        if (view.index === undefined || (await this.#isUsable(view))) return view;
        this.#others.add(view.index.digest);
      } catch (error) {
        await view.close();
        throw error;
      }
      await view.close();
    }
  }

  /** @throws BinderyError SEARCH_UNAVAILABLE */
  async open(): Promise<SourceView> {
    for (let looked: Looked | undefined; ; ) {
      const view = await this.openAny();
      const { index, run } = view;
      const key = index && JSON.stringify([run, index.name, index.epoch]);
      if (index === undefined || key === this.#known) return view;
      if (looked !== undefined && looked.key === key && looked.begun <= index.begun) {
        this.#known = key;
        return view;
      }
      await view.close();
      if (looked?.key === key) throw unavailable("its index is being made");
      const mark = await readMark(this.#client, index.name);
      const isWhole = mark?.epoch === index.epoch && mark.begun >= index.applied;
      looked = { key, begun: isWhole ? mark.begun : Number.POSITIVE_INFINITY };
    }
  }
}

interface Looked {
  readonly key: string | undefined;
  readonly begun: number;
}
