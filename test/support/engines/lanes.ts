import fc from "fast-check";
import { expect } from "vitest";
import type { RecordBody } from "../../../src/core/record.js";
import type { CitedTerm, TermContent } from "../../../src/core/term.js";
import type { TermSearch } from "../../../src/ports/search-index.js";
import { termFields } from "../../../src/query/fields/field-lookup.js";
import { resolveQuery } from "../../../src/query/resolve/resolve.js";
import { ALL, type AnySearch, arbitrarySearch, bodyOf, searchOf, shown } from "../../differential/differential-pair.js";
import type { Setting } from "../../differential/differential-setting.js";
import { putRecord } from "../put-record.js";
import { arbitraryTree, TINY_TERM_NAMES } from "../query-arbitraries.js";
import { type SeededRandom, seeded } from "../random.js";
import type { World } from "../reference-evaluator.js";
import type { ClusterEngine } from "./cluster-under-test.js";
import type { RecordEngine } from "./engine-under-test.js";
import { makeReferenceEngine } from "./reference-engine.js";
import { stream } from "./term-fixtures.js";
import { bestMatch, randomItems } from "./term-reference.js";

/** Ids that a lane writes again and again: of records, and of terms. */
const RECORDS = 20;
const TERMS = 12;
/** Of so many checks one is about terms; so it is with writes. */
const TERMS_EVERY = 6;

/**
 * What one owner has, in a cluster and in the reference engine: nobody else changes it, so that what a search of it
 * must find is known at any moment, however much is written beside it.
 */
export interface Lane {
  /** Writes something, through this node. */
  write(node: ClusterEngine): Promise<void>;
  /**
   * Asks this node something, and compares.
   * @returns how much was found
   */
  check(node: ClusterEngine): Promise<number>;
  /** Whether somebody is writing or asking. */
  isBusy: boolean;
  /** Changes, since when nobody asked. */
  readonly unseen: number;
  /** The node that has written last. */
  readonly writtenBy: ClusterEngine | undefined;
}

/** Lanes on a cluster that has nothing yet. */
export async function makeLanes(
  count: number,
  first: ClusterEngine,
  setting: Setting,
  seed: number,
): Promise<readonly Lane[]> {
  const { vocabulary, items } = setting;
  await first.store.loadTerms(vocabulary, stream(items));
  const citations = await first.store.terms.cite(items.map(({ id }) => ({ vocabulary, id })));
  const bodies = setting.contents.map((content, n) => bodyOf(n, content, "draft"));
  const searches = fc.sample(arbitrarySearch({ setting, bodies }), { numRuns: 4_000, seed });
  const shared: Shared = {
    setting,
    cited: citations.map(({ term }) => term),
    searches,
    ...termSearches(setting, seed),
  };
  return Array.from({ length: count }, (_, n) => new OwnersLane(`${n + 1}`, shared, seeded(seed + n)));
}

interface Shared {
  readonly setting: Setting;
  readonly cited: readonly CitedTerm[];
  readonly searches: readonly AnySearch[];
  readonly clauses: readonly TermSearch["clause"][];
  readonly contents: readonly TermContent[];
}

function termSearches({ catalog, vocabulary }: Setting, seed: number): Pick<Shared, "clauses" | "contents"> {
  const fields = termFields(catalog.vocabularies.get(vocabulary)!);
  const trees = fc.sample(arbitraryTree(TINY_TERM_NAMES, 2), { numRuns: 500, seed });
  return {
    clauses: trees.map((tree) => resolveQuery(tree, fields, 0).clause),
    contents: randomItems(200, seed).map(({ parent: _, ...content }) => content),
  };
}

/** A word that only terms of this owner have. */
const markOf = (owner: string): string =>
  `lane${String.fromCharCode(...[...owner].map((digit) => 97 + Number(digit)))}`;

class OwnersLane implements Lane {
  readonly #owner: string;
  readonly #shared: Shared;
  readonly #random: SeededRandom;
  readonly #reference: RecordEngine;
  readonly #terms = new Map<string, TermContent>();
  isBusy = false;
  unseen = 0;
  writtenBy: ClusterEngine | undefined;

  constructor(owner: string, shared: Shared, random: SeededRandom) {
    this.#owner = owner;
    this.#shared = shared;
    this.#random = random;
    const { catalog, items, vocabulary } = shared.setting;
    const parents = new Map(items.map(({ id, parent }) => [id, parent]));
    const world: World = { parentOf: (name, id) => (name === vocabulary ? parents.get(id) : undefined) };
    this.#reference = makeReferenceEngine(catalog, world);
  }

  async write(node: ClusterEngine): Promise<void> {
    if (this.#random.integer(1, TERMS_EVERY) === 1) await this.#writeTerm(node);
    else await this.#writeRecord(node);
    this.unseen += 1;
    this.writtenBy = node;
  }

  check(node: ClusterEngine): Promise<number> {
    this.unseen = 0;
    return this.#random.integer(1, TERMS_EVERY) === 1 ? this.#checkTerms(node) : this.#checkRecords(node);
  }

  /** Saves a draft, publishes it, edits what is published, or deletes. */
  async #writeRecord(node: ClusterEngine): Promise<void> {
    const n = this.#random.integer(0, RECORDS - 1);
    const act = this.#random.pick(["draft", "draft", "publish", "publish", "edit", "delete"] as const);
    const at = (state: RecordBody["state"]): RecordBody => {
      const body = bodyOf(n, this.#random.pick(this.#shared.setting.contents), state);
      const parent = { id: `w${this.#owner}p${n}`, owner: { user: this.#owner } };
      return { ...body, id: `w${this.#owner}r${n}`, parent };
    };
    const puts = act === "delete" ? [] : [at(act === "draft" ? "draft" : "published")];
    const deletes =
      act === "publish" ? ["draft" as const] : act === "delete" ? ["draft" as const, "published" as const] : [];
    const { catalog } = this.#shared.setting;
    for (const { store } of [node, this.#reference]) {
      await store.transaction(async ({ records }) => {
        for (const body of puts) await putRecord({ store, catalog }, records, body, this.#shared.cited);
        for (const state of deletes) await records.delete(`w${this.#owner}r${n}`, state);
      });
    }
  }

  async #writeTerm({ store }: ClusterEngine): Promise<void> {
    const id = `sp:w${this.#owner}t${this.#random.integer(0, TERMS - 1)}`;
    const { vocabulary } = this.#shared.setting;
    if (this.#random.integer(1, 5) === 1 && this.#terms.has(id)) {
      await store.transaction(({ terms }) => terms.delete(vocabulary, id));
      this.#terms.delete(id);
      return;
    }
    const content = this.#random.pick(this.#shared.contents);
    const mark = { name: markOf(this.#owner), kind: "synonym" };
    const term: TermContent = { ...content, id, synonyms: [mark, ...(content.synonyms ?? [])] };
    await store.transaction(({ terms }) => terms.put(vocabulary, term));
    this.#terms.set(id, term);
  }

  async #checkRecords({ index }: ClusterEngine): Promise<number> {
    const { setting, searches } = this.#shared;
    const models = [...setting.catalog.models.keys()];
    const scope = { kind: "owner", owner: this.#owner, models, allVersions: true } as const;
    const search = searchOf(this.#random.pick(searches), ALL, { scope });
    const found = shown(await index.searchRecords(search));
    expect(found).toEqual(shown(await this.#reference.index.searchRecords(search)));
    return found.total;
  }

  async #checkTerms({ index }: ClusterEngine): Promise<number> {
    const { setting, clauses } = this.#shared;
    const { vocabulary, catalog } = setting;
    const own: TermSearch["clause"] = { kind: "words", place: { in: "text" }, words: [markOf(this.#owner)] };
    const clause: TermSearch["clause"] = { kind: "all", of: [own, this.#random.pick(clauses)] };
    const asked = { vocabulary, clause, facets: [], sort: "bestmatch", lang: "en", page: ALL } as const;
    const { hits, total } = await index.searchTerms(asked);
    const expected = bestMatch(clause, undefined, [...this.#terms.values()], catalog.vocabularies.get(vocabulary)!);
    expect(hits.map(({ id }) => id)).toEqual(expected);
    expect(total).toBe(expected.length);
    return total;
  }
}
