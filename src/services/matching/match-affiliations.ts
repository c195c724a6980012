import type { Vocabulary } from "../../core/catalog/types.js";
import { own } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { StoredTerm, TermContent } from "../../core/term.js";
import { parseStoredTerm, titleIn } from "../../core/terms/term-row.js";
import { type CsvDialect, csvDialect, csvLine, explainRaggedRow, numberText, textOfCell } from "../../formats/csv.js";
import { readCsv } from "../../formats/read-documents.js";
import type { TermFinder } from "../../ports/store.js";
import type { AffiliationMatch, MatchFileRequest, MatchSummary } from "../api/vocabularies.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { isTooSlow } from "../context/index-availability.js";
import { operatorUseCase } from "../context/use-case.js";
import { badParameter } from "../input/issues.js";
import { explainOpening } from "../input/open-import.js";
import { makeFindCandidates } from "./affiliation-candidates.js";
import { confidenceOf } from "./affiliation-evidence.js";

/** Defaults for the vocabulary of organisations and the column of affiliations. */
const VOCABULARY = "affiliations";
const COLUMN = "affiliation";

/** Columns that are added to the file. */
const ADDED = ["matched_id", "matched_title", "confidence", "alternatives"];

/** Maximum number of alternatives in a row, and their minimum confidence. */
const ALTERNATIVES_MAX = 3;
const ALTERNATIVE_CONFIDENCE_MIN = 0.05;

/**
 * Finds the organisations that the affiliations of a CSV file name. Writes nothing to the store.
 * @throws VOCABULARY_NOT_FOUND; PARAMETER_INVALID if the file cannot be opened, is not CSV, or lacks the column
 */
export const matchAffiliations = operatorUseCase(
  (deps) =>
    async ({
      file,
      column,
      minConfidence,
      vocabulary = VOCABULARY,
      excel,
      onText,
      onProgress,
    }: MatchFileRequest): Promise<MatchSummary> => {
      const match = makeMatch(deps, vocabulary);
      const dialect = csvDialect(excel);
      const counts = { rows: 0, matched: 0, cut: 0 };
      let at: number | undefined;
      let header: readonly string[] = [];
      let copied: readonly number[] = [];
      for await (const { line, cells } of openRows(file, onProgress)) {
        const copiedCells = (): readonly string[] => copied.map((i) => cells[i]!);
        if (at === undefined) {
          header = cells;
          copied = columnsToCopy(header);
          at = copied[findColumn(copiedCells(), column)]!;
          onText(dialect.mark + csvLine([...copiedCells(), ...ADDED], dialect));
          continue;
        }
        const ragged = explainRaggedRow(cells, header);
        if (ragged !== undefined) throw badParameter("file", `Line ${line} of ${file}: ${ragged}.`, file);
        const matches = await match(cells[at]!);
        const [first] = matches;
        const best = first !== undefined && first.confidence >= minConfidence ? first : undefined;
        counts.rows += 1;
        counts.cut += Number(cells[at]!.length > LIMITS.affiliationLengthMax);
        counts.matched += Number(best !== undefined);
        onText(csvLine([...copiedCells(), ...matchCells(best, matches, dialect)], dialect));
      }
      if (at === undefined) throw badParameter("file", `${file} is empty; it begins with a header.`, file);
      return counts;
    },
);

/** Returns the indexes of the columns to copy: all except those that an earlier match added. */
function columnsToCopy(header: readonly string[]): readonly number[] {
  const isMatched = ADDED.every((name) => header.includes(name));
  return [...header.keys()].filter((i) => !isMatched || !ADDED.some((name) => header.lastIndexOf(name) === i));
}

/** Creates a function that finds the organisations in a text, best first. @throws VOCABULARY_NOT_FOUND */
export function makeMatch(
  deps: Pick<Deps, "store" | "index" | "catalog">,
  vocabulary: string,
): (text: string) => Promise<readonly AffiliationMatch[]> {
  const declaration = findVocabulary(deps.catalog, vocabulary);
  const findCandidates = makeFindCandidates(deps, declaration);
  const [lang = "en"] = declaration.languages;
  return async (text) => {
    const terms = await findByIds(deps.store.terms, declaration, text);
    const identified = terms.map((term) => {
      const { id, title } = parseStoredTerm<TermContent>(term);
      return { id, title: titleIn(title, lang, declaration), confidence: 1 };
    });
    const candidates = (await findCandidates(text)).filter(({ id }) => !identified.some((each) => each.id === id));
    const matches = candidates.map(({ id, title, evidence }) => ({ id, title, confidence: confidenceOf(evidence) }));
    return [...identified, ...matches.sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1))];
  };
}

function matchCells(
  best: AffiliationMatch | undefined,
  matches: readonly AffiliationMatch[],
  dialect: CsvDialect,
): readonly string[] {
  const confidenceText = ({ confidence }: AffiliationMatch): string => numberText(confidence.toFixed(2), dialect);
  const matched = best === undefined ? ["", "", ""] : [best.id, best.title, confidenceText(best)];
  const alternatives = matches
    .filter((match) => match !== best && match.confidence >= ALTERNATIVE_CONFIDENCE_MIN)
    .slice(0, ALTERNATIVES_MAX)
    .map((match) => `${match.id} ${match.title} (${confidenceText(match)})`);
  return [...matched, alternatives.join("; ")];
}

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

async function* openRows(file: string, onProgress?: (bytesRead: number) => void): AsyncGenerator<Row> {
  try {
    for await (const row of readCsv(file, onProgress)) {
      if ("reason" in row) throw badParameter("file", `Line ${row.line} of ${file}: ${row.reason}.`, file);
      yield { line: row.line, cells: row.cells.map(textOfCell) };
    }
  } catch (error) {
    throw explainOpening(error, file);
  }
}

/** Returns the index of the column of affiliations. @throws PARAMETER_INVALID */
function findColumn(header: readonly string[], requested: string | undefined): number {
  const at = header.indexOf(requested ?? COLUMN);
  if (at >= 0) return at;
  if (requested === undefined && header.length === 1) return 0;
  const columns = header.map((name) => `"${name}"`).join(", ");
  const problem =
    requested === undefined ? "Name the column of the affiliations." : `There is no column "${requested}".`;
  throw badParameter("column", `${problem} The header has ${columns}.`, requested ?? null, header);
}

/** A registry of organisations: the form of its ids in texts, and their form in vocabularies. */
interface Registry {
  readonly form: RegExp;
  /** Returns the id as in vocabularies. @param match text that matches `form`, in lower case */
  readonly id: (match: string) => string;
}

/** Divides an ISNI into groups of four digits. */
const inFours = (digits: string): string => digits.match(/.{4}/g)!.join(" ");

const REGISTRIES: readonly Registry[] = [
  // ROR ids, also without address or prefix. Only ids of terms count, so other texts of this form do no harm.
  { form: /(?<![\p{L}\p{N}])0[a-hj-km-np-tv-z\d]{6}\d{2}(?![\p{L}\p{N}])/giu, id: (match) => `ror:${match}` },
  { form: /(?<![\p{L}\p{N}])grid\.\d+\.[\da-f]+/giu, id: (match) => match },
  {
    form: /(?<![\p{L}\p{N}])(?:\d{4}[\s-]?){3}\d{3}[\dx](?![\p{L}\p{N}])/giu,
    id: (match) => `isni:${inFours(match.replaceAll(/[\s-]/g, "").toUpperCase())}`,
  },
  { form: /(?<=wikidata(?::|\.org\/(?:wiki|entity)\/))q\d+/giu, id: (match) => `wikidata:${match.toUpperCase()}` },
  { form: /(?<=(?:fundref:|10\.13039\/))\d+/giu, id: (match) => `fundref:${match}` },
];

/** Maximum number of ids of one affiliation that are looked up. */
const IDS_MAX = 8;

/**
 * Finds the organisations whose ids an affiliation contains, in the order of the text: ROR ids, and identifiers of
 * GRID, ISNI, Wikidata and the Funder Registry. The ROR id of a merged organisation finds its successor.
 */
async function findByIds(terms: TermFinder, vocabulary: Vocabulary, text: string): Promise<readonly StoredTerm[]> {
  const termsById = new Map<string, StoredTerm>();
  for (const id of idsIn(text)) {
    const term = await termWithIdentifier(terms, vocabulary, id);
    if (term !== undefined) termsById.set(term.id, term);
  }
  return [...termsById.values()];
}

function idsIn(text: string): readonly string[] {
  const places = REGISTRIES.flatMap(({ form, id }) =>
    [...text.matchAll(form)].map((match) => ({ at: match.index, id: id(match[0].toLowerCase()) })),
  );
  return [...new Set(places.sort((a, b) => a.at - b.at).map(({ id }) => id))].slice(0, IDS_MAX);
}

/** Returns the term with an id, or with this text among its other identifiers. */
async function termWithIdentifier(
  terms: TermFinder,
  { name, identifiers }: Vocabulary,
  id: string,
): Promise<StoredTerm | undefined> {
  const [exact] = await terms.getMany(name, [id]);
  if (exact !== undefined) return exact.term;
  const near = await nearestId(terms, name, id);
  const [other] = near === undefined ? [] : await terms.getMany(name, [near]);
  if (other === undefined) return undefined;
  const { props } = parseStoredTerm<TermContent>(other.term);
  return identifiers.some((prop) => hasValue(props, prop, id)) ? other.term : undefined;
}

async function nearestId(terms: TermFinder, vocabulary: string, id: string): Promise<string | undefined> {
  try {
    return (await terms.nearestIds(vocabulary, id, 1))[0];
  } catch (error) {
    if (isTooSlow(error)) return undefined;
    throw error;
  }
}

function hasValue(props: TermContent["props"], prop: string, id: string): boolean {
  const value = own(props, prop);
  const values = Array.isArray(value) ? value : [value];
  return values.some((each) => typeof each === "string" && normalizedId(each) === normalizedId(id));
}

/** Returns an identifier in lower case, without blanks and hyphens, for comparisons. */
const normalizedId = (id: string): string => id.toLowerCase().replaceAll(/[\s-]/g, "");
