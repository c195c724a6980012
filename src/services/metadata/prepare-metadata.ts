import type { Model } from "../../core/catalog/types.js";
import type { Issue } from "../../core/issue.js";
import { TEXT_LIMITS_DEFAULT } from "../../core/limits.js";
import { messagesIn } from "../../core/messages/messages-in.js";
import type { TermReader } from "../../ports/store.js";
import type { LookedUp } from "../api/prepare-services.js";
import type { Deps } from "../context/deps.js";
import { issuesOfRepeated } from "../rules/repeated-ids.js";
import { checkTexts } from "./check-texts.js";
import { issuesOfDangling } from "./dangling-references.js";
import { type Dereferenced, dereference } from "./dereference.js";
import { fillReferences } from "./fill-references.js";
import type { SentRecord } from "./read-body.js";

export type MetadataDeps = Pick<Deps, "store" | "clock" | "validatorOf" | "fieldsOf" | "sitesOf"> &
  Partial<Pick<Deps, "textLimits">>;

/**
 * What is stored of metadata that was sent: terms and references filled in, every problem named. Whoever stores it
 * looks the terms up again in the transaction, see `upToDate`.
 *
 * @param sent `missing` is the one problem of a body without metadata; then the schema is not asked
 * @param lookedUp what authorities said of terms that are not loaded
 * @throws BODY_INVALID, DRAFT_INVALID, RECORD_TOO_LARGE: there is too much text
 */
export async function prepareMetadata(
  { store, clock, validatorOf, fieldsOf, sitesOf, textLimits = TEXT_LIMITS_DEFAULT }: MetadataDeps,
  terms: TermReader,
  model: Model,
  sent: Pick<SentRecord, "metadata" | "missing"> & Partial<Pick<SentRecord, "notOffered" | "warnings" | "isStored">>,
  lookedUp: readonly LookedUp[] = [],
): Promise<Dereferenced> {
  const { notOffered = [], warnings: warned = [], isStored = false } = sent;
  if (sent.missing !== undefined) {
    const issues = [sent.missing, ...notOffered];
    return { metadata: sent.metadata, cited: [], unknown: [], issues, warnings: warned };
  }
  const wording = { fields: fieldsOf(model), say: messagesIn() };
  const ofTexts = checkTexts(sent.metadata, model, textLimits, wording, isStored);
  const sites = sitesOf(model);
  const dereferenced = await dereference(terms, store.terms, sites.terms, sent.metadata, wording, lookedUp);
  const { metadata, dangling, repeated, warnings } = fillReferences(sites, dereferenced.metadata, wording);
  const validated = validatorOf(model)(metadata, { say: wording.say, nowMicros: clock.nowMicros() });
  const issues = [
    ...issuesOfRepeated(repeated, metadata, wording),
    ...issuesOfDangling(dangling, metadata, validated.issues, wording),
  ];
  return {
    metadata,
    cited: dereferenced.cited,
    unknown: dereferenced.unknown,
    issues: [...notOffered, ...withoutRepeats([...ofTexts, ...dereferenced.issues, ...issues], validated.issues)],
    warnings: [...warned, ...dereferenced.warnings, ...warnings, ...validated.warnings],
  };
}

/** Where the vocabularies or the record itself say what is wrong, the schema's word on the same place adds nothing. */
function withoutRepeats(own: readonly Issue[], schema: readonly Issue[]): readonly Issue[] {
  const said = new Set(own.map(({ pointer }) => pointer));
  return [...own, ...schema.filter(({ pointer }) => !said.has(pointer))];
}
