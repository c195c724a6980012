import { LIMITS } from "../../core/limits.js";
import type { TermContent } from "../../core/term.js";
import { storedItem, titleIn } from "../../core/terms/term-row.js";
import { csvLine, textOfCell, whyRagged } from "../../formats/csv.js";
import { readCsv } from "../../formats/read-documents.js";
import type { AffiliationMatch, MatchOperatorServices } from "../api/match-services.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { badParameter } from "../input/issues.js";
import { explainOpening } from "../input/open-import.js";
import { makeFindCandidates } from "./affiliation-candidates.js";
import { findByIds } from "./affiliation-ids.js";
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
    let header: readonly string[] = [];
    let kept: readonly number[] = [];
    for await (const { line, cells } of openRows(file, onProgress)) {
      const own = (): readonly string[] => kept.map((i) => cells[i]!);
      if (at === undefined) {
        header = cells;
        kept = columnsOfFile(header);
        at = kept[findColumn(own(), column)]!;
        onText(csvLine([...own(), ...ADDED]));
        continue;
      }
      const ragged = whyRagged(cells, header);
      if (ragged !== undefined) throw badParameter("file", `Line ${line} of ${file}: ${ragged}.`, file);
      const matches = await match(cells[at]!);
      const [first] = matches;
      const best = first !== undefined && first.confidence >= minConfidence ? first : undefined;
      counts.rows += 1;
      counts.cut += Number(cells[at]!.length > LIMITS.affiliationLengthMax);
      counts.matched += Number(best !== undefined);
      onText(csvLine([...own(), ...matchCells(best, matches)]));
    }
    if (at === undefined) throw badParameter("file", `${file} is empty; it begins with a header.`, file);
    return counts;
  };
}

/** Returns the indexes of the columns to copy: all except those that an earlier match added. */
function columnsOfFile(header: readonly string[]): readonly number[] {
  const isMatched = ADDED.every((name) => header.includes(name));
  return [...header.keys()].filter((i) => !isMatched || !ADDED.some((name) => header.lastIndexOf(name) === i));
}

/** Makes what finds the organisations that a text names, best first. @throws VOCABULARY_NOT_FOUND */
export function makeMatch(
  deps: Pick<Deps, "store" | "index" | "catalog">,
  vocabulary: string,
): (text: string) => Promise<readonly AffiliationMatch[]> {
  const declared = findVocabulary(deps.catalog, vocabulary);
  const findCandidates = makeFindCandidates(deps, declared);
  const [lang = "en"] = declared.languages;
  return async (text) => {
    const terms = await findByIds(deps.store.terms, declared, text);
    const identified = terms.map((term) => {
      const { id, title } = storedItem<TermContent>(term);
      return { id, title: titleIn(title, lang, declared), confidence: 1 };
    });
    const candidates = (await findCandidates(text)).filter(({ id }) => !identified.some((each) => each.id === id));
    const matches = candidates.map(({ id, title, evidence }) => ({ id, title, confidence: confidenceOf(evidence) }));
    return [...identified, ...matches.sort((a, b) => b.confidence - a.confidence || (a.id < b.id ? -1 : 1))];
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
