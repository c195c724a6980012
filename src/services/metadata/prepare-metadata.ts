import type { Model } from "../../core/catalog/types.js";
import type { Issue, Warning } from "../../core/issue.js";
import { TEXT_LIMITS_DEFAULT } from "../../core/limits.js";
import { messagesIn } from "../../core/messages/messages-in.js";
import type { TermReader } from "../../ports/store.js";
import type { LookedUp } from "../api/prepare-services.js";
import type { Deps } from "../context/deps.js";
import { Listed, makeIssue } from "../input/issues.js";
import { issuesOfRepeated } from "../rules/repeated-ids.js";
import { checkFilled, checkTexts } from "./check-texts.js";
import { issuesOfDangling } from "./dangling-references.js";
import { type Dereferenced, dereference } from "./dereference.js";
import { fillReferences } from "./fill-references.js";
import type { SentRecord } from "./read-body.js";

export type MetadataDeps = Pick<Deps, "store" | "clock" | "validatorOf" | "fieldsOf" | "sitesOf"> &
  Partial<Pick<Deps, "textLimits">>;

/** Stored metadata with their citations and problems. */
interface PreparedMetadata extends Pick<Dereferenced, "metadata" | "cited" | "unknown"> {
  /** At most LIMITS.issuesMax, and one entry that counts the others. */
  readonly issues: readonly Issue[];
  /** At most LIMITS.issuesMax, and one entry that counts the others. */
  readonly warnings: readonly Warning[];
}

/**
 * What is stored of metadata that was sent: terms and references filled in, every problem named. Whoever stores it
 * looks the terms up again in the transaction, see `upToDate`.
 *
 * @param sent `missing` is the one problem of a body without metadata; then the schema is not asked
 * @param lookedUp what authorities said of terms that are not loaded
 * @throws BODY_INVALID, DRAFT_INVALID, RECORD_TOO_LARGE: there is too much text, sent or filled in
 */
export async function prepareMetadata(
  { store, clock, validatorOf, fieldsOf, sitesOf, textLimits = TEXT_LIMITS_DEFAULT }: MetadataDeps,
  terms: TermReader,
  model: Model,
  sent: Pick<SentRecord, "metadata" | "missing"> & Partial<Pick<SentRecord, "notOffered" | "warnings" | "isStored">>,
  lookedUp: readonly LookedUp[] = [],
): Promise<PreparedMetadata> {
  const { notOffered = [], isStored = false } = sent;
  const warnings = new Listed<Warning>();
  if (sent.warnings !== undefined) warnings.append(sent.warnings);
  if (sent.missing !== undefined) {
    const issues = [sent.missing, ...notOffered];
    return { metadata: sent.metadata, cited: [], unknown: [], issues, warnings: withCount(warnings, countWarnings) };
  }
  const wording = { fields: fieldsOf(model), say: messagesIn() };
  const ofTexts = checkTexts(sent.metadata, model, textLimits, wording, isStored);
  const sites = sitesOf(model);
  const dereferenced = await dereference(terms, store.terms, sites.terms, sent.metadata, wording, lookedUp);
  const { metadata, dangling, repeated, ...filled } = fillReferences(sites, dereferenced.metadata, wording);
  checkFilled(metadata, sites, textLimits);
  const validated = validatorOf(model)(metadata, { say: wording.say, nowMicros: clock.nowMicros() });
  const issues = new Listed<Issue>();
  issues.append({ entries: ofTexts, more: 0 });
  issues.append(dereferenced.issues);
  issues.append(issuesOfRepeated(repeated, metadata, wording));
  issues.append(issuesOfDangling(dangling, metadata, validated.issues, wording));
  // An error of the schema at the same place adds nothing.
  const places = new Set(issues.entries.map(({ pointer }) => pointer));
  const others = validated.issues.filter(({ pointer }) => !places.has(pointer));
  issues.append({ entries: others, more: validated.moreIssues });
  warnings.append(dereferenced.warnings);
  warnings.append(filled.warnings);
  warnings.append({ entries: validated.warnings, more: validated.moreWarnings });
  return {
    metadata,
    cited: dereferenced.cited,
    unknown: dereferenced.unknown,
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
