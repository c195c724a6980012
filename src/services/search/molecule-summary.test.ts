import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import type { RecordBody } from "../../core/record.js";
import { MoleculeSummary } from "./molecule-summary.js";

const catalog = builtInCatalog();
const ID = "uniprot:P00698";

interface Partner {
  readonly name: string;
  readonly ids?: readonly string[];
  readonly kd: number;
}

/** A record with one result for each partner of the molecule. */
function recordOf(id: string, partners: readonly Partner[], sequence?: string): RecordBody {
  const main = { id: "main", name: "Lysozyme", external_databases: [ID], ...(sequence ? { sequence } : {}) };
  const others = partners.map(({ name, ids = [] }, i) => ({ id: `e${i}`, name, external_databases: ids }));
  const results = partners.map(({ kd }, i) => ({
    ...{ id: `r${i}`, type: "Constant of dissociation KD", value: kd, unit: "nM" },
    entities_involved: [{ entity: { id: "main" } }, { entity: { id: `e${i}` } }],
  }));
  const metadata = { general_parameters: { entities_of_interest: [main, ...others], results } };
  return { id, model: "spr", created: "2026-01-01T00:00:00Z", metadata } as unknown as RecordBody;
}

function summaryOf(...records: readonly RecordBody[]) {
  const summary = new MoleculeSummary(ID, catalog);
  for (const record of records) summary.add(record, new Map());
  return summary.content();
}

describe("the partners of a molecule", () => {
  it("are the same if they share an id, or a name if one has no id", () => {
    const { partners } = summaryOf(
      recordOf("1", [{ name: "D1.3", kd: 5 }]),
      recordOf("2", [{ name: "d1.3", ids: ["pdb:1VFB"], kd: 3 }]),
      recordOf("3", [{ name: "Antibody", ids: ["pdb:1VFB"], kd: 4 }]),
      recordOf("4", [{ name: "D1.3", ids: ["pdb:1KIR"], kd: 9 }]),
      recordOf("5", [{ name: "Antibody", kd: 7 }]),
    );
    expect(partners.map(({ id, name, records, best }) => [id, name, records, best?.value])).toEqual([
      // Of equally frequent names, the first one of the alphabet.
      ["pdb:1VFB", "Antibody", 4, 3],
      ["pdb:1KIR", "D1.3", 1, 9],
    ]);
  });

  it("are counted in a time that grows with their number", () => {
    const many = Array.from({ length: 2_800 }, (_, i) => ({ name: `P ${i}`, kd: i + 1 }));
    const records = ["1", "2", "3"].map((id) => recordOf(id, many));
    const start = process.cpuUsage();
    const { partners, results } = summaryOf(...records);
    const { user } = process.cpuUsage(start);
    expect(partners).toHaveLength(50);
    expect(results.map(({ figures: [kd] }) => kd?.value).slice(0, 4)).toEqual([1, 1, 1, 2]);
    expect(results).toHaveLength(50);
    expect(user / 1e6, "seconds; comparing each with each took 10").toBeLessThan(5);
  });
});

it("shows at most 50 partners of one result, and no sequence that is longer than any protein", () => {
  const many = Array.from({ length: 60 }, (_, i) => ({ name: `P ${i}`, kd: 1 }));
  const record = recordOf("1", many, "A".repeat(100_001));
  const { results } = record.metadata.general_parameters as unknown as { results: { entities_involved: object[] }[] };
  results[0]!.entities_involved = ["main", ...many.map((_, i) => `e${i}`)].map((id) => ({ entity: { id } }));
  const content = summaryOf(record, recordOf("2", [], "A".repeat(100_000)));
  expect(Math.max(...content.results.map(({ with: partners }) => partners.length))).toBe(50);
  expect(content.sequences.map(({ sequence }) => sequence.length)).toEqual([100_000]);
});
