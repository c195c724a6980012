import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../src/ports/engine.js";
import type { FindNearTerms } from "../../src/services/context/deps.js";
import { makeFindNearTerms } from "../../src/services/search/near-terms.js";
import { contractCatalog, type EngineUnderTest, makeClock } from "../support/engines/engine-under-test.js";
import { BACTERIA, item, putTerms } from "../support/engines/term-fixtures.js";

const named = (...names: string[]) => ({ synonyms: names.map((name) => ({ name, kind: "synonym" })) });

/** Terms whose names people write in many ways. */
const NAMED = [
  item(7001, "Cytiva Biacore T200", named("Biacore T200 SPR system")),
  item(7002, "Cytiva Biacore T100"),
  item(7003, "NanoTemper Monolith NT.115"),
  item(7005, "Universit\u00e4t Z\u00fcrich", named("University of Zurich", "UZH")),
  item(7006, "\u03b2-Mercaptoethanol", named("2-mercaptoethanol", "BME")),
  item(7007, "MOlecular-Scale Biophysics Research Infrastructure", named("MOSBRI")),
  item(7008, "Warfarin", named("Coumadin")),
  item(7009, "Warfarin sodium"),
  // Homonyms.
  item(7010, "Viridiplantae"),
  item(7011, "Metazoa"),
  item(7012, "Linaria", { parent: "sp:7010" }),
  item(7013, "Linaria", { parent: "sp:7011" }),
  item(7014, "Oenanthe aquatica", { parent: "sp:7010" }),
  item(7015, "Oenanthe aquatica", { parent: "sp:7011" }),
  item(7016, "Factor (H)", { parent: "sp:7010" }),
  item(7017, "Factor (H)", { parent: "sp:7011" }),
];

/** Tests that a name in place of an id leads to the same terms on every engine. */
export function nearTermsContract(under: EngineUnderTest): void {
  describe(`near terms contract: ${under.name}`, () => {
    let engine: Engine;
    let find: FindNearTerms;

    beforeAll(async () => {
      const catalog = contractCatalog();
      engine = await under.open({ catalog, clock: makeClock() });
      find = makeFindNearTerms({ ...engine, catalog });
      await putTerms(engine, [...BACTERIA, ...NAMED]);
    });
    afterAll(async () => {
      await engine.close();
      await under.cleanUp();
    });

    const idsOf = async (text: string) => (await find("species", text)).map(({ id }) => id).join(" ");

    it.each([
      // Ids, before names.
      ["SP:49", "sp:4932 sp:4933"],
      ["cas:58-08-2", "sp:562"],
      // Whole titles and synonyms, then names that begin with the text.
      ["human", "sp:9606 sp:9607"],
      ["Homo sapiens", "sp:9606"],
      ["sp:Homo sapiens", "sp:9606"],
      ["SP: Homo sapiens", "sp:9606"],
      ["Escherichia", "sp:561 sp:562 sp:83333 sp:83334"],
      ["sp:Escherichia coli", "sp:562 sp:83333 sp:83334"],
      ["colon bacillus", "sp:562"],
      ["Baker's Yeast", "sp:4932"],
      ["b\u00e4ckerhefe", "sp:4932"],
      ["Escherichia coli K-12", "sp:83333"],
      ["Escherichia coli O157:H7", "sp:83334"],
      ["warfarin", "sp:7008 sp:7009"],
      ["COUMADIN", "sp:7008"],
      ["Warfarin Sodium", "sp:7009"],
      // Beginnings of names.
      ["Homo", "sp:9606"],
      ["homo sapien", "sp:9606"],
      ["Warf", "sp:7008 sp:7009"],
      // Words inside a name, in any order.
      ["Biacore T200", "sp:7001"],
      ["biacore t200", "sp:7001"],
      ["T200", "sp:7001"],
      ["Cytiva T200", "sp:7001"],
      ["T200 Biacore", "sp:7001"],
      ["Biacore", "sp:7001 sp:7002"],
      ["Monolith", "sp:7003"],
      ["NT.115", "sp:7003"],
      ["sapiens", "sp:9606"],
      ["cerevisiae", "sp:4932 sp:4933"],
      ["Biophysics Research Infrastructure", "sp:7007"],
      // Other spellings: accents, Greek letters, capitals, a typo.
      ["Universitat Zurich", "sp:7005"],
      ["University of Z\u00fcrich", "sp:7005"],
      ["uzh", "sp:7005"],
      ["Zurich", "sp:7005"],
      ["beta-mercaptoethanol", "sp:7006"],
      ["2-Mercaptoethanol", "sp:7006"],
      ["mercaptoethanol", "sp:7006"],
      ["mercaptoetanol", "sp:7006"],
      ["Mosbri", "sp:7007"],
      // A name inside the text.
      ["Human (Homo sapiens)", "sp:9606"],
      ["Escherichia coli, from the freezer", "sp:562"],
      ["Institute of Physics, University of Zurich", "sp:7005"],
      // Titles as lists show them, to distinguish terms of one title.
      ["Linaria", "sp:7012 sp:7013"],
      ["Linaria (Metazoa)", "sp:7013"],
      ["linaria (viridiplantae) ", "sp:7012"],
      ["sp:Linaria (Metazoa)", "sp:7013"],
      ["Oenanthe aquatica (Metazoa)", "sp:7015"],
      ["Factor (H) (Viridiplantae)", "sp:7016"],
      // Other texts in brackets.
      ["Linaria (Fungi)", "sp:7012 sp:7013"],
      ["Metazoa (all of them)", "sp:7011"],
      ["Metazoa (all (of) them)", "sp:7011"],
      // A number after an unknown prefix is not a part of a name.
      ["nosuch:12", ""],
      ["nosuch:200", ""],
      // No name of a term.
      ["Physics of the sea", ""],
      ["qqqqqqq:zzzzzzz", ""],
    ])("leads from %s to %s", async (text, expected) => {
      expect(await idsOf(text)).toBe(expected);
    });

    it("has the titles in the first language of the vocabulary", async () => {
      expect(await find("species", "b\u00e4ckerhefe")).toEqual([{ id: "sp:4932", title: "Saccharomyces cerevisiae" }]);
    });

    it("distinguishes terms of one title", async () => {
      const titles = (await find("species", "Linaria")).map(({ title }) => title);
      expect(titles).toEqual(["Linaria (Viridiplantae)", "Linaria (Metazoa)"]);
    });

    it("finds nothing near to nonsense, in bounded time", async () => {
      const long = ["x".repeat(100_000), `sp:${"9".repeat(400)}`, "a ".repeat(5_000), " (x)".repeat(30_000)];
      for (const id of ["", "%%%", "\ud800", ...long]) {
        expect(await idsOf(id)).toBe("");
      }
    });
  });
}
