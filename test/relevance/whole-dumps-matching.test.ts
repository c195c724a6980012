import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ANONYMOUS } from "../../src/core/actor.js";
import { makeFindCandidates } from "../../src/services/matching/affiliation-candidates.js";
import { EVIDENCE, EVIDENCE_WEIGHTS } from "../../src/services/matching/affiliation-evidence.js";
import { makeMatch } from "../../src/services/matching/match-affiliations.js";
import { sharedData } from "../support/shared-data.js";
import { type Example, fitWeights } from "./fit-weights.js";
import { type JudgedCase, judgeCases, precisionAt, reliability, shareWithin } from "./judge-matches.js";
import { type MatchingCase, readAffiliations, readNames } from "./matching-sets.js";
import { openWhole } from "./open-whole.js";

/** The matching sets of ROR, asked of its whole dump: a minute, so TEST_LONG=1 only, and where they are. */
const SHARED = sharedData();
const isWanted = process.env.TEST_LONG === "1";
const print = (text: string): boolean => process.stderr.write(`${text}\n`);
if (isWanted && SHARED === undefined) print("Skipped: the dumps of authorities are not here.");

const VOCABULARY = "affiliations";

describe.skipIf(!isWanted || SHARED === undefined)("affiliations", { timeout: 3_600_000 }, () => {
  let whole: Awaited<ReturnType<typeof openWhole>>;
  let known: Set<string>;
  let cases: { readonly fitted: readonly MatchingCase[]; readonly measured: readonly MatchingCase[] };
  beforeAll(async () => {
    whole = await openWhole(SHARED!, ["ror"]);
    const affiliations = readAffiliations(SHARED!);
    // Every other one, so that both halves are alike.
    cases = {
      fitted: affiliations.filter((_, i) => i % 2 === 0),
      measured: affiliations.filter((_, i) => i % 2 === 1),
    };
    const ids = [...affiliations, ...readNames(SHARED!)].flatMap((each) => each.ids);
    known = new Set((await whole.store.terms.getMany(VOCABULARY, [...new Set(ids)])).map(({ id }) => id));
  });
  afterAll(() => whole.dispose());
  const isKnown = (id: string): boolean => known.has(id);

  const bySearch = async (text: string): Promise<{ id: string; confidence: number }[]> => {
    const window = { page: 1, size: 10 };
    const asked = { vocabulary: VOCABULARY, window, filters: {}, facetSize: 0, lang: "en" };
    const { hits } = await whole.services.searchTerms(ANONYMOUS, { ...asked, suggest: text.slice(0, 1_000) });
    return hits.map(({ id }) => ({ id, confidence: 1 }));
  };

  it("are weighed as the first half of those from papers has it", async () => {
    const find = makeFindCandidates(whole, whole.catalog.vocabularies.get(VOCABULARY)!);
    const examples: Example[] = [];
    for (const { text, ids } of cases.fitted) {
      const found = await find(text);
      for (const { id, evidence } of found) examples.push({ evidence, isRight: ids.includes(id) });
    }
    const { none, of } = fitWeights(examples);
    print(`fitted weights: ${JSON.stringify({ none, of })}`);
    const differences = EVIDENCE.map((name) => Math.abs(EVIDENCE_WEIGHTS.of[name] - of[name]));
    expect(Math.max(...differences, Math.abs(EVIDENCE_WEIGHTS.none - none))).toBeLessThan(0.05);
  });

  it.each([
    ["from papers, the other half", () => cases.measured],
    ["that are names", () => readNames(SHARED!)],
  ] as const)("%s are matched far better than a search finds them", async (what, read) => {
    const match = makeMatch(whole, VOCABULARY);
    const matched = await judgeCases(read(), isKnown, match);
    const searched = await judgeCases(read(), isKnown, bySearch);
    print(`${what}, matched\n${describeCases(matched)}\n${what}, searched\n${describeCases(searched)}`);
    expect(shareWithin(matched, 1)).toBeGreaterThan(0.93);
    expect(shareWithin(matched, 1)).toBeGreaterThan(shareWithin(searched, 1));
    expect(precisionAt(matched, 0.5).precision).toBeGreaterThan(0.9);
    for (const { confidence, right, count } of reliability(matched)) {
      // Where little speaks for anything the confidence is too low, which misleads nobody; it is hardly ever too high.
      if (count >= 40) expect(confidence - right).toBeLessThan(0.1);
      if (count >= 500) expect(Math.abs(confidence - right)).toBeLessThan(0.05);
    }
  });
});

function describeCases(judged: readonly JudgedCase[]): string {
  const within = [1, 3, 10].map((first) => `first ${first}: ${shareWithin(judged, first).toFixed(3)}`);
  const thresholds = [0.3, 0.5, 0.7, 0.9].map((threshold) => {
    const { precision, recall } = precisionAt(judged, threshold);
    return `  at ${threshold}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`;
  });
  const steps = reliability(judged).map(({ from, count, confidence, right }) => {
    return `  confidence from ${from}: ${count} of mean ${confidence.toFixed(2)}, right ${right.toFixed(2)}`;
  });
  return [`${judged.length} cases, ${within.join(", ")}`, ...thresholds, ...steps].join("\n");
}
