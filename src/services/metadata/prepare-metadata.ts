import type { Model } from "../../core/catalog/types.js";
import type { Issue, Warning } from "../../core/issue.js";
import { TEXT_LIMITS_DEFAULT } from "../../core/limits.js";
import { messagesIn } from "../../core/messages/en.js";
import type { TermReader } from "../../ports/store.js";
import type { TermLookup } from "../api/preparation.js";
import type { Deps } from "../context/deps.js";
import { Listed, makeIssue } from "../input/issues.js";
import { checkFilled, checkTexts } from "./check-texts.js";
import { issuesOfDangling } from "./dangling-references.js";
import { type Dereferenced, dereference } from "./dereference.js";
import { fillReferences, issuesOfRepeated } from "./fill-references.js";
import type { SentRecord } from "./read-body.js";

export type MetadataDeps = Pick<Deps, "clock" | "findNearTerms" | "validatorOf" | "fieldsOf" | "sitesOf"> &
  Partial<Pick<Deps, "textLimits">>;

/** Metadata as they will be stored, with their citations and problems. */
interface PreparedMetadata extends Pick<Dereferenced, "metadata" | "cited" | "unknownTerms"> {
  /** At most LIMITS.issuesMax, and one entry that counts the others. */
  readonly issues: readonly Issue[];
  /** At most LIMITS.issuesMax, and one entry that counts the others. */
  readonly warnings: readonly Warning[];
}

/**
 * Prepares sent metadata for storage: fills in terms and references, and collects all problems. The terms must be
 * compared again in the transaction that stores the metadata, see `refreshPrepared`.
 *
 * @param sent if `missing` is set, the body has no metadata; this is its only problem, and nothing is validated
 * @param lookups answers of authorities about unknown terms
 * @throws BODY_INVALID, DRAFT_INVALID, RECORD_TOO_LARGE if there is too much text, sent or filled in
 */
export async function prepareMetadata(
  { clock, findNearTerms, validatorOf, fieldsOf, sitesOf, textLimits = TEXT_LIMITS_DEFAULT }: MetadataDeps,
  terms: TermReader,
  model: Model,
  sent: Pick<SentRecord, "metadata" | "missing"> & Partial<Pick<SentRecord, "notOffered" | "warnings" | "isStored">>,
  lookups: readonly TermLookup[] = [],
): Promise<PreparedMetadata> {
  const { notOffered = [], isStored = false } = sent;
  const warnings = new Listed<Warning>();
  if (sent.warnings !== undefined) warnings.append(sent.warnings);
  if (sent.missing !== undefined) {
    const issues = [sent.missing, ...notOffered];
    const allWarnings = withCount(warnings, countWarnings);
    return { metadata: sent.metadata, cited: [], unknownTerms: [], issues, warnings: allWarnings };
  }
  const wording = { fields: fieldsOf(model), say: messagesIn() };
  const textIssues = checkTexts(sent.metadata, model, textLimits, wording, isStored);
  const sites = sitesOf(model);
  const dereferenced = await dereference(terms, findNearTerms, sites.terms, sent.metadata, wording, lookups);
  const { metadata, dangling, repeated, ...references } = fillReferences(sites, dereferenced.metadata, wording);
  checkFilled(metadata, sites, textLimits);
  const validated = validatorOf(model)(metadata, { say: wording.say, nowMicros: clock.nowMicros() });
  const issues = new Listed<Issue>();
  issues.append({ entries: textIssues, more: 0 });
  issues.append(dereferenced.issues);
  issues.append(issuesOfRepeated(repeated, metadata, wording));
  issues.append(issuesOfDangling(dangling, metadata, validated.issues, wording));
  // Leaves out schema errors at places that have an issue already.
  const places = new Set(issues.entries.map(({ pointer }) => pointer));
  const schemaIssues = validated.issues.filter(({ pointer }) => !places.has(pointer));
  issues.append({ entries: schemaIssues, more: validated.moreIssues });
  warnings.append(dereferenced.warnings);
  warnings.append(references.warnings);
  warnings.append({ entries: validated.warnings, more: validated.moreWarnings });
  return {
    metadata,
    cited: dereferenced.cited,
    unknownTerms: dereferenced.unknownTerms,
    issues: [...notOffered, ...withCount(issues, countIssues)],
    warnings: withCount(warnings, countWarnings),
  };
}

/** Returns the entries of a list, and one entry that counts the others if there are any. */
function withCount<T>({ entries, more }: Listed<T>, describeRest: (count: number) => T): readonly T[] {
  return more === 0 ? entries : [...entries, describeRest(more)];
}

const countIssues = (count: number): Issue =>
  makeIssue(["metadata"], "MORE_PROBLEMS", [messagesIn().MORE_PROBLEMS({ count })]);

const countWarnings = (count: number): Warning => {
  return { code: "MORE_WARNINGS", message: messagesIn().MORE_WARNINGS({ count }), field: "metadata" };
};
