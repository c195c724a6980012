import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../src/ports/engine.js";
import { termFields } from "../../src/query/fields/field-lookup.js";
import { identifierTail } from "../../src/query/fields/identifiers.js";
import { parseQuery } from "../../src/query/parse/parse.js";
import { resolveQuery } from "../../src/query/resolve/resolve.js";
import { contractCatalog, type EngineUnderTest, makeClock } from "../support/engines/engine-under-test.js";
import { BACTERIA, item, putTerms } from "../support/engines/term-fixtures.js";
import { tinyVocabulary } from "../support/tiny-catalog.js";

const { leaves } = tinyVocabulary();
const vocabulary = tinyVocabulary("species", {
  leaves: new Map([...leaves, ["props.codes", { ...leaves.get("props.codes")!, kind: "project_number" }]]),
});
const fields = termFields(vocabulary);

/** Terms with the numbers that people cite. */
const NUMBERED = [
  item(8001, "A project of the NIH", { props: { codes: ["5R01AR065953-03"] } }),
  item(8002, "A research unit", { props: { codes: ["KFO 250"] } }),
  item(8003, "Another research unit", { props: { codes: ["FOR2625"] } }),
  item(8004, "A project of the EU", { props: { codes: ["101004806"] } }),
];

/** The term that an identifier finds as people paste it, as a query and as they type. */
export function termIdentifiersContract(under: EngineUnderTest): void {
  describe(`term identifiers contract: ${under.name}`, () => {
    let engine: Engine;
    const common = { vocabulary: "species", facets: [], lang: "en", page: { offset: 0, limit: 10 } };

    beforeAll(async () => {
      const catalog = { ...contractCatalog(), vocabularies: new Map([["species", vocabulary]]) };
      engine = await under.open({ catalog, clock: makeClock() });
      await putTerms(engine, [...BACTERIA, ...NUMBERED]);
    });
    afterAll(async () => {
      await engine.close();
      await under.cleanUp();
    });

    it.each([
      ["5R01AR065953-03", 8001],
      ["R01AR065953", 8001],
      ["r01ar065953", 8001],
      ["R01 AR065953", 8001],
      ["R01-AR065953", 8001],
      ["5 R01 AR065953-03", 8001],
      ["1R01AR065953-01A1", 8001],
      ["AR065953", 8001],
      ["KFO 250", 8002],
      ["KFO250", 8002],
      ["kfo-250", 8002],
      ["FOR2625", 8003],
      ["FOR 2625", 8003],
      ["101004806", 8004],
      ["101 004 806", 8004],
      ["101.004.806", 8004],
      ["https://cordis.europa.eu/project/id/101004806", 8004],
      ["sp:9606", 9606],
      ["SP:9606", 9606],
      ["9606", 9606],
      ["NCBITaxon:9606", 9606],
      ["https://www.ncbi.nlm.nih.gov/Taxonomy/Browser/wwwtax.cgi?mode=Info&id=9606&lvl=3", 9606],
      ["http://purl.obolibrary.org/obo/NCBITaxon_9606", 9606],
      ["https://identifiers.org/taxonomy:9606", 9606],
      ["<https://identifiers.org/taxonomy:9606>", 9606],
      ["https://identifiers.org/taxonomy/562", 562],
    ])("finds %s", async (text, id) => {
      const { clause, plain } = resolveQuery(parseQuery(text, fields).tree, fields, 0);
      const url = plain && identifierTail(text);
      const more = { ...(plain && { plain }), ...(url && { url }) };
      const found = await engine.index.searchTerms({ ...common, clause, ...more, sort: "bestmatch" });
      const suggested = await engine.index.suggestTerms({ ...common, text });
      expect(found.hits.map((hit) => hit.id)).toEqual([`sp:${id}`]);
      expect(suggested.hits[0]?.id).toBe(`sp:${id}`);
    });
  });
}
