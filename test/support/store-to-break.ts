import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Database } from "better-sqlite3";
import { type Actor, OPERATOR } from "../../src/core/actor.js";
import type { JsonObject } from "../../src/core/json.js";
import { LIMITS } from "../../src/core/limits.js";
import type { RecordBody } from "../../src/core/record.js";
import { DATABASE_FILE, openDatabase, Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { makeWriter, OPEN_GATE } from "../../src/engines/sqlite/connection/write-connection.js";
import { openSqlite } from "../../src/engines/sqlite/index.js";
import { remakeGeneration } from "../../src/engines/sqlite/vocabulary/load/load-terms.js";
import { heartbeatTime } from "../../src/engines/sqlite/vocabulary/store/generation.js";
import type { RecordAddress } from "../../src/services/api/records.js";
import { makeServices } from "../../src/services/index.js";
import { BUILT_IN_ON_DEMAND, builtInCatalog } from "./catalog.js";
import { recordWith } from "./deposit.js";
import { chemical, polymer } from "./entities.js";
import { organismId, organismLines } from "./items.js";
import { bodyOf, type OpenServices, openServices } from "./open-services.js";
import { recordLines } from "./records.js";
import { starterItems } from "./starter-items.js";

export const CATALOG = builtInCatalog();

/** A store after some life: records of all states, imports that made generations, single writes on them. */
export interface LivedStore {
  readonly folder: string;
  /** Copies it. @returns the folder of the copy */
  copy(): string;
  dispose(): void;
}

/** Records that are as long as others; those that are made one by one are short. */
const PUBLISHED = 2;
/** Above each number that a short record is made of. */
const SHORT = 60;

/**
 * @param organisms how many are imported. More than one transaction takes make a generation; of fewer one is made
 *   afterwards, as a vocabulary is made again: ranked rows with saved orders, sets and words, in a small store.
 */
export async function makeLivedStore(organisms: number): Promise<LivedStore> {
  const services = await openServices({ content: "nothing" });
  const { store, file } = services;
  const actor = await services.actor("ann", "records:write");
  const load = (name: string, lines: string, vocabulary = "organisms"): Promise<unknown> =>
    services.importTerms({ vocabulary, file: file(name, lines), skipRefused: false });
  const long = recordLines(PUBLISHED);
  const short = Array.from({ length: SHORT }, (_, n) => shortRecord(n));
  await loadCited(long + JSON.stringify(short), load);
  await load("first.ndjson", organismLines(organisms));
  if (organisms <= LIMITS.importTransactionItemsMax) await rankOrganisms(services.folder);
  const path = file("records.ndjson", long);
  await services.importRecords({ model: "mst", file: path, owner: "ann", publish: true });
  for (let n = 0; n < 6; n++) {
    const metadata = { ...shortRecord(n).metadata, undeclared: [-0, { word: "quixotic" }] };
    const { id } = bodyOf(await services.createDraft(actor, "mst", JSON.stringify({ metadata })));
    const address = { model: "mst", id };
    if (n % 3 === 0) await services.deleteDraft(actor, address);
    if (n % 3 === 1) await services.replaceDraft(actor, address, JSON.stringify(shortRecord(n + 50)));
  }
  await liveOn(services, actor);
  // What records cite changes after they were written.
  await store.transaction(async (tx) => {
    const title = { en: "Escherichia coli" };
    const synonyms = [{ name: "Bacterium coli novum", kind: "synonym" }];
    await tx.terms.put("organisms", { id: "taxid:562", title, synonyms, props: {}, status: "active" });
    await tx.terms.delete("organisms", organismId(organisms - 7));
    await tx.audit(OPERATOR, {
      action: "term.delete",
      kind: "term",
      place: "organisms",
      id: organismId(organisms - 7),
    });
  });
  await load("second.ndjson", organismLines(20, { from: organisms, seed: 3 }));
  const folder = mkdtempSync(join(tmpdir(), "bindery-lived-"));
  const source = dirname(path);
  const raw = new Sqlite(join(source, DATABASE_FILE));
  raw.prepare("VACUUM INTO ?").run(join(folder, DATABASE_FILE));
  raw.close();
  await services.dispose();
  const copies: string[] = [];
  return {
    folder,
    copy() {
      const copy = mkdtempSync(join(tmpdir(), "bindery-lived-copy-"));
      copies.push(copy);
      cpSync(folder, copy, { recursive: true });
      return copy;
    },
    dispose: () => {
      for (const each of [folder, ...copies]) rmSync(each, { recursive: true, force: true });
    },
  };
}

/** Loads the starter items that a text names, and those above them: to verify all would take longer than the rest. */
async function loadCited(
  text: string,
  load: (name: string, lines: string, vocabulary: string) => Promise<unknown>,
): Promise<void> {
  for (const [name, vocabulary] of CATALOG.vocabularies) {
    const items = new Map(starterItems(vocabulary).map((item) => [item.id, item]));
    const cited = new Set<string>();
    const take = (id: string): void => {
      const parent = items.get(id)?.parent;
      if (parent !== undefined) take(parent);
      cited.add(id);
    };
    for (const id of items.keys()) if (text.includes(`"${id}"`)) take(id);
    const lines = [...cited].map((id) => `${JSON.stringify(items.get(id))}\n`);
    if (lines.length > 0) await load(`${name}.ndjson`, lines.join(""), name);
  }
}

async function rankOrganisms(folder: string): Promise<void> {
  const db = openDatabase(folder, "writer");
  const writer = makeWriter(db, { nowMicros: heartbeatTime }, { gate: OPEN_GATE });
  await remakeGeneration(writer, CATALOG.vocabularies.get("organisms")!, () => false);
  await writer.idle();
  db.close();
}

/** A record of few values, so that a verification is short; those that are imported are as long as others. */
function shortRecord(n: number): { metadata: JsonObject } {
  const person = { given_name: "Ann", family_name: "Ohm", affiliations: [{ id: "ror:024d6js02" }] };
  const { id: _, ...ethanol } = chemical("", "ethanol");
  const solvent = { ...ethanol, concentration: { value: 1, unit: "v/v %" } };
  return recordWith(n, {
    depositors: { depositor: person, principal_contact: { ...person, identifiers: ["orcid:0000-0002-1825-0097"] } },
    funding_references: undefined,
    entities_of_interest: [
      chemical("entity-serum", `salt ${n}`),
      polymer("entity-assembly", `polymer ${n}`, "taxid:562"),
    ],
    chemical_environments: [{ id: "environment", name: `buffer ${n}`, solvent: [solvent], ph: 7 }],
  });
}

/** Edits, new versions, retractions and shares of records: each begun, some ended. */
async function liveOn(services: OpenServices, actor: Actor): Promise<void> {
  const make = async (n: number): Promise<RecordAddress> => {
    const { id } = bodyOf(await services.createDraft(actor, "mst", JSON.stringify(shortRecord(n))));
    await services.publishDraft(actor, { model: "mst", id });
    return { model: "mst", id };
  };
  const next = async (address: RecordAddress): Promise<RecordAddress> => {
    const { id } = bodyOf(await services.createVersion(actor, address));
    return { model: "mst", id };
  };
  const edited = await make(20);
  await services.editRecord(actor, edited);
  await services.replaceDraft(actor, edited, JSON.stringify(shortRecord(21)));
  await services.publishDraft(actor, edited);
  await services.editRecord(actor, edited);
  const first = await make(22);
  const second = await next(first);
  await services.publishDraft(actor, second);
  await next(second);
  await services.editRecord(actor, second);
  const retracted = await make(23);
  await services.publishDraft(actor, await next(retracted));
  await services.retractRecord(actor, retracted);
  const alone = await make(24);
  const successor = await next(alone);
  await services.publishDraft(actor, successor);
  await services.retractRecord(actor, successor);
  await services.deleteDraft(actor, await next(alone));
}

/** Changes the file of a folder behind the back of the store. */
export function breakStore(folder: string, work: (raw: Database) => unknown): void {
  const raw = new Sqlite(join(folder, DATABASE_FILE));
  raw.unsafeMode(true);
  raw.pragma("journal_mode = WAL");
  work(raw);
  raw.close();
}

/** What searches of records and of items answer, without what a mending may raise. */
export async function answersOf(folder: string): Promise<unknown> {
  const clock = { nowMicros: () => Date.now() * 1000 };
  const engine = openSqlite({ folder, catalog: CATALOG, clock, role: "writer", searchTimeoutMs: 10_000 });
  const random = { bytes: (count: number) => new Uint8Array(count) };
  const services = makeServices({ ...engine, catalog: CATALOG, clock, random, ...BUILT_IN_ON_DEMAND });
  const ask = { window: { page: 1, size: 100 }, filters: {}, facetSize: 10, lang: "en" };
  const owner = {
    kind: "user",
    user: "1",
    token: "1",
    name: "ann",
    role: "depositor",
    scopes: ["records:read"],
  } as const;
  const records = async (q: string, own = false): Promise<unknown> => {
    const { total, hits, aggregations } = await services.searchRecords(owner, { ...ask, q, own });
    return { q, total, hits: hits.map(({ json }) => (JSON.parse(json) as RecordBody).id), aggregations };
  };
  const terms = async (q: string, more: object = {}): Promise<unknown> => {
    const { total, hits } = await services.searchTerms(owner, { ...ask, vocabulary: "organisms", q, ...more });
    return { q, total, hits: hits.map(({ id }) => id) };
  };
  try {
    return [
      await records(""),
      await records("coli"),
      await records("quixotic", true),
      await records("", true),
      await records("results:(value:>1 AND unit:nM)"),
      await records("organism:taxid:562"),
      await terms(""),
      await terms("coli"),
      await terms("a*"),
      await terms("", { ancestor: organismId(3) }),
      await terms("", { sort: "newest" }),
    ];
  } finally {
    await engine.close();
  }
}
