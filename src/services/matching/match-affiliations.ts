import { LIMITS } from "../../core/limits.js";
import { csvLine, textOfCell } from "../../formats/csv.js";
import { readCsv } from "../../formats/read-documents.js";
import type { AffiliationMatch, MatchOperatorServices } from "../api/match-services.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { badParameter } from "../input/issues.js";
import { explainOpening } from "../input/open-import.js";
import { makeFindCandidates } from "./affiliation-candidates.js";
import { confidenceOf } from "./match-confidence.js";

/** The vocabulary of organisations, and the column of affiliations, where none is named. */
const VOCABULARY = "affiliations";
const COLUMN = "affiliation";

/** Columns that are added to those of the file. */
const ADDED = ["matched_id", "matched_title", "confidence", "alternatives"];

/** Other organisations that a row names; those that are less likely are noise. */
const ALTERNATIVES_MAX = 3;
const ALTERNATIVE_CONFIDENCE_MIN = 0.05;

/** Finds the organisations that the affiliations of a CSV file name. */
export function makeMatchAffiliations(deps: Deps): MatchOperatorServices["matchAffiliations"] {
  return async ({ file, column, minConfidence, vocabulary = VOCABULARY, onText, onProgress }) => {
    const match = makeMatch(deps, vocabulary);
    const counts = { rows: 0, matched: 0, cut: 0 };
    let at: number | undefined;
    for await (const { line, cells } of openRows(file, onProgress)) {
      if (at === undefined) {
        at = findColumn(cells, column);
        onText(csvLine([...cells, ...ADDED]));
        continue;
      }
      if (cells.length <= at) throw badParameter("file", `Line ${line} of ${file} has too few columns.`, file);
      const matches = await match(cells[at]!);
      const [first] = matches;
      const best = first !== undefined && first.confidence >= minConfidence ? first : undefined;
      counts.rows += 1;
      counts.cut += Number(cells[at]!.length > LIMITS.affiliationLengthMax);
      counts.matched += Number(best !== undefined);
      onText(csvLine([...cells, ...matchCells(best, matches)]));
    }
    if (at === undefined) throw badParameter("file", `${file} is empty; it begins with a header.`, file);
    return counts;
  };
}

/** Makes what finds the organisations that a text names, best first. @throws VOCABULARY_NOT_FOUND */
export function makeMatch(
  deps: Pick<Deps, "store" | "index" | "catalog">,
  vocabulary: string,
): (text: string) => Promise<readonly AffiliationMatch[]> {
  const findCandidates = makeFindCandidates(deps, findVocabulary(deps.catalog, vocabulary));
  return async (text) => {
    const candidates = await findCandidates(text);
    const matches = candidates.map(({ id, title, evidence }) => ({ id, title, confidence: confidenceOf(evidence) }));
    return matches.sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1));
  };
}

function matchCells(best: AffiliationMatch | undefined, matches: readonly AffiliationMatch[]): readonly string[] {
  const matched = best === undefined ? ["", "", ""] : [best.id, best.title, best.confidence.toFixed(2)];
  const alternatives = matches
    .filter((match) => match !== best && match.confidence >= ALTERNATIVE_CONFIDENCE_MIN)
    .slice(0, ALTERNATIVES_MAX)
    .map(({ id, title, confidence }) => `${id} ${title} (${confidence.toFixed(2)})`);
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

/** Where the column stands in the header. */
function findColumn(header: readonly string[], asked: string | undefined): number {
  const at = header.indexOf(asked ?? COLUMN);
  if (at >= 0) return at;
  if (asked === undefined && header.length === 1) return 0;
  const columns = header.map((name) => `"${name}"`).join(", ");
  const message = asked === undefined ? "Name the column of the affiliations." : `There is no column "${asked}".`;
  throw badParameter("column", `${message} The header has ${columns}.`, asked ?? null, header);
}
