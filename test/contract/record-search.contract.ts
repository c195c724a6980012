import { beforeEach, describe, expect, it } from "vitest";
import type { RecordBody } from "../../src/core/record.js";
import type { RecordPage, RecordSearch } from "../../src/ports/search-index.js";
import type { Clause } from "../../src/query/index-model/clause.js";
import type { SortKey } from "../../src/query/ranking/sort-keys.js";
import { all, any, at, not, number, text } from "../differential/clauses.js";
import {
  type EngineUnderTest,
  putAll,
  putOne,
  type RecordEngine,
  species,
  tinyDraft,
  tinyRecord,
} from "../support/engines/engine-under-test.js";
import { openForEachTest } from "../support/engines/open-for-each-test.js";

const PUBLIC = { kind: "public", models: ["other", "tiny"] } as const;
const EVERYTHING: Clause = { kind: "everything" };

/** What every index must find among records. */
export function recordSearchContract(under: EngineUnderTest<RecordEngine>): void {
  describe(`record search contract: ${under.name}`, () => {
    let engine: RecordEngine;
    const search = (clause: Clause, changes: Partial<RecordSearch> = {}): Promise<RecordPage> =>
      engine.index.searchRecords({
        clause,
        scope: PUBLIC,
        facets: [],
        sort: "newest",
        page: { offset: 0, limit: 100 },
        ...changes,
      });
    const find = async (clause: Clause, changes: Partial<RecordSearch> = {}): Promise<string> => {
      const { hits, total } = await search(clause, changes);
      expect(total).toBe(hits.length);
      return hits.map((hit) => hit.id).join(" ");
    };
    const put = (records: Record<string, RecordBody["metadata"]>): Promise<void> =>
      putAll(
        engine,
        Object.entries(records).map(([id, metadata]) => tinyRecord(id, metadata)),
      );

    openForEachTest(under, (opened) => {
      engine = opened;
    });

    describe("text", () => {
      beforeEach(() =>
        put({
          a: { title: "Bovine serum albumin", keywords: ["heat shock", "protein"] },
          b: { title: "Serum", keywords: ["albumin"], undeclared: { deep: ["TNFα größe"] } },
          c: { title: "Albumin serum", depositor: { name: "Serum Albumin" } },
        }),
      );

      it("finds words in all text, declared or not", async () => {
        expect(await find(text("albumin"))).toBe("c b a");
        expect(await find(text("grosse"))).toBe("b");
        expect(await find(text("tnf", "alpha"))).toBe("b");
        expect(await find(text("album"))).toBe("");
      });

      it("answers several searches together as each alone", async () => {
        const common = { scope: PUBLIC, facets: [], sort: "newest" } as const;
        const all = [0, 2].flatMap((limit) =>
          ["albumin", "tnf", "album"].map(
            (word): RecordSearch => ({ ...common, page: { offset: 0, limit }, clause: text(word) }),
          ),
        );
        const pages = await Promise.all(all.map((each) => engine.index.searchRecords(each)));
        expect(pages.map(({ hits, total }) => [hits.length, total])).toEqual([
          ...[3, 1, 0].map((total) => [0, total]),
          ...[3, 1, 0].map((total) => [Math.min(total, 2), total]),
        ]);
        expect((await engine.index.together?.searchRecords(all)) ?? pages).toEqual(pages);
      });

      it("finds words in a row within one value only", async () => {
        expect(await find(text("serum", "albumin"))).toBe("c a");
        expect(await find(text("shock", "protein"))).toBe("");
        expect(await find(at("keywords", "shock", "protein"))).toBe("");
        expect(await find(at("keywords", "heat", "shock"))).toBe("a");
      });

      it("looks at the paths asked for only", async () => {
        expect(await find(at("keywords", "albumin"))).toBe("b");
        expect(await find(at("title", "serum", "albumin"))).toBe("a");
        expect(await find(at("no.such.path", "serum"))).toBe("");
        const paths = ["metadata.keywords", "metadata.depositor.name", "metadata.no.such.path"];
        expect(await find({ kind: "words", place: { in: "paths", paths }, words: ["albumin"] })).toBe("c b");
      });

      it("takes the last word as a beginning", async () => {
        const prefix = (...words: string[]): Clause => ({ kind: "prefix", place: { in: "text" }, words });
        expect(await find(prefix("alb"))).toBe("c b a");
        expect(await find(prefix("serum", "a"))).toBe("c a");
        const inKeywords = { in: "paths", paths: ["metadata.keywords"] } as const;
        expect(await find({ kind: "prefix", place: inKeywords, words: ["prot"] })).toBe("a");
        expect(await find({ kind: "prefix", place: inKeywords, words: ["heat", "s"] })).toBe("a");
        expect(await find({ kind: "prefix", place: inKeywords, words: ["bov"] })).toBe("");
      });

      it("takes * in a word for any letters, and ? for one", async () => {
        const wildcard = (pattern: string, path?: string): Clause => ({
          kind: "wildcard",
          place: path === undefined ? { in: "text" } : { in: "paths", paths: [path] },
          pattern,
        });
        expect(await find(wildcard("b*e"))).toBe("a");
        expect(await find(wildcard("alb?min"))).toBe("c b a");
        expect(await find(wildcard("alb?in"))).toBe("");
        expect(await find(wildcard("gr*e"))).toBe("b");
        expect(await find(wildcard("pro?e*n", "metadata.keywords"))).toBe("a");
        expect(await find(wildcard("b*e", "metadata.keywords"))).toBe("");
        expect(await find(wildcard("b*e", "metadata.no.such.path"))).toBe("");
      });

      it("finds words that are near to a fuzzy one, also in its first letters", async () => {
        const fuzzy = (word: string, edits: 1 | 2, path?: string): Clause => ({
          kind: "fuzzy",
          place: path === undefined ? { in: "text" } : { in: "paths", paths: [path] },
          word,
          edits,
        });
        expect(await find(fuzzy("lbumin", 1))).toBe("c b a");
        expect(await find(fuzzy("ablumni", 1))).toBe("");
        expect(await find(fuzzy("ablumni", 2))).toBe("c b a");
        expect(await find(fuzzy("grösse", 1))).toBe("b");
        expect(await find(fuzzy("protien", 1, "metadata.keywords"))).toBe("a");
        expect(await find(fuzzy("bovin", 1, "metadata.keywords"))).toBe("");
        expect(await find(not(fuzzy("bovin", 1)))).toBe("c b");
        expect(await find(fuzzy("bovin", 1, "metadata.no.such.path"))).toBe("");
      });

      it("reads operators and signs of engines inside a word as text", async () => {
        const hostile = [
          '"',
          '" OR "serum',
          "NEAR",
          "AND",
          "NOT",
          "*",
          "^serum",
          "title:serum",
          "{title}",
          "(",
          "?",
          "@",
        ];
        for (const word of hostile) {
          expect(await find(text(word))).toBe("");
          expect(await find(at("title", word))).toBe("");
        }
        expect(await find(any(text("near", "x"), text("serum")))).toBe("c b a");
      });
    });

    describe("conditions", () => {
      beforeEach(async () => {
        await put({
          a: { ph: 7.4, measured: "2024-05-17", is_calibrated: true, title: "Alpha" },
          b: { ph: 2, samples: [{ concentration: { value: 10 } }, { concentration: { value: 0.5 } }], title: "beta" },
          c: { ph: -1, measured: "2024-06", title: "Ångström", samples: [] },
          d: { ph: "7.4", title: "", keywords: [], organism: {}, measured: "long ago" },
        });
      });

      it("compares numbers as numbers, with open and closed ends", async () => {
        expect(await find(number("ph", 7, 8))).toBe("a");
        expect(await find(number("ph", 2, 7.4))).toBe("b a");
        expect(await find(number("ph", 2, 7.4, false))).toBe("");
        expect(await find(number("ph", undefined, 100))).toBe("b a");
        expect(await find(number("ph"))).toBe("b a");
        expect(await find(number("samples.concentration.value", 0.4, 0.6))).toBe("b");
        expect(await find(number("samples.concentration.value", 1, 9))).toBe("");
        expect(await find(number("no.such.path"))).toBe("");
      });

      it("compares dates, and keywords by code point of their folded forms", async () => {
        const from = { value: Date.UTC(2024, 4, 17) * 1000, inclusive: true };
        const to = { value: Date.UTC(2024, 5, 1) * 1000, inclusive: false };
        expect(await find({ kind: "range", paths: ["metadata.measured"], type: "date", from, to })).toBe("a");
        const keyword = (low: string, high: string): Clause => ({
          kind: "range",
          paths: ["metadata.title"],
          type: "keyword",
          from: { value: low, inclusive: true },
          to: { value: high, inclusive: false },
        });
        expect(await find(keyword("alpha", "beta"))).toBe("c a");
        expect(await find(keyword("b", "\u{10ffff}"))).toBe("b");
      });

      it("finds true and false as keywords", async () => {
        expect(await find(at("is_calibrated", "true"))).toBe("a");
        expect(await find(at("is_calibrated", "false"))).toBe("");
      });

      it("counts neither null nor what is empty nor what is not known as a value", async () => {
        const exists = (...paths: string[]): Clause => ({ kind: "exists", paths: paths.map((p) => `metadata.${p}`) });
        expect(await find(exists("title"))).toBe("c b a");
        expect(await find(exists("keywords", "organism.id"))).toBe("");
        expect(await find(exists("ph"))).toBe("d b a");
        expect(await find(exists("ph", "measured"))).toBe("d c b a");
        expect(await find(exists("no.such.path"))).toBe("");
      });

      it("combines conditions of every kind", async () => {
        const high = number("ph", 5);
        const low = number("ph", undefined, 5);
        expect(await find(all(text("alpha"), high))).toBe("a");
        expect(await find(all(text("beta"), high))).toBe("");
        expect(await find(any(text("beta"), high))).toBe("b a");
        expect(await find(not(high))).toBe("d c b");
        expect(await find(all(not(high), not(low)))).toBe("d c");
        expect(await find(any(not(high), high))).toBe("d c b a");
        expect(await find(all(high, low))).toBe("");
        expect(await find(all(not(text("alpha")), not(text("beta")), not(low)))).toBe("d c");
        expect(await find(not(all(text("alpha"), high)))).toBe("d c b");
        expect(await find(all())).toBe("d c b a");
        expect(await find(any())).toBe("");
      });

      it("answers a tree of any depth that a query may have", async () => {
        let deep: Clause = text("alpha");
        for (let i = 0; i < 40; i++) deep = i % 2 ? all(deep, text("alpha")) : any(not(not(deep)), text("nowhere"));
        expect(await find(deep)).toBe("a");
        for (let i = 0; i < 41; i++) deep = not(all(deep, text("alpha")));
        expect(await find(deep)).toBe("d c b");
      });
    });

    it("finds citations by the exact id, anywhere or at sites", async () => {
      await put({
        a: { organism: { id: "sp:562" } },
        b: { samples: [{ source: { id: "sp:562" } }] },
        c: { organism: { id: "SP:562" } },
        d: { organism: { id: "sp 562" }, samples: [{ source: { id: "ſp:562" } }] },
      });
      const cites = (id: string, ...sites: string[]): Clause => ({
        kind: "cites",
        vocabularies: ["species"],
        id,
        ...(sites.length === 0 ? {} : { sites: sites.map((site) => `metadata.${site}`) }),
        within: false,
      });
      expect(await find(cites("sp:562"))).toBe("b a");
      expect(await find(cites("sp:562", "organism"))).toBe("a");
      expect(await find(cites("sp:562", "organism", "samples.source"))).toBe("b a");
      expect(await find(cites("sp:562", "no.such.site"))).toBe("");
      expect(await find(cites("SP:562"))).toBe("c");
      expect(await find(cites("sp 562"))).toBe("d");
      expect(await find(cites("ſp:562", "samples.source"))).toBe("d");
      expect(await find(cites('sp:562" OR "sp'))).toBe("");
      expect(await find({ kind: "cites", vocabularies: ["x", "species"], id: "sp:562", within: false })).toBe("b a");
      expect(await find({ kind: "cites", vocabularies: ["x"], id: "sp:562", within: false })).toBe("");
    });

    it("finds a record by the titles and synonyms of the terms that it cites", async () => {
      const organism = { id: "sp:562", title: { en: "Escherichia coli" } };
      await putAll(engine, [tinyRecord("a", { organism })], [species("sp:562", "Escherichia coli", ["Bacillus coli"])]);
      expect(await find(text("escherichia", "coli"))).toBe("a");
      expect(await find(text("bacillus"))).toBe("a");
      expect(await find(at("organism.synonyms", "bacillus", "coli"))).toBe("a");
    });

    describe("order and pages", () => {
      const ids = ["a", "b", "c", "d", "e", "f", "g"];
      const walk = async (clause: Clause, changes: Partial<RecordSearch>, limit: number): Promise<string[]> => {
        const found: string[] = [];
        let after: SortKey | null | undefined = null;
        while (after !== undefined) {
          const page: RecordPage = await search(clause, { ...changes, page: { after, limit } });
          found.push(...page.hits.map((hit) => hit.id));
          // As a cursor carries it.
          after = page.next === undefined ? undefined : (JSON.parse(JSON.stringify(page.next)) as SortKey);
          if (found.length > 100) throw new Error("The walk has no end.");
        }
        return found;
      };

      it("lists the newest first, and oldest as the exact mirror, by the order of creation", async () => {
        await put(Object.fromEntries(ids.map((id) => [id, { title: "x" }])));
        await engine.store.transaction(async (tx) => {
          const stored = JSON.parse((await tx.records.get("c", "published"))!.json) as RecordBody;
          await putOne(engine, tx, { ...stored, updated: tx.now, revision_id: 2 });
        });
        for (const clause of [EVERYTHING, text("x"), not(number("ph"))]) {
          expect(await find(clause)).toBe("g f e d c b a");
          expect(await find(clause, { sort: "oldest" })).toBe("a b c d e f g");
        }
      });

      it("lists records by their creation, and those of one instant in the order of their commits", async () => {
        const at = (second: number): Partial<RecordBody> => {
          const created = `2026-11-21T10:00:0${second}.000000+00:00`;
          return { created, updated: created };
        };
        const putAt = (id: string, second: number): Promise<void> =>
          engine.store.transaction(async (tx) => void (await putOne(engine, tx, tinyRecord(id, {}, at(second)))));
        for (const [id, second] of [
          ["m", 5],
          ["z", 5],
          ["a", 5],
          ["k", 6],
          ["b", 8],
        ] as const)
          await putAt(id, second);
        await engine.store.transaction(async (tx) => {
          for (const id of ["y", "c"]) await putOne(engine, tx, tinyRecord(id, {}, at(9)));
        });
        expect(await find(EVERYTHING)).toBe("c y b k a z m");
        expect(await find(EVERYTHING, { sort: "oldest" })).toBe("m z a k b y c");
        expect(await find(EVERYTHING, { sort: "bestmatch" })).toBe("c y b k a z m");
        expect(await walk(EVERYTHING, {}, 2)).toEqual("c y b k a z m".split(" "));
        expect(await find(EVERYTHING, { sort: { by: ["created"], first: "largest" } })).toBe("c y b k a z m");
        expect(await find(EVERYTHING, { sort: { by: ["created"], first: "smallest" } })).toBe("a z m k b c y");
      });

      it("places a published record by its first publication, and an edit by its beginning", async () => {
        const putOf = (body: RecordBody): Promise<void> =>
          engine.store.transaction(async (tx) => void (await putOne(engine, tx, body)));
        const publish = (id: string, revision: number): Promise<void> =>
          engine.store.transaction(async (tx) => {
            await putOne(engine, tx, tinyRecord(id, {}, { revision_id: revision }));
            await tx.records.delete(id, "draft");
          });
        const everybody = { kind: "readable", models: ["tiny"] } as const;
        for (const id of ["a", "b", "c"]) await putOf(tinyDraft(id, {}));
        await publish("b", 2);
        await putOf(tinyDraft("a", { title: "saved again" }, { revision_id: 2 }));
        await publish("a", 3);
        expect(await find(EVERYTHING)).toBe("a b");
        expect(await find(EVERYTHING, { scope: everybody })).toBe("a b c");
        await putOf(tinyDraft("b", {}, { is_published: true, revision_id: 3 }));
        await putOf(tinyDraft("d", {}));
        expect(await find(EVERYTHING, { scope: everybody })).toBe("d b a b c");
        await publish("b", 4);
        expect(await find(EVERYTHING, { scope: everybody })).toBe("d a b c");
      });

      it("gives pages by offset and after a key, without repeating or skipping", async () => {
        await put(Object.fromEntries(ids.map((id) => [id, { title: id < "d" ? "x" : "y", keywords: ["x"] }])));
        for (const clause of [EVERYTHING, text("x"), not(number("ph"))]) {
          for (const sort of ["newest", "oldest", "bestmatch"] as const) {
            const whole = (await search(clause, { sort })).hits.map((hit) => hit.id);
            expect([...whole].sort()).toEqual(ids);
            for (const limit of [1, 2, 3, 7, 8]) expect(await walk(clause, { sort }, limit)).toEqual(whole);
            const page = await search(clause, { sort, page: { offset: 2, limit: 3 } });
            expect(page.hits.map((hit) => hit.id)).toEqual(whole.slice(2, 5));
            const rest = await search(clause, { sort, page: { after: page.next!, limit: 10 } });
            expect(rest.hits.map((hit) => hit.id)).toEqual(whole.slice(5));
            const beyond = await search(clause, { sort, page: { offset: 7, limit: 3 } });
            expect(beyond).toMatchObject({ hits: [], total: 7 });
            expect(beyond.next).toBeUndefined();
          }
        }
      });

      it("goes on from where the last hit stood when records come and go meanwhile", async () => {
        await put(Object.fromEntries(ids.map((id) => [id, {}])));
        const { next } = await search(EVERYTHING, { page: { after: null, limit: 3 } });
        await put({ h: {} });
        await engine.store.transaction((tx) => tx.records.delete("e", "published"));
        const { hits } = await search(EVERYTHING, { page: { after: next!, limit: 10 } });
        expect(hits.map((hit) => hit.id)).toEqual(["d", "c", "b", "a"]);
      });

      it("refuses a key that is none of its own", async () => {
        await put({ a: { title: "x" } });
        for (const key of [[], ["x"], [1.5], [null as unknown as string], ["1", "2"], [Number.NaN]]) {
          for (const sort of ["newest", "oldest", "bestmatch"] as const) {
            const page = { after: key, limit: 1 };
            await expect(search(text("x"), { sort, page })).rejects.toMatchObject({ code: "CURSOR_INVALID" });
          }
        }
      });

      it("ranks by whole ids, whole titles, beginnings of titles, titles, heavy fields and the rest", async () => {
        await put({
          rest: { keywords: ["Serum albumin"] },
          heavy: { depositor: { name: "albumin" }, keywords: ["serum albumin"], title: "serum" },
          title: { title: "Bovine serum albumin" },
          begins: { title: "Serum albumin of cows" },
          whole: { title: "Serum: Albumin" },
          id: { depositor: { identifiers: ["serum-albumin"] } },
          none: { title: "Serum" },
          rest2: { keywords: ["of serum albumin"] },
        });
        const plain = ["serum", "albumin"];
        const phrase = text("serum", "albumin");
        const words = all(text("serum"), text("albumin"));
        const best = { sort: "bestmatch", plain } as const;
        expect(await find(phrase, best)).toBe("id whole begins title rest2 heavy rest");
        expect(await find(words, best)).toBe("id whole begins title heavy rest2 rest");
        expect(await find(words, { sort: "bestmatch" })).toBe("whole begins title id heavy rest2 rest");
        expect(await walk(words, best, 2)).toEqual("id whole begins title heavy rest2 rest".split(" "));
        const mixed = all(words, not(text("cows")), not(number("ph")));
        expect(await find(mixed, { sort: "bestmatch" })).toBe("whole title id heavy rest2 rest");
        const fielded = all(at("keywords", "albumin"));
        expect(await find(fielded, { sort: "bestmatch" })).toBe("rest2 heavy rest");
      });

      it("knows an identifier without its prefix, and without the host of its URL", async () => {
        const identified = (identifier: string) => ({ depositor: { identifiers: [identifier] } });
        await put({
          prefixed: identified("Uniprot:Q9Y6K9"),
          url: identified("https://doi.org/10.5281/zenodo.12"),
          doi: identified("doi:10.5281/zenodo.12"),
          title: { title: "Q9Y6K9" },
          title2: { title: "10.5281/zenodo.12" },
        });
        const best = (...plain: string[]): Promise<string> => find(text(...plain), { sort: "bestmatch", plain });
        expect(await best("q9y6k9")).toBe("prefixed title");
        expect(await best("10", "5281", "zenodo", "12")).toBe("doi url title2");
        expect(await best("doi", "10", "5281", "zenodo", "12")).toBe("doi");
      });

      it("finds model and state by their fields only", async () => {
        await put({ a: {}, b: { title: "Published: a tiny thing" } });
        expect(await find(text("published"))).toBe("b");
        expect(await find(text("tiny"))).toBe("b");
        for (const [path, word] of [
          ["state", "published"],
          ["model", "tiny"],
        ] as const) {
          const place = { in: "paths", paths: [path] } as const;
          expect(await find({ kind: "words", place, words: [word] })).toBe("b a");
        }
      });
    });

    it("finds a record, and those under a parent, by the whole id and never by a part of it", async () => {
      const parent = { id: "kd3a7-x9q42", owner: { user: "1" } };
      await putAll(engine, [
        tinyRecord("zv0gv-btp27", { title: "one" }, { parent }),
        tinyRecord("b", { title: "zv0gv in a title" }),
      ]);
      const is = (value: string, ...paths: string[]): Clause => {
        const end = { value, inclusive: true };
        return { kind: "range", paths, type: "keyword", from: end, to: end };
      };
      expect(await find(is("zv0gv-btp27", "id"))).toBe("zv0gv-btp27");
      expect(await find(is("zv0gv-btp27", "parent.id"))).toBe("");
      expect(await find(is("kd3a7-x9q42", "id", "parent.id"))).toBe("zv0gv-btp27");
      expect(await find(not(is("zv0gv-btp27", "id", "parent.id")))).toBe("b");
      expect(await find({ kind: "exists", paths: ["id"] })).toBe("b zv0gv-btp27");
      expect(await find(text("zv0gv"))).toBe("b");
      const ids = { in: "paths", paths: ["id", "parent.id"] } as const;
      const parts: readonly Clause[] = [
        ...[text("btp27"), text("zv0gv", "btp27"), text("kd3a7"), at("id", "zv0gv"), is("zv0gv", "id", "parent.id")],
        ...([{ in: "text" }, ids] as const).flatMap((place): Clause[] => [
          { kind: "prefix", place, words: ["btp"] },
          { kind: "wildcard", place, pattern: "x9q*2" },
          { kind: "fuzzy", place, word: "kd3a8", edits: 1 },
        ]),
      ];
      for (const clause of parts) expect(await find(clause)).toBe("");
      const plain = ["zv0gv", "btp27"];
      expect(await find(is("zv0gv-btp27", "id", "parent.id"), { sort: "bestmatch", plain })).toBe("zv0gv-btp27");
    });
  });
}
