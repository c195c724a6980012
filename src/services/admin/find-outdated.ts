import type { Issue } from "../../core/issue.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import type { StoredRecord } from "../../core/record.js";
import type { TermReader } from "../../ports/store.js";
import type { OnProgress, Verification } from "../../ports/store-admin.js";
import type { OutdatedRecord, StoreVerification } from "../api/admin-services.js";
import type { Deps } from "../context/deps.js";
import { prepareMetadata } from "../metadata/prepare-metadata.js";
import { unreadIssues } from "../metadata/read-document.js";
import { rememberCited } from "./remember-cited.js";

/**
 * Adds to a verification the records that could not be published now as they are stored: since then their model came
 * to want something else, a term that they cite is gone, or they are larger than the limits. Of a damaged file nothing
 * is added but a note.
 */
export async function withOutdated(
  deps: Deps,
  verification: Verification,
  onProgress: OnProgress,
): Promise<StoreVerification> {
  if ((verification.counts["file.integrity"] ?? 0) === 0) {
    return { ...verification, outdated: await findOutdated(deps, verification.records, onProgress) };
  }
  const note = "The file is damaged, so the records were not validated against their models.";
  return { ...verification, notes: [...verification.notes, note] };
}

async function findOutdated(
  deps: Deps,
  of: number,
  onProgress: OnProgress,
): Promise<NonNullable<StoreVerification["outdated"]>> {
  // Near terms are not listed, and each would cost a search.
  const { store } = deps;
  const validating: Deps = { ...deps, store: { ...store, terms: { ...store.terms, nearest: async () => [] } } };
  const terms = rememberCited(store.terms);
  const records: OutdatedRecord[] = [];
  let total = 0;
  let done = 0;
  for await (const some of deps.admin.readRecords()) {
    for (const stored of some) {
      const issues = await problemsOf(validating, terms, stored);
      const [first] = issues;
      if (first === undefined) continue;
      total++;
      const { id, model, state } = stored;
      if (records.length < LIMITS.findingsMax) records.push({ id, model, state, problems: issues.length, first });
    }
    done += some.length;
    onProgress({ what: "models", done, of });
  }
  return { total, records };
}

/** What is wrong with a record now; nothing of a draft that says so itself, or of a body that nobody can read. */
async function problemsOf(
  deps: Deps,
  terms: TermReader,
  { model: name, json }: StoredRecord,
): Promise<readonly Issue[]> {
  const model = deps.catalog.models.get(name);
  const metadata = model === undefined ? undefined : metadataOf(json);
  if (model === undefined || metadata === undefined) return [];
  try {
    return (await prepareMetadata(deps, terms, model, { metadata })).issues;
  } catch (error) {
    // It is larger than the present limits.
    return unreadIssues(error, model);
  }
}

function metadataOf(json: string): JsonObject | undefined {
  try {
    const body = JSON.parse(json) as Json;
    return isObject(body) && body.errors === undefined && isObject(body.metadata) ? body.metadata : undefined;
  } catch {
    return undefined;
  }
}
