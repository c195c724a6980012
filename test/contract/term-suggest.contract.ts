import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TermContent } from "../../src/core/term.js";
import type { Engine } from "../../src/ports/engine.js";
import type { TermSuggest } from "../../src/ports/search-index.js";
import type { LeafValue } from "../../src/query/index-model/leaves.js";
import type { SortKey } from "../../src/query/ranking/sort-keys.js";
import { readTypedText, type TypedWord } from "../../src/query/ranking/typed-words.js";
import { analyse } from "../../src/query/text/analyse.js";
import { contractCatalog, type EngineUnderTest, makeClock } from "../support/engines/engine-under-test.js";
import { item, loadAll, putTerms } from "../support/engines/term-fixtures.js";
import { asRecord, compareKeys } from "../support/engines/term-reference.js";
import { editsBetween, matches } from "../support/reference-evaluator.js";
import { SEED } from "../support/seed.js";
import { tinyVocabulary } from "../support/tiny-catalog.js";

const TYPINGS = process.env.TEST_LONG === "1" ? 2_000 : 30;

/** An engine whose searches are requests needs it. */
const LONG = { timeout: 6_000_000 };

const vocabulary = tinyVocabulary();

const GENERA = ["Escherichia", "Eschscholzia", "Saccharomyces", "Streptomyces", "Staphylococcus", "Homo", "Bacillus"];
const EPITHETS = ["coli", "cerevisiae", "aureus", "sapiens", "subtilis", "albus", "californica", "équi", "大腸菌"];

/** Names of two or three words, some of which are rare. */
function namedItems(): TermContent[] {
  return Array.from({ length: 1_200 }, (_, n) => {
    const genus = GENERA[(n * 7) % GENERA.length]!;
    const epithet = EPITHETS[(n * n) % EPITHETS.length]!;
    const title = n % 3 === 0 ? `${genus} ${epithet}` : `${genus} ${epithet} strain${n}`;
    const synonyms = n % 5 === 0 ? { synonyms: [{ name: `${epithet} of ${genus} ${n}`, kind: "synonym" }] } : {};
    const rank = n % 2 === 0 ? { props: { rank: "species" } } : { props: { rank: `unranked${n % 11}` } };
    return item(n, title, { ...synonyms, ...rank, ...(n % 17 === 0 ? { status: "deprecated" as const } : {}) });
  });
}

/** A word elsewhere, in a synonym and in a title: the best place has the longest title. */
const WITH_ZYMOMONAS: readonly TermContent[] = [
  item(7_001, "Aa", { props: { rank: "zymomonas" } }),
  item(7_002, "Abab", { synonyms: [{ name: "zymomonas", kind: "synonym" }] }),
  item(7_003, "Zymomonas mobilis", { props: { rank: "no" } }),
];

/** Returns different words with a stem: `vellumaa`, `vellumab`, ... */
const wordsWith = (stem: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => {
    const letters = [Math.floor(n / 26), n % 26].map((digit) => String.fromCharCode(97 + digit));
    return stem + letters.join("");
  });

const WORDS_30 = wordsWith("vellum", 30);
const WORDS_100 = wordsWith("quorst", 100);

/** Titles that are longer than any that is typed, but may be pasted. */
const WITH_LONG_TITLES: readonly TermContent[] = [item(7_004, WORDS_30.join(" ")), item(7_005, WORDS_100.join(" "))];

const letters = (word: string): number => word.match(/\p{L}/gu)?.length ?? 0;
const editsIn = (word: string): number => (letters(word) >= 8 ? 2 : letters(word) >= 4 ? 1 : 0);

/** Returns whether the word is the typed one, or begins with it, except for typos. */
function isNear(other: string, { word, isPrefix }: TypedWord): boolean {
  const edits = editsIn(word);
  if (edits === 0) return isPrefix ? other.startsWith(word) : other === word;
  const wanted = [...word];
  const all = [...other];
  const candidates = isPrefix ? all.map((_, i) => all.slice(0, i + 1)) : [all];
  return candidates.some(
    (each) => Math.abs(each.length - wanted.length) <= edits && editsBetween(wanted, each) <= edits,
  );
}

/** Numbers are typed whole, and so are characters of Chinese. */
const isCuttable = (word: string): boolean => /\p{L}/u.test(word) && !/\p{Script=Han}/u.test(word);

/** Each two words are compared once. */
const compared = new Map<string, boolean>();

function isAmong(words: readonly string[], typed: TypedWord): boolean {
  return words.some((other) => {
    const key = `${other} ${typed.word} ${typed.isPrefix}`;
    const near = compared.get(key) ?? isNear(other, typed);
    compared.set(key, near);
    return near;
  });
}

type Key = (number | string)[];

/** Returns whether one of the words is the typed one, or begins with it. */
const isBegun = (words: readonly string[], { word, isPrefix }: TypedWord): boolean =>
  words.some((other) => (isPrefix ? other.startsWith(word) : other === word));

/** The order of what is forgiven: in titles, in titles and names, anywhere; then as all items are ranked. */
function forgivenKey(
  content: TermContent,
  typed: readonly TypedWord[],
  test: (words: readonly string[], typed: TypedWord) => boolean,
): Key | undefined {
  const { leaves } = asRecord(content, vocabulary);
  const inAll = (isIn: (leaf: LeafValue) => boolean): boolean => {
    const words = leaves.filter(isIn).flatMap((leaf) => leaf.words);
    return typed.every((word) => test(words, word));
  };
  const isTitle = ({ path }: LeafValue): boolean => path?.startsWith("title") === true;
  const step = inAll(isTitle) ? 1 : inAll((leaf) => isTitle(leaf) || leaf.path === "synonyms") ? 2 : 3;
  if (step === 3 && !inAll(() => true)) return undefined;
  const prior = (content.props.rank === "species" ? 2 : 0) + (content.synonyms?.length ?? 0);
  return [step, content.status === "active" ? 0 : 1, -prior, content.title.en!.length, content.id];
}

/** What every index must do with words that are cut short or mistyped in suggestions. */
export function termSuggestContract(under: EngineUnderTest): void {
  describe(`suggestions that forgive: ${under.name}`, () => {
    let engine: Engine;
    let items: TermContent[];

    beforeAll(async () => {
      engine = await under.open({ catalog: contractCatalog(), clock: makeClock() });
      const loaded = [...namedItems(), ...WITH_ZYMOMONAS, ...WITH_LONG_TITLES];
      await loadAll(engine, loaded);
      const later = [item(5_000, "Escherichia nova"), item(3, "Saccharomyces bayanus"), item(5_001, "Quercus robur")];
      await putTerms(engine, later);
      await engine.store.transaction((tx) => tx.terms.delete("species", "sp:6"));
      items = [...loaded.filter(({ id }) => id !== "sp:3" && id !== "sp:6"), ...later];
    });
    afterAll(async () => {
      await engine.close();
      await under.cleanUp();
    });

    const suggest = async (text: string, page: TermSuggest["page"] = { offset: 0, limit: 2_000 }) => {
      const found = await engine.index.suggestTerms({ vocabulary: "species", text, facets: [], lang: "en", page });
      return { ...found, ids: found.hits.map((hit) => hit.id) };
    };

    it.each([
      ["Quercus robru", "sp:5001"],
      ["qercus", "sp:5001"],
      ["Quercus rbou", "sp:5001"],
      ["quercsu robur", "sp:5001"],
      ["bayanous", "sp:3"],
      ["Escherchia nov", "sp:5000"],
    ])("finds what is meant by %j, and says what matched", async (text, id) => {
      const { hits } = await suggest(text);
      expect(hits[0]).toMatchObject({ id, matched: { field: "title.en" } });
    });

    it.each([
      ["quer rob", "sp:5001"],
      ["rob quer", "sp:5001"],
      ["sacch bay", "sp:3"],
      ["esch nov", "sp:5000"],
    ])("finds what is meant by the beginnings %j, and says what matched", async (text, id) => {
      const { hits } = await suggest(text);
      expect(hits[0]).toMatchObject({ id, matched: { field: "title.en" } });
    });

    it("lists near words in titles first, then in synonyms, then elsewhere, each time", async () => {
      for (const text of ["zymomnas", "zymomnas", "zymmo"]) {
        expect((await suggest(text)).ids).toEqual(["sp:7003", "sp:7002", "sp:7001"]);
      }
    });

    it("finds a long title, and forgives a typo in one of thirty words", async () => {
      expect((await suggest(WORDS_30.join(" "))).ids).toEqual(["sp:7004"]);
      expect((await suggest(WORDS_30.join(" ").replace("vellumac", "vellmuac"))).ids).toEqual(["sp:7004"]);
      expect((await suggest(WORDS_100.join(" "))).ids).toEqual(["sp:7005"]);
      await expect(suggest(WORDS_100.join(" ").replace("quorst", "qourst"))).resolves.toBeDefined();
    });

    it("finds no near words for numbers, short words, or where enough matches truly", async () => {
      for (const text of ["sp:999999", "strain1x", "qxx", "homs"]) {
        const { ids, total } = await suggest(text);
        expect(total).toBe(ids.length);
      }
      expect((await suggest("12345")).total).toBe(0);
      expect((await suggest("qxx")).total).toBe(0);
      const coli = items.filter(({ title }) => analyse(title.en!).includes("coli"));
      expect((await suggest("coli")).total).toBe(coli.length);
    });

    it("offers what was replaced only where its successor is not offered too", async () => {
      const replaced = (n: number, title: string, by: number) =>
        item(n, title, { status: "deprecated", replaced_by: `sp:${by}` });
      await putTerms(engine, [
        item(6_000, "Kluyveromyces lactis"),
        replaced(6_001, "Kluyveromyces drosophilarum", 6_002),
        replaced(6_002, "Kluyveromyces bulgaricus", 6_000),
        replaced(6_003, "Zygofabospora krassilnikovii", 6_000),
        replaced(6_004, "Kluyveromyces goneus", 404),
      ]);
      expect(await suggest("kluyv")).toMatchObject({ ids: ["sp:6000", "sp:6004"], total: 2 });
      expect(await suggest("Kluyveromyces bulg")).toMatchObject({ ids: ["sp:6002"], total: 1 });
      expect(await suggest("zygofab")).toMatchObject({ ids: ["sp:6003"], total: 1 });
      for (const n of [6_000, 6_001, 6_002, 6_003, 6_004]) {
        await engine.store.transaction((tx) => tx.terms.delete("species", `sp:${n}`));
      }
    });

    it("lists true matches first, then what is cut short, then what is near, over all pages", LONG, async () => {
      const words = items.flatMap(({ title }) => analyse(title.en!));
      const mistyped = fc
        .tuple(fc.constantFrom(...words), fc.nat(20), fc.constantFrom("", "z", "a"))
        .map(([word, at, by]) => {
          const i = at % (word.length + 1);
          return word.slice(0, i) + by + word.slice(i + 1);
        });
      const typing = fc
        .tuple(fc.array(fc.oneof(fc.constantFrom(...words), mistyped), { minLength: 1, maxLength: 3 }), fc.nat(4))
        .map(([some, less]) => some.join(" ").slice(0, -less || undefined))
        .filter((text) => analyse(text).length > 0);
      await fc.assert(
        fc.asyncProperty(typing, fc.integer({ min: 1, max: 40 }), async (text, limit) => {
          const typed = readTypedText(text);
          const exact = new Set(
            items.filter((each) => matches(typed.clause, asRecord(each, vocabulary))).map(({ id }) => id),
          );
          const forgiven = (
            found: ReadonlySet<string>,
            wanted: readonly TypedWord[],
            test: Parameters<typeof forgivenKey>[2],
          ) =>
            items
              .filter(({ id }) => !found.has(id))
              .flatMap((each) => {
                const key = forgivenKey(each, wanted, test);
                return key === undefined ? [] : [{ id: each.id, key }];
              })
              .sort((a, b) => compareKeys(a.key, b.key))
              .map(({ id }) => id);
          const cut = typed.words.map((typing) => ({
            ...typing,
            isPrefix: typing.isPrefix || isCuttable(typing.word),
          }));
          const begun = exact.size < 5 && typed.words.length > 1 ? forgiven(exact, cut, isBegun) : [];
          const found = new Set([...exact, ...begun]);
          const mayBeNear = found.size < 5 && typed.words.some(({ word }) => editsIn(word) > 0);
          const near = mayBeNear ? forgiven(found, typed.words, isAmong) : [];
          const { ids, total } = await suggest(text);
          expect(new Set(ids.slice(0, exact.size))).toEqual(exact);
          expect(ids.slice(exact.size)).toEqual([...begun, ...near]);
          expect(total).toBe(ids.length);
          const paged: string[] = [];
          for (let after: SortKey | null | undefined = null; after !== undefined && paged.length < 200; ) {
            const page: Awaited<ReturnType<typeof suggest>> = await suggest(text, { after, limit });
            expect(page.total).toBe(total);
            paged.push(...page.ids);
            after = page.next;
          }
          expect(paged).toEqual(ids.slice(0, paged.length));
        }),
        { numRuns: TYPINGS, seed: SEED + 12 },
      );
    });
  });
}
