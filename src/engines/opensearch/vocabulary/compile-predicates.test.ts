import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryClause } from "../../../../test/support/clause-arbitraries.js";
import { asRecord, randomItems } from "../../../../test/support/engines/term-reference.js";
import { matches } from "../../../../test/support/reference-evaluator.js";
import { SEED } from "../../../../test/support/seed.js";
import { tinyVocabulary } from "../../../../test/support/tiny-catalog.js";
import { rankOf } from "../../../core/terms/term-row.js";
import { makeDocumentFilter, NEVER } from "../../separate-index/overlay/term-predicates.js";
import { termDocument } from "../documents/term-document.js";
import { compileTermClause } from "./compile-predicates.js";

const vocabulary = tinyVocabulary();

describe("documents that are judged in the node", () => {
  const items = randomItems(200, 3);
  const records = items.map((item) => asRecord(item, vocabulary));
  const documents = items.map((content) =>
    termDocument({ content, ...rankOf(content, vocabulary), revision: 1, created: 0, citedBy: 0 }, vocabulary),
  );

  it("fulfil what the reference evaluator finds in their items", () => {
    const place = { vocabulary: "species", below: () => NEVER };
    const clauses = arbitraryClause(records, { isDate: () => false });
    fc.assert(
      fc.property(clauses, (clause) => {
        const filter = makeDocumentFilter(compileTermClause(clause, "all", place));
        const found = documents.filter(filter).map(({ id }) => id);
        expect(found).toEqual(items.filter((_, n) => matches(clause, records[n]!)).map(({ id }) => id));
      }),
      { numRuns: 500, seed: SEED + 31 },
    );
  });
});
