import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../src/ports/engine.js";
import type { TermSearch, TermSuggest } from "../../src/ports/search-index.js";
import type { Clause } from "../../src/query/index-model/clause.js";
import type { SortKey } from "../../src/query/ranking/sort-keys.js";
import { analyse } from "../../src/query/text/analyse.js";
import {
  contractCatalog,
  type EngineUnderTest,
  makeClock,
  putAll,
  species,
  tinyRecord,
} from "../support/engines/engine-under-test.js";
import { BACTERIA, item, loadAll, putTerms, rank, searchAll, textClause } from "../support/engines/term-fixtures.js";

/** What every index must do with searches and suggestions in a vocabulary. */
export function termSearchContract(under: EngineUnderTest): void {
  describe.each(["single writes", "one load"])(`term search contract: ${under.name}, items by %s`, (way) => {
    let engine: Engine;

    const open = async (): Promise<void> => {
      engine = await under.open({ catalog: contractCatalog(), clock: makeClock() });
      // More than one transaction takes: the items get their ranks together.
      const others = Array.from({ length: 1_000 }, (_, n) => item(500_000 + n, `Other ${n}`));
      if (way === "one load") await loadAll(engine, [...others, ...BACTERIA]);
      else await putTerms(engine, BACTERIA);
    };
    const close = async (): Promise<void> => {
      await engine.close();
      await under.cleanUp();
    };

    const search = async (changes: Partial<TermSearch>) => {
      const found = await engine.index.searchTerms({
        ...{ vocabulary: "species", clause: { kind: "everything" }, facets: [], sort: "title", lang: "en" },
        page: { offset: 0, limit: 10 },
        ...changes,
      });
      return { ...found, ids: found.hits.map((hit) => hit.id) };
    };
    const plain = (text: string) => ({ clause: textClause(text), plain: analyse(text) });
    const suggest = async (text: string, changes: Partial<TermSuggest> = {}) => {
      const found = await engine.index.suggestTerms({
        ...{ vocabulary: "species", text, facets: [], lang: "en", page: { offset: 0, limit: 10 } },
        ...changes,
      });
      return { ...found, ids: found.hits.map((hit) => hit.id) };
    };

    describe("of what is there", () => {
      beforeAll(open);
      afterAll(close);

      it("ranks whole title, title, names: and active before deprecated, species before strains", async () => {
        expect((await searchAll(engine, "coli")).ids).toEqual(["sp:1001", "sp:562", "sp:1000", "sp:83333", "sp:83334"]);
        expect((await searchAll(engine, "escherichia coli")).ids).toEqual(["sp:562", "sp:83333", "sp:83334"]);
        expect((await searchAll(engine, "human")).ids).toEqual(["sp:9606", "sp:9607"]);
        expect((await searchAll(engine, "bäckerhefe")).ids).toEqual(["sp:4932"]);
        expect((await searchAll(engine, "colon")).ids).toEqual(["sp:562"]);
      });

      it("answers several searches together as each alone", async () => {
        const common = { vocabulary: "species", facets: [], sort: "title", lang: "en" } as const;
        const all = [0, 2].flatMap((limit) =>
          ["coli", "escherichia", "nothing"].map(
            (word): TermSearch => ({ ...common, page: { offset: 0, limit }, clause: textClause(word) }),
          ),
        );
        const pages = await Promise.all(all.map((each) => engine.index.searchTerms(each)));
        expect(pages.map(({ hits, total }) => [hits.length, total])).toEqual([
          ...[5, 4, 0].map((total) => [0, total]),
          ...[5, 4, 0].map((total) => [Math.min(total, 2), total]),
        ]);
        expect((await engine.index.together?.searchTerms(all)) ?? pages).toEqual(pages);
      });

      it("never lets a phrase cross from one value to the next", async () => {
        const phrase = (...words: string[]): Clause => ({ kind: "words", place: { in: "text" }, words });
        expect((await search({ clause: phrase("coli", "colon") })).total).toBe(0);
        expect((await search({ clause: phrase("coli", "k") })).ids).toEqual(["sp:83333"]);
        expect((await search({ clause: phrase("cerevisiae", "backerhefe") })).total).toBe(0);
      });

      it("finds words that are near to a fuzzy one, in any text or in a field, ranked as true ones", async () => {
        const fuzzy = (word: string, edits: 1 | 2, ...paths: string[]): Clause => {
          return { kind: "fuzzy", place: paths.length === 0 ? { in: "text" } : { in: "paths", paths }, word, edits };
        };
        expect((await search({ clause: fuzzy("oli", 1), sort: "bestmatch" })).ids).toEqual(
          (await search({ clause: textClause("coli"), sort: "bestmatch" })).ids,
        );
        expect((await search({ clause: fuzzy("humna", 1), sort: "bestmatch" })).ids).toEqual(["sp:9607", "sp:9606"]);
        expect((await search({ clause: fuzzy("humna", 1, "synonyms") })).ids).toEqual(["sp:9606"]);
        expect((await search({ clause: fuzzy("backerhfee", 1, "title.de") })).ids).toEqual(["sp:4932"]);
        expect((await search({ clause: fuzzy("backerhfee", 1, "title.en") })).ids).toEqual([]);
        expect((await search({ clause: fuzzy("cerevisiz", 1) })).total).toBe(0);
      });

      it("sorts by the title of a language, and by the first declared one where it is missing", async () => {
        const clause: Clause = { kind: "exists", paths: ["props.rank"] };
        expect((await search({ clause, lang: "de" })).ids.slice(0, 3)).toEqual(["sp:4932", "sp:1000", "sp:1001"]);
        expect((await search({ clause, lang: "en" })).ids.slice(0, 3)).toEqual(["sp:1000", "sp:1001", "sp:561"]);
        expect((await search({ clause, lang: "xx" })).ids[0]).toBe("sp:1000");
      });

      it("refuses a sort key that it never made", async () => {
        for (const sort of ["bestmatch", "title", "newest"] as const) {
          const page = { after: ["x", 1], limit: 10 };
          await expect(search({ sort, page })).rejects.toMatchObject({ code: "CURSOR_INVALID" });
        }
      });

      it("answers for a vocabulary without items, and refuses one that is not declared", async () => {
        await expect(search({ vocabulary: "nonsense" })).rejects.toMatchObject({ code: "VOCABULARY_NOT_FOUND" });
      });

      it("suggests while somebody types, and says what matched", async () => {
        expect((await suggest("esch")).ids).toEqual(["sp:562", "sp:561", "sp:83333", "sp:83334"]);
        expect((await suggest("escherichia")).ids[0]).toBe("sp:561");
        expect((await suggest("Escherichia c")).ids).toEqual(["sp:562", "sp:83333", "sp:83334"]);
        const [yeast] = (await suggest("baker's ye")).hits;
        expect(yeast).toMatchObject({ id: "sp:4932", matched: { field: "synonyms", text: "baker's yeast" } });
        expect((await suggest("bäck")).hits[0]).toMatchObject({ matched: { field: "title.de", text: "Bäckerhefe" } });
        expect((await suggest("human")).ids).toEqual(["sp:9606", "sp:9607"]);
        expect((await suggest("562")).hits[0]).toMatchObject({
          id: "sp:562",
          matched: { field: "id", text: "sp:562" },
        });
        expect((await suggest("58-08")).hits[0]!.matched).toEqual({ field: "props.codes", text: "cas:58-08-2" });
      });

      it.each(["S. cerevisiae", "S cerev", "s.cerevisiae"])("reads the initial in %s", async (text) => {
        expect((await suggest(text)).ids).toEqual(["sp:4932", "sp:4933"]);
      });

      it("pages suggestions like a search, with totals", async () => {
        const first = await suggest("e", { page: { after: null, limit: 2 } });
        const second = await suggest("e", { page: { after: first.next!, limit: 10 } });
        expect([...first.ids, ...second.ids]).toEqual((await suggest("e")).ids);
        expect(second.total).toBe(first.total);
        expect(second.hits.every((hit) => hit.matched.text !== "")).toBe(true);
      });

      it.each([
        ...['"', 'coli" OR "human', "* NOT", "coli)", "{title} : coli", "coli NEAR human", "rowid:1", "-coli ^human"],
        "\u{1d7c0} \u0000 coli",
      ])("reads hostile text %j as words", async (text) => {
        const found = await suggest(text);
        expect(found.total).toBe(found.ids.length);
      });
    });

    describe("of what was written since", () => {
      beforeEach(open);
      afterEach(close);

      it("finds an identifier, however it is written, best of all", async () => {
        await putTerms(engine, [item(7, "Strain 562 58-08-2")]);
        const page = "https://species.example.org/taxonomy?id=562";
        for (const text of ["562", "sp:562", page, "species.org/562", "58-08-2", "cas:58-08-2"]) {
          const found = await searchAll(engine, text);
          expect([text, found.ids[0]]).toEqual([text, "sp:562"]);
          expect(found.total).toBe(found.ids.length);
        }
      });

      it("puts what published records cite first within its step, and follows deletions", async () => {
        const cite = (id: string, term: number) => {
          const organism = { id: `sp:${term}`, title: { en: "Cited" } };
          return putAll(engine, [tinyRecord(id, { organism })], [species(`sp:${term}`, "Cited")]);
        };
        await cite("a", 1000);
        await cite("b", 1000);
        await cite("c", 83334);
        expect(await engine.store.terms.citations("species", "sp:1000")).toBe(2);
        expect((await searchAll(engine, "coli")).ids).toEqual(["sp:1001", "sp:1000", "sp:83334", "sp:562", "sp:83333"]);
        // Deprecated ones stay behind active ones, however often they are cited; pages go on where the last one ended.
        await putTerms(engine, [item(1002, "Cited coli", { status: "deprecated" })]);
        await cite("d", 1002);
        const page = (after: SortKey | null, limit: number) =>
          search({ ...plain("coli"), sort: "bestmatch", page: { after, limit } });
        const ids: string[] = [];
        for (let after: SortKey | null | undefined = null; after !== undefined; ) {
          const found: Awaited<ReturnType<typeof page>> = await page(after, 1);
          ids.push(...found.ids);
          after = found.next;
        }
        expect(ids).toEqual(["sp:1001", "sp:1000", "sp:83334", "sp:562", "sp:83333", "sp:1002"]);
        // The order by citations needs no query, and its cursors work in the same way.
        const byUse = (after: SortKey | null, limit: number) => search({ sort: "mostcited", page: { after, limit } });
        const first = await byUse(null, 2);
        expect(first.ids).toEqual(["sp:1000", "sp:83334"]);
        const rest = await byUse(first.next!, 2_000);
        expect([rest.ids.includes("sp:1000"), rest.ids.includes("sp:83334")]).toEqual([false, false]);
        // Deprecated terms are last, in the same order.
        expect(rest.ids.slice(-2)).toEqual(["sp:1002", "sp:1001"]);
        expect(first.ids.length + rest.ids.length).toBe(first.total);
        expect((await search({ ...plain("coli"), sort: "mostcited" })).ids.slice(0, 2)).toEqual(first.ids);
        for (const id of ["a", "b", "c", "d"])
          await engine.store.transaction((tx) => tx.records.delete(id, "published"));
        await engine.store.transaction((tx) => tx.terms.delete("species", "sp:1002"));
        expect((await searchAll(engine, "coli")).ids.slice(0, 2)).toEqual(["sp:1001", "sp:562"]);
      });

      it("shows a single write in the very next search", async () => {
        await putTerms(engine, [item(562, "Renamed", rank("species")), item(42, "Coli nova", rank("species"))]);
        expect((await searchAll(engine, "coli")).ids).toEqual(["sp:1001", "sp:42", "sp:1000", "sp:83333", "sp:83334"]);
        expect((await searchAll(engine, "renamed")).ids).toEqual(["sp:562"]);
        const child = JSON.parse((await search({ parent: "sp:562" })).hits[0]!.json);
        expect(child.parent).toEqual({ id: "sp:562", title: { en: "Renamed" } });
      });

      it("filters by a facet to what is there, whatever was written and taken away since", async () => {
        const species = { facets: [{ name: "rank", size: 10, selected: ["species"] }] };
        const before = (await search(species)).total;
        await putTerms(engine, [item(42, "Nova", rank("species")), item(562, "Renamed", rank("species"))]);
        expect((await search(species)).total).toBe(before + 1);
        await putTerms(engine, [item(42, "Nova", rank("genus")), item(562, "Again", rank("species"))]);
        expect(await search(species)).toMatchObject({ total: before, ids: expect.not.arrayContaining(["sp:42"]) });
        await engine.store.transaction((tx) => tx.terms.delete("species", "sp:562"));
        expect((await search(species)).total).toBe(before - 1);
      });
    });
  });
}
