import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { BinderyError } from "../../../core/errors.js";
import type { IndexSource, Overlaid, SourceView } from "../../../ports/index-source.js";
import type { OnProgress, Verification } from "../../../ports/store-admin.js";
import type { RepairCounts, RepairPlan, Verified } from "../../verify/repair-rounds.js";
import { Report } from "../../verify/report.js";
import { refreshIndexes } from "../connection/indexes.js";
import type { SearchClient } from "../connection/search-client.js";
import { numberPaths } from "../documents/path-numbers.js";
import { makeDocumentWriter } from "../relay/document-writer.js";
import { beginWriting } from "../relay/index-mark.js";
import type { Made } from "../relay/index-set.js";
import { recordDocuments } from "../relay/record-documents.js";
import { type ComparedIndex, compareRecords, compareTerms } from "./compare-index.js";

/** What a repair writes again: ids of records, and of items `<vocabulary> <id>`. */
type IndexPlan = RepairPlan<{ readonly records: string; readonly terms: string }>;

/** One moment of an index, and of the store; it stays until it is closed. */
export interface HeldIndex extends ComparedIndex {
  close(): Promise<void>;
}

export interface VerifyIndexOptions {
  readonly source: IndexSource;
  readonly client: SearchClient;
  readonly catalog: Catalog;
  /** Opens the state of this moment, with the index that searches ask here. @throws BinderyError SEARCH_UNAVAILABLE */
  openView(): Promise<SourceView>;
  /** Holds the index of records, or that of a vocabulary. */
  hold(of: Overlaid): Promise<HeldIndex>;
}

/** Compares the index that searches ask with the store. That it cannot be asked is a finding. */
export async function verifyIndex(options: VerifyIndexOptions, onProgress: OnProgress): Promise<Verified<IndexPlan>> {
  const report = new Report<{ records: string; terms: string }>({ records: new Set(), terms: new Set() }, onProgress);
  try {
    await verifyRecords(options, report);
    for (const vocabulary of options.catalog.vocabularies.values()) await verifyTerms(options, vocabulary, report);
    await noteRefused(options, report);
  } catch (error) {
    if (!(error instanceof BinderyError && error.code === "SEARCH_UNAVAILABLE")) throw error;
    report.add({
      check: "index.available",
      where: "OpenSearch",
      expected: "an index to compare",
      found: error.message,
    });
  }
  return { verification: report.summary({ records: 0, terms: 0, changes: 0, lastChange: 0 }), plan: report.plan };
}

type IndexReport = Report<{ records: string; terms: string }>;

async function verifyRecords({ hold, catalog }: VerifyIndexOptions, report: IndexReport): Promise<void> {
  report.begin("index.records");
  const held = await hold({ kind: "record" });
  try {
    const { paths } = (await held.view.made()) as unknown as Made;
    let done = 0;
    for await (const part of compareRecords(held, recordDocuments(catalog, numberPaths(catalog, paths)))) {
      done += part.count;
      report.progress("index.records", done);
      for (const { id, ...noted } of part.differences)
        report.add({ check: "index.records", ...noted }, ["records", id]);
    }
  } finally {
    await held.close();
  }
}

async function verifyTerms({ hold }: VerifyIndexOptions, vocabulary: Vocabulary, report: IndexReport): Promise<void> {
  const { name } = vocabulary;
  report.begin("index.terms");
  const held = await hold({ kind: "term", vocabulary: name });
  try {
    let done = 0;
    for await (const part of compareTerms(held, vocabulary)) {
      done += part.count;
      report.progress(`index.terms ${name}`, done);
      for (const { id, ...noted } of part.differences) {
        report.add({ check: "index.terms", ...noted }, ["terms", `${name} ${id}`]);
      }
    }
  } finally {
    await held.close();
  }
}

/** They are found all the same: searches judge them beside the index. */
async function noteRefused({ source, openView }: VerifyIndexOptions, report: IndexReport): Promise<void> {
  const view = await openView();
  await view.close();
  if (view.index === undefined) return;
  for (const { kind, place, id, reason } of await source.failures(view.index.name)) {
    const where = kind === "record" ? id : `${place}/${id}`;
    report.note(`The search index refuses ${where}, which searches find all the same: ${reason}`);
  }
}

/** Writes what differs again, as the store has it now. @returns how many records and items were written */
export async function repairIndex(
  { source, client, catalog, openView }: VerifyIndexOptions,
  { records, terms }: IndexPlan,
): Promise<RepairCounts> {
  const view = await openView();
  try {
    const { index, head } = view;
    if (index === undefined) return {};
    const { paths } = (await view.made()) as unknown as Made;
    const numbers = numberPaths(catalog, paths);
    const writer = makeDocumentWriter({ client, catalog, index: index.name, numbers });
    // Whoever feeds the index may refresh it at any time: searches may show what this view has from now on.
    await beginWriting({ source, client }, index.name, head);
    const wanted = { records: [...records].map((id) => ({ id })), terms: [...terms].map(readTerm) };
    const failures = await writer.write(view, wanted);
    if (failures.length > 0) await source.setAside(index.name, failures, head);
    await refreshIndexes(client, [`${index.name}-*`]);
    return { "index.records": records.size, "index.terms": terms.size };
  } finally {
    await view.close();
  }
}

function readTerm(unit: string): { readonly vocabulary: string; readonly id: string } {
  const blank = unit.indexOf(" ");
  return { vocabulary: unit.slice(0, blank), id: unit.slice(blank + 1) };
}

/** Two verifications as one: of the store, and of the index beside it. */
export function joined(store: Verification, index: Verification): Verification {
  return {
    ...store,
    findings: [...store.findings, ...index.findings],
    counts: { ...store.counts, ...index.counts },
    leftOut: [...new Set([...store.leftOut, ...index.leftOut])],
    notes: [...store.notes, ...index.notes],
  };
}
