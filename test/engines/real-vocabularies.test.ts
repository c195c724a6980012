import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import type { TermContent } from "../../src/core/term.js";
import type { Engine } from "../../src/ports/engine.js";
import { identifierTail } from "../../src/query/fields/identifiers.js";
import { builtInCatalog } from "../support/catalog.js";
import { makeClock } from "../support/engines/engine-under-test.js";
import { sqliteUnderTest } from "../support/engines/sqlite-under-test.js";
import { stream, textClause } from "../support/engines/term-fixtures.js";
import { vocabularyFile } from "../support/real-data.js";

const read = (name: string): TermContent[] =>
  parseAllDocuments(readFileSync(vocabularyFile(name), "utf8")).flatMap((document) => {
    const value = document.toJS() as Partial<TermContent> | null;
    if (value === null) return [];
    const { id, title, props = {} } = value;
    return [{ id: id!, title: title!, props, status: "active" }];
  });

describe("the vocabularies that MBDB starts with", () => {
  const under = sqliteUnderTest();
  let engine: Engine;
  const catalog = builtInCatalog();

  beforeAll(async () => {
    engine = await under.open({ catalog, clock: makeClock() });
    for (const name of ["organisms", "languages", "affiliations", "instruments"]) {
      await engine.store.loadTerms(name, stream(read(name)));
    }
    const genus = { id: "taxid:1301", title: { en: "Streptococcus" }, props: { taxa_below: 2_000 } };
    await engine.store.loadTerms("organisms", stream([{ ...genus, status: "active" }]));
  });
  afterAll(async () => {
    await engine.close();
    await under.cleanUp();
  });

  const best = async (vocabulary: string, text: string): Promise<string[]> => {
    const { hits, total } = await engine.index.searchTerms({
      ...{ vocabulary, clause: textClause(text), plain: text.toLowerCase().split(/\W+/u), facets: [] },
      url: identifierTail(text) ?? [],
      ...{ sort: "bestmatch", lang: "en", page: { offset: 0, limit: 500 } },
    });
    expect(total).toBe(hits.length);
    return hits.map((hit) => hit.id);
  };
  const suggested = async (vocabulary: string, text: string): Promise<string[]> => {
    const page = { offset: 0, limit: 10 };
    const { hits } = await engine.index.suggestTerms({ vocabulary, text, facets: [], lang: "en", page });
    return hits.map((hit) => hit.id);
  };

  it("are found by name and by id", async () => {
    expect((await best("organisms", "coli"))[0]).toBe("taxid:562");
    expect((await best("organisms", "562"))[0]).toBe("taxid:562");
    expect((await best("organisms", "homo sapiens"))[0]).toBe("taxid:9606");
    expect((await best("affiliations", "02bfwt286"))[0]).toBe("ror:02bfwt286");
    expect((await best("affiliations", "ror.org/02bfwt286"))[0]).toBe("ror:02bfwt286");
    expect((await best("instruments", "monolith x"))[0]).toBe("ins:1");
  });

  it("find taxa by the number of those below them where that is asked for, and not by plain words", async () => {
    const paths = ["props.taxa_below"];
    const end = { value: 2_000, inclusive: true };
    const { hits } = await engine.index.searchTerms({
      ...{ vocabulary: "organisms", clause: { kind: "range", paths, type: "number", from: end, to: end }, facets: [] },
      ...{ sort: "bestmatch", lang: "en", page: { offset: 0, limit: 10 } },
    });
    expect(hits.map(({ id }) => id)).toEqual(["taxid:1301"]);
    expect(await best("organisms", "2000")).toEqual([]);
  });

  it("are suggested while somebody types", async () => {
    expect((await suggested("organisms", "h. sap"))[0]).toBe("taxid:9606");
    expect((await suggested("affiliations", "monash"))[0]).toBe("ror:02bfwt286");
    expect(await suggested("languages", "češ")).toContain("cs");
  });

  it("sort by the title of each language", async () => {
    const titles = async (lang: string): Promise<string[]> => {
      const page = { offset: 0, limit: 500 };
      const all = {
        vocabulary: "languages",
        clause: { kind: "everything" },
        facets: [],
        sort: "title",
        lang,
        page,
      } as const;
      const { hits } = await engine.index.searchTerms(all);
      return hits.map((hit) => JSON.parse(hit.json).title[lang] as string);
    };
    expect((await titles("en"))[0]).toBe("Abkhazian");
    expect((await titles("cs"))[0]).toBe("abcházština");
    expect(await titles("en")).toHaveLength(read("languages").length);
  });
});
