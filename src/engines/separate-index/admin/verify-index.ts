import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { BinderyError } from "../../../core/errors.js";
import type { IndexSource, SearchSubject, SourceView } from "../../../ports/index-source.js";
import type { OnProgress, Verification } from "../../../ports/store-admin.js";
import { type RepairCounts, type RepairPlan, Report, type Verified } from "../../verify/report.js";
import type { IndexDriver, IndexFormat, SearchTarget } from "../driver/index-driver.js";
import { allPartsOf, readRecordDocumentKey, recordDocumentKey } from "../driver/index-driver.js";
import { RECORDS_AT_ONCE, TERMS_AT_ONCE } from "../relay/batches.js";
import { makeDocumentWriter, type RecordDocuments, recordDocuments } from "../relay/document-writer.js";
import { beginWriting } from "../relay/index-set.js";

/** Documents that a repair writes again: ids of records, and terms as `<vocabulary> <id>`. */
type IndexPlan = RepairPlan<{ readonly records: string; readonly terms: string }>;

/** One snapshot of an index and of the store, which stays until it is closed. */
export interface PinnedIndex extends ComparedIndex {
  close(): Promise<void>;
}

/** The parts that a verification of an index uses. */
export interface VerifyIndexOptions {
  readonly source: IndexSource;
  readonly driver: IndexDriver;
  readonly format: IndexFormat;
  readonly catalog: Catalog;
  /** Opens the current view with the index that searches use here. @throws BinderyError SEARCH_UNAVAILABLE */
  openView(): Promise<SourceView>;
  /** Pins a snapshot of the index of records, or that of a vocabulary. */
  pinIndex(of: SearchSubject): Promise<PinnedIndex>;
}

/** Compares the index that searches use with the store. An unavailable index is a finding. */
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
      where: options.driver.engineName,
      expected: "an index to compare",
      found: error.message,
    });
  }
  return { verification: report.summary({ records: 0, terms: 0, changes: 0, lastChange: 0 }), plan: report.plan };
}

type IndexReport = Report<{ records: string; terms: string }>;

async function verifyRecords(options: VerifyIndexOptions, report: IndexReport): Promise<void> {
  const { pinIndex, driver, format, catalog } = options;
  report.begin("index.records");
  const pinnedIndex = await pinIndex({ kind: "record" });
  try {
    const makeDocuments = recordDocuments(catalog, format, await pinnedIndex.view.made());
    let done = 0;
    for await (const part of compareRecords(driver, pinnedIndex, makeDocuments)) {
      done += part.count;
      report.progress("index.records", done);
      for (const { id, ...finding } of part.differences)
        report.add({ check: "index.records", ...finding }, ["records", id]);
    }
  } finally {
    await pinnedIndex.close();
  }
}

async function verifyTerms(options: VerifyIndexOptions, vocabulary: Vocabulary, report: IndexReport): Promise<void> {
  const { pinIndex } = options;
  const { name } = vocabulary;
  report.begin("index.terms");
  const pinnedIndex = await pinIndex({ kind: "term", vocabulary: name });
  try {
    let done = 0;
    for await (const part of compareTerms(options, pinnedIndex, vocabulary)) {
      done += part.count;
      report.progress(`index.terms ${name}`, done);
      for (const { id, ...finding } of part.differences) {
        report.add({ check: "index.terms", ...finding }, ["terms", `${name} ${id}`]);
      }
    }
  } finally {
    await pinnedIndex.close();
  }
}

/** Reports refused documents. Searches still find them, because they are judged apart from the index. */
async function noteRefused({ source, openView }: VerifyIndexOptions, report: IndexReport): Promise<void> {
  const view = await openView();
  await view.close();
  if (view.index === undefined) return;
  for (const { kind, place, id, reason } of await source.failures(view.index.name)) {
    const where = kind === "record" ? id : `${place}/${id}`;
    report.note(`The search index refuses ${where}, which searches find all the same: ${reason}`);
  }
}

/**
 * Writes differing documents again, from the current state of the store. @returns the number of written records and
 * terms
 */
export async function repairIndex(options: VerifyIndexOptions, { records, terms }: IndexPlan): Promise<RepairCounts> {
  const { source, driver } = options;
  const view = await options.openView();
  try {
    const { index, head } = view;
    if (index === undefined) return {};
    const writer = makeDocumentWriter(options, { name: index.name, made: await view.made() });
    // The relay may refresh the index at any time, so searches may show the content of this view from now on.
    await beginWriting({ source, driver }, index.name, head);
    const changed = { records: [...records].map((id) => ({ id })), terms: [...terms].map(readTerm) };
    const failures = await writer.write(view, changed);
    if (failures.length > 0) await source.setAside(index.name, failures, head);
    await driver.refresh(allPartsOf(index.name));
    return { "index.records": records.size, "index.terms": terms.size };
  } finally {
    await view.close();
  }
}

function readTerm(unit: string): { readonly vocabulary: string; readonly id: string } {
  const blank = unit.indexOf(" ");
  return { vocabulary: unit.slice(0, blank), id: unit.slice(blank + 1) };
}

/** Joins two verifications: of the store, and of its index. */
export function joinVerifications(store: Verification, index: Verification): Verification {
  return {
    ...store,
    findings: [...store.findings, ...index.findings],
    counts: { ...store.counts, ...index.counts },
    leftOut: [...new Set([...store.leftOut, ...index.leftOut])],
    notes: [...store.notes, ...index.notes],
  };
}

/** A document that differs from the one that the record or term with this id produces. */
interface IndexDifference {
  readonly id: string;
  /** For example `zv0gv-btp27 (published)` or `organisms/taxid:562`. */
  readonly where: string;
  readonly expected: string;
  readonly found: string;
}

/** A compared part of the store: its size and its differences. */
interface ComparedPart {
  readonly count: number;
  readonly differences: readonly IndexDifference[];
}

/** One snapshot of an index, and the view of the store that belongs to it. */
interface ComparedIndex {
  readonly view: SourceView;
  readonly target: SearchTarget;
  /** Ids that the index may legitimately have otherwise: they have changed since, or the index refuses them. */
  readonly changed: ReadonlySet<string>;
}

/** Compares records in row order. Documents between two rows that the store does not have are found too. */
async function* compareRecords(
  driver: IndexDriver,
  { view, target, changed }: ComparedIndex,
  makeDocuments: RecordDocuments,
): AsyncGenerator<ComparedPart> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const records = await view.recordsAfter(after, RECORDS_AT_ONCE);
    const lastKey: number | undefined = records.at(-1)?.row;
    const expected = new Map<string, string>();
    for (const { id, sum } of await makeDocuments(view, records)) expected.set(id, sum);
    const stored = await driver.recordSums(target, { after, upTo: lastKey });
    const foundSums = new Map(stored.map((document) => [recordDocumentKey(document), document.sum]));
    const differences = findDifferences(expected, foundSums).flatMap((difference) => {
      const { id, state } = readRecordDocumentKey(difference.id);
      return changed.has(id) ? [] : [{ ...difference, id, where: `${id} (${state})` }];
    });
    yield { count: records.length, differences };
    after = lastKey;
  }
}

/** Compares the terms of a vocabulary in the order of their ids. */
async function* compareTerms(
  { driver, format }: Pick<VerifyIndexOptions, "driver" | "format">,
  { view, target, changed }: ComparedIndex,
  vocabulary: Vocabulary,
): AsyncGenerator<ComparedPart> {
  const { name } = vocabulary;
  const belowMoved = await view.trees.belowMoved(name);
  // The region of a term below a moved term may be outdated: searches do not use it.
  const comparedText = (id: string, sum: string, region = ""): [id: string, comparedText: string] => [
    id,
    belowMoved.has(id) ? sum : `${sum} ${region}`,
  ];
  for (let after: string | undefined = ""; after !== undefined; ) {
    const terms = await view.termsAfter(name, after, TERMS_AT_ONCE);
    const lastKey: string | undefined = terms.length < TERMS_AT_ONCE ? undefined : terms.at(-1)?.content.id;
    const placed = await view.trees.placed(name, terms);
    const expected = new Map(
      placed.map((term) => comparedText(term.content.id, format.termDocument(term, vocabulary).sum, term.region)),
    );
    const stored = await driver.termSums(target, { after, upTo: lastKey });
    const foundTexts = new Map(stored.map(({ id, sum, region }) => comparedText(id, sum, region)));
    const differences = findDifferences(expected, foundTexts).filter(({ id }) => !changed.has(id));
    yield {
      count: terms.length,
      differences: differences.map((difference) => ({ ...difference, where: `${name}/${difference.id}` })),
    };
    after = lastKey;
  }
}

function findDifferences(
  expected: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
): readonly Omit<IndexDifference, "where">[] {
  const differences: Omit<IndexDifference, "where">[] = [];
  for (const [id, sum] of expected) {
    const foundSum = found.get(id);
    if (foundSum === sum) continue;
    differences.push({
      id,
      expected: "the document of what is stored",
      found: foundSum === undefined ? "none" : "another",
    });
  }
  for (const id of found.keys()) if (!expected.has(id)) differences.push({ id, expected: "none", found: "a document" });
  return differences;
}
