import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compose } from "../../src/app/composition/compose.js";
import { type DemoServices, loadDemo } from "../../src/cli/demo.js";
import { loadConfig } from "../../src/config/settings.js";
import { WARNING_REPORTER } from "../../src/core/background.js";
import { builtInCatalog } from "../support/catalog.js";
import { smallRecord } from "../support/small-record.js";

/** Instruments of a large institute, each with one record; the starter items know some fifty. */
const INSTRUMENTS = 200;
const nameOf = (n: number): string => `Monolith of bench ${n}`;
const idOf = (n: number): string => `ins:${1_000 + n}`;

/**
 * Fills a new data folder: one record of each instrument, one that was retracted, and the example records, which so are
 * the newest.
 *
 * @returns the id of the retracted record
 */
export async function makeContent(data: string): Promise<string> {
  const { services, close } = await compose(loadConfig({ BINDERY_DATA: data }), builtInCatalog(), {
    role: "setup",
    background: WARNING_REPORTER,
  });
  await services.loadStarters();
  const numbers = Array.from({ length: INSTRUMENTS }, (_, i) => i + 1);
  const file = (lines: readonly object[]): string => {
    const path = join(data, "lines.jsonl");
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return path;
  };
  const terms = file(numbers.map((n) => ({ id: idOf(n), title: { en: nameOf(n) } })));
  await services.importTerms({ vocabulary: "instruments", file: terms, skipRefused: false });
  await services.addUser("ada", "depositor");
  const records = file([...numbers.map(recordOf), longRecord()]);
  await services.importRecords({ model: "mst", file: records, owner: "ada", publish: true });
  const gone = await retractOne(services);
  await loadDemo(services);
  await close();
  return gone;
}

async function retractOne(services: DemoServices): Promise<string> {
  const { token } = await services.createToken({ user: "ada", scopes: ["records:read", "records:write"] });
  const ada = await services.authenticate(token);
  const body = smallRecord({ model: "mst", title: "Measured in the wrong buffer", rights: "open", isValid: true });
  const { record } = await services.createDraft(ada, "mst", JSON.stringify(body));
  const address = { model: "mst", id: record.id };
  await services.publishDraft(ada, address);
  await services.retractRecord(ada, address, JSON.stringify({ removal_reason: "The buffer was another one." }));
  return record.id;
}

function recordOf(n: number): object {
  const { metadata } = smallRecord({ model: "mst", title: `Check of ${nameOf(n)}`, rights: "open", isValid: true });
  const general = { ...(metadata.general_parameters as object), instrument: { id: idOf(n) } };
  return { metadata: { ...metadata, general_parameters: general } };
}

/** A record with 300 results more, whose numbers have 17 digits, with a title that no other record has. */
function longRecord(): object {
  const { metadata } = structuredClone(builtInCatalog().models.get("mst")!.example) as unknown as LongRecord;
  const { general_parameters: general } = metadata;
  general.record_information.title = "Quindecillion";
  const [first] = general.results;
  for (let i = 0; i < 300; i++) {
    const value_error = { lower: 12.345678901234567, upper: 12.345678901234567, is_relative: false };
    general.results.push({
      ...first,
      id: `long-${i}`,
      name: `Long number ${i}`,
      value: 1234.5678901234567 + i,
      value_error,
    });
  }
  return { metadata };
}

interface LongRecord {
  readonly metadata: {
    readonly general_parameters: { readonly record_information: { title: string }; readonly results: object[] };
  };
}
