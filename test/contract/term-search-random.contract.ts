import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Facet } from "../../src/core/catalog/types.js";
import type { TermContent } from "../../src/core/term.js";
import type { Engine } from "../../src/ports/engine.js";
import type { PageWindow, TermSearch } from "../../src/ports/search-index.js";
import { termFields } from "../../src/query/fields/field-lookup.js";
import type { QueryNode } from "../../src/query/parse/tree.js";
import type { SortKey } from "../../src/query/ranking/sort-keys.js";
import { type ResolvedQuery, resolveQuery } from "../../src/query/resolve/resolve.js";
import { analyse } from "../../src/query/text/analyse.js";
import { assertAll } from "../support/all-together.js";
import { arbitraryClause } from "../support/clause-arbitraries.js";
import { contractCatalog, type EngineUnderTest, makeClock } from "../support/engines/engine-under-test.js";
import { item, loadAll, putTerms, textClause } from "../support/engines/term-fixtures.js";
import { asRecord, bestMatch, compareKeys, descendants, randomItems } from "../support/engines/term-reference.js";
import { arbitraryText, arbitraryTree, TINY_TERM_NAMES } from "../support/query-arbitraries.js";
import { matches, type World } from "../support/reference-evaluator.js";
import { SEED } from "../support/seed.js";
import { tinyVocabulary } from "../support/tiny-catalog.js";

const LOADED = 1_100;
/** Trees of the first test; the others have a share of them. */
const TREES = process.env.TEST_LONG ? 20_000 : 120;
const EDGES = [0, 2.5, 8];
const SIZES: Facet = {
  ...{ name: "size", label: "Size", path: "props.genome_size" },
  ...{ kind: "histogram", scale: "linear", edges: EDGES },
};
const vocabulary = tinyVocabulary("species", { facets: [...tinyVocabulary().facets, SIZES] });
const fields = termFields(vocabulary);
const ALL: PageWindow = { offset: 0, limit: 2_000 };

/** Every engine answers any query as the reference evaluator does: same ids, same order, same total. */
export function termSearchRandomContract(under: EngineUnderTest): void {
  describe(`random term searches: ${under.name}`, () => {
    let engine: Engine;
    let items: TermContent[];
    const created = new Map<string, string>();
    const parents = new Map<string, string | undefined>();
    const world: World = { parentOf: (_, id) => parents.get(id) };

    beforeAll(async () => {
      engine = await under.open({
        catalog: { ...contractCatalog(), vocabularies: new Map([["species", vocabulary]]) },
        clock: makeClock(),
      });
      // Most come in one load; some are changed, moved, deleted or added by single writes.
      const loaded = randomItems(LOADED, 1);
      await loadAll(engine, loaded);
      const byId = new Map(loaded.map((content) => [content.id, content]));
      const changes = randomItems(LOADED + 40, 2).filter((_, n) => n % 45 === 0 || n >= LOADED);
      for (const content of changes) byId.set(content.id, content);
      await putTerms(engine, changes);
      for (const id of ["sp:3", "sp:111", "sp:1105"]) {
        await engine.store.transaction((tx) => tx.terms.delete("species", id));
        byId.delete(id);
      }
      items = [...byId.values()];
      for (const { id, parent } of items) parents.set(id, parent);
      for (const { id, term } of await engine.store.terms.getMany("species", [...byId.keys()])) {
        created.set(id, JSON.parse(term.json).created);
      }
    });
    afterAll(async () => {
      await engine.close();
      await under.cleanUp();
    });

    const search = async (changes: Partial<TermSearch>) => {
      const found = await engine.index.searchTerms({
        vocabulary: "species",
        clause: { kind: "everything" },
        facets: [],
        sort: "bestmatch",
        lang: "en",
        page: ALL,
        ...changes,
      });
      return { ids: found.hits.map((hit) => hit.id), total: found.total, facets: found.facets, next: found.next };
    };
    const resolve = (tree: QueryNode): ResolvedQuery => resolveQuery(tree, fields, 0);
    const hit = (id: string): TermContent => items.find((content) => content.id === id)!;
    const expectRanked = async ({ clause, plain }: Pick<ResolvedQuery, "clause" | "plain">): Promise<void> => {
      const wanted = bestMatch(clause, plain, items, vocabulary, { world });
      const found = await search({ clause, ...(plain === undefined ? {} : { plain }) });
      expect(found.ids).toEqual(wanted);
      expect(found.total).toBe(wanted.length);
    };

    it("finds and ranks what the reference evaluator does", { timeout: 6_000_000 }, async () => {
      const trees = { count: TREES, seed: SEED + 7 };
      await assertAll(arbitraryTree(TINY_TERM_NAMES), trees, (tree) => expectRanked(resolve(tree)));
    });

    it("finds and ranks it for clauses about the items' own values too", { timeout: 6_000_000 }, async () => {
      const above = (id: string): readonly string[] => {
        const parent = parents.get(id);
        return parent === undefined ? [] : [parent, ...above(parent)];
      };
      const records = items.slice(0, 200).map((content) => asRecord(content, vocabulary));
      const ancestorsOf = (_: string, id: string) => above(id);
      const clauses = arbitraryClause(records, { isDate: () => false, ancestorsOf });
      await assertAll(clauses, { count: TREES / 2, seed: SEED + 12 }, (clause) => expectRanked({ clause }));
    });

    it("finds it below an item and right below one", { timeout: 6_000_000 }, async () => {
      const place = fc.tuple(fc.constantFrom("parent" as const, "ancestor" as const), fc.nat(60));
      const both = fc.tuple(arbitraryTree(TINY_TERM_NAMES, 2), place);
      await assertAll(both, { count: TREES / 4, seed: SEED + 13 }, async ([tree, [kind, n]]) => {
        const { clause, plain } = resolve(tree);
        const found = await search({ clause, ...(plain && { plain }), [kind]: `sp:${n}` });
        const below = descendants(items, `sp:${n}`);
        const isBelow = (id: string): boolean => (kind === "parent" ? parents.get(id) === `sp:${n}` : below.has(id));
        expect(found.ids).toEqual(bestMatch(clause, plain, items, vocabulary, { world }).filter(isBelow));
      });
    });

    it("ranks plain words by the steps", { timeout: 6_000_000 }, async () => {
      const texts = arbitraryText.filter((text) => analyse(text).length > 0);
      await assertAll(texts, { count: TREES / 4, seed: SEED + 8 }, async (text) => {
        const clause = textClause(text);
        const found = await search({ clause, plain: analyse(text) });
        expect(found.ids).toEqual(bestMatch(clause, analyse(text), items, vocabulary));
      });
    });

    it("sorts by title, newest and oldest, with and without a query", { timeout: 6_000_000 }, async () => {
      const titleKey = ({ id, title }: TermContent, lang: string): [string, string, string] => {
        const text = title[lang] ?? title.en ?? title.de ?? Object.values(title)[0]!;
        return [analyse(text).join(" "), text, id];
      };
      const orders = [
        { sort: "title", lang: "en", key: (content: TermContent) => titleKey(content, "en") },
        { sort: "title", lang: "de", key: (content: TermContent) => titleKey(content, "de") },
        { sort: "oldest", lang: "en", key: ({ id }: TermContent) => [created.get(id)!, id] },
      ] as const;
      await fc.assert(
        fc.asyncProperty(arbitraryTree(TINY_TERM_NAMES, 1), async (tree) => {
          const { clause } = resolve(tree);
          const matching = items.filter((content) => matches(clause, asRecord(content, vocabulary), world));
          for (const { sort, lang, key } of orders) {
            const wanted = [...matching].sort((a, b) => compareKeys(key(a), key(b))).map(({ id }) => id);
            expect((await search({ clause, sort, lang })).ids).toEqual(wanted);
            if (sort === "oldest") expect((await search({ clause, sort: "newest" })).ids).toEqual(wanted.reverse());
          }
        }),
        { numRuns: TREES / 10, seed: SEED + 9 },
      );
    });

    it("pages by offset and by key through the same order", { timeout: 6_000_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(
          arbitraryTree(TINY_TERM_NAMES, 1),
          fc.constantFrom("bestmatch" as const, "title" as const, "newest" as const, "oldest" as const),
          fc.integer({ min: 30, max: 400 }),
          async (tree, sort, limit) => {
            const { clause, plain } = resolve(tree);
            const query = { clause, sort, ...(plain === undefined ? {} : { plain }) };
            const all = await search(query);
            const paged: string[] = [];
            for (let after: SortKey | null | undefined = null; after !== undefined; ) {
              const page: { ids: string[]; next: SortKey | undefined } = await search({
                ...query,
                page: { after, limit },
              });
              paged.push(...page.ids);
              after = page.next;
            }
            expect(paged).toEqual(all.ids);
            const second = await search({ ...query, page: { offset: limit, limit } });
            expect(second.ids).toEqual(all.ids.slice(limit, limit * 2));
            expect(second.next === undefined).toBe(all.ids.length <= limit * 2);
          },
        ),
        { numRuns: TREES / 10, seed: SEED + 10 },
      );
    });

    it("counts facets over all hits, and leaves the own filter out", { timeout: 6_000_000 }, async () => {
      const ranks = ["species", "genus", "strain", "a b", "Lysozyme", "none"];
      await fc.assert(
        fc.asyncProperty(arbitraryTree(TINY_TERM_NAMES, 1), fc.subarray(ranks), async (tree, selected) => {
          const { clause } = resolve(tree);
          const matching = items.filter((content) => matches(clause, asRecord(content, vocabulary), world));
          const isSelected = ({ props }: TermContent) => selected.length === 0 || selected.includes(`${props.rank}`);
          const facets = [{ name: "rank", size: 2, selected }];
          const found = await search({ clause, facets });
          expect(found.total).toBe(matching.filter(isSelected).length);
          const [counts] = found.facets;
          const countOf = (rank: string) => matching.filter(({ props }) => props.rank === rank).length;
          for (const { key, count } of counts!.buckets) expect([key, count]).toEqual([key, countOf(key)]);
          for (const rank of selected) expect(counts!.buckets.map(({ key }) => key)).toContain(rank);
          const listed = counts!.buckets.reduce((sum, { count }) => sum + count, 0);
          expect(listed + counts!.other).toBe(matching.filter(({ props }) => props.rank !== undefined).length);
        }),
        { numRuns: TREES / 8, seed: SEED + 11 },
      );
    });

    it("counts numbers in bins, and filters by them", async () => {
      const keys = ["..0", "0..2.5", "2.5..8", "8.."];
      const binOf = ({ props }: TermContent): string | undefined => {
        const { genome_size: size } = props;
        if (typeof size !== "number") return undefined;
        return keys[EDGES.filter((edge) => edge <= size).length];
      };
      const facet = { name: "size", size: 9 };
      await fc.assert(
        fc.asyncProperty(arbitraryTree(TINY_TERM_NAMES, 1), fc.subarray([...keys, "none"]), async (tree, selected) => {
          const { clause } = resolve(tree);
          const matching = items.filter((content) => matches(clause, asRecord(content, vocabulary), world));
          const found = await search({ clause, facets: [{ ...facet, selected }] });
          const isSelected = (content: TermContent) => selected.includes(binOf(content) ?? "no bin");
          expect(found.total).toBe(selected.length === 0 ? matching.length : matching.filter(isSelected).length);
          const countOf = (bin: string) => matching.filter((content) => binOf(content) === bin).length;
          const { buckets, other } = found.facets[0]!;
          for (const { key, count } of buckets) expect([key, count]).toEqual([key, countOf(key)]);
          expect(buckets.map(({ key }) => key)).toEqual(
            expect.arrayContaining([...selected, ...keys.filter((key) => countOf(key) > 0)]),
          );
          expect(other).toBe(0);
        }),
        { numRuns: 30, seed: SEED + 12 },
      );
    });

    it("counts numbers in ranges that are asked for, and in equal steps between the extremes", async () => {
      const ranges: readonly (readonly [key: string, from: number, to: number])[] = [
        ["1..7", 1, 7],
        ["..1", -Infinity, 1],
        ["2.5..", 2.5, Infinity],
      ];
      const check = async (tree: QueryNode, chosen: typeof ranges, steps: number): Promise<void> => {
        const { clause } = resolve(tree);
        const matching = items.filter((content) => matches(clause, asRecord(content, vocabulary), world));
        const sizes = matching.flatMap(({ props }) => (typeof props.genome_size === "number" ? props.genome_size : []));
        const countIn = (from: number, to: number) => sizes.filter((size) => from <= size && size < to).length;
        const selected = chosen.map(([key]) => key);
        const found = await search({ clause, facets: [{ name: "size", size: 9, selected, steps }] });
        const isChosen = (size: number) => chosen.some(([, from, to]) => from <= size && size < to);
        expect(found.total).toBe(chosen.length === 0 ? matching.length : sizes.filter(isChosen).length);
        const { buckets, min, max } = found.facets[0]!;
        const extremes = sizes.length === 0 ? [undefined, undefined] : [Math.min(...sizes), Math.max(...sizes)];
        expect([min, max]).toEqual(extremes);
        const made = buckets.slice(0, buckets.length - chosen.length);
        expect(buckets.slice(made.length)).toEqual(
          chosen.map(([key, from, to]) => ({ key, count: countIn(from, to) })),
        );
        for (const { key, count } of made) {
          const [from, to] = key.split("..").map(Number);
          expect([key, count]).toEqual([key, countIn(from!, to!)]);
        }
        expect(made.reduce((sum, { count }) => sum + count, 0)).toBe(sizes.length);
      };
      const asked = [arbitraryTree(TINY_TERM_NAMES, 1), fc.subarray([...ranges]), fc.constantFrom(1, 4, 24)] as const;
      await fc.assert(fc.asyncProperty(...asked, check), { numRuns: 30, seed: SEED + 15 });
    });

    it("narrows to children and to descendants, also after single writes moved them", async () => {
      await putTerms(engine, [item(5_001, "New root"), item(5_002, "New leaf", { parent: "sp:5001" })]);
      items.push(item(5_001, "New root"), item(5_002, "New leaf", { parent: "sp:5001" }));
      const check = async (): Promise<void> => {
        for (const id of ["sp:0", "sp:1", "sp:2", "sp:7", "sp:45", "sp:90", "sp:none", "sp:5001", "sp:5002"]) {
          const below = descendants(items, id);
          expect((await search({ ancestor: id })).ids.sort()).toEqual([...below].sort());
          const children = items.filter((content) => content.parent === id).map((content) => content.id);
          expect((await search({ parent: id })).ids.sort()).toEqual(children.sort());
        }
      };
      await check();
      // A whole subtree moves below another item.
      const moved = { ...hit("sp:1"), parent: "sp:5002" };
      await putTerms(engine, [moved]);
      items[items.indexOf(hit("sp:1"))] = moved;
      await check();
    });

    it("finds after single writes what is there then", { timeout: 6_000_000 }, async () => {
      for (const { id, parent } of items) parents.set(id, parent);
      const changed = randomItems(LOADED, 3);
      const writes = fc.array(fc.tuple(fc.nat(LOADED - 1), fc.boolean()), { minLength: 1, maxLength: 3 });
      const same = fc.asyncProperty(writes, arbitraryTree(TINY_TERM_NAMES), async (some, tree) => {
        for (const [n, isDeleted] of some) {
          const content = changed[n]!;
          if (isDeleted) await engine.store.transaction((tx) => tx.terms.delete("species", content.id));
          else await putTerms(engine, [content]);
          items = items.filter(({ id }) => id !== content.id);
          if (!isDeleted) items.push(content);
          parents.delete(content.id);
          if (!isDeleted) parents.set(content.id, content.parent);
        }
        await expectRanked(resolve(tree));
      });
      await fc.assert(same, { numRuns: TREES / 4, seed: SEED + 14 });
    });
  });
}
