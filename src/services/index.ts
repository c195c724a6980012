import { WARNING_REPORTER } from "../core/background.js";
import { QUOTAS_DEFAULT, TEXT_LIMITS_DEFAULT } from "../core/limits.js";
import { drawStructure } from "../formats/structure-svg.js";
import type { Authority } from "../ports/authorities.js";
import type { LiveAuthority } from "../ports/live-authorities.js";
import type { OnProgress } from "../ports/store-admin.js";
import { makeDeleteGrant, makeListGrants, makePutGrant } from "./accounts/grants.js";
import {
  makeAuthenticate,
  makeCreateOwnToken,
  makeCreateToken,
  makeListOwnTokens,
  makeListTokens,
  makeRevokeOwnToken,
  makeRevokeToken,
  makeRevokeTokens,
} from "./accounts/tokens.js";
import {
  makeAddUser,
  makeDeleteUser,
  makeRenameUser,
  makeSetDisabled,
  makeSetRole,
  makeTransferRecords,
} from "./accounts/users.js";
import { makeListAudit } from "./admin/list-audit.js";
import { makeNoteRefusals } from "./admin/note-refusals.js";
import { writeStoreDump } from "./admin/store-dump.js";
import { makeRepairStore, makeVerifyStore } from "./admin/verify-store.js";
import type { PrepareServices } from "./api/prepare-services.js";
import type { AllServices } from "./api/services.js";
import { makeAddWebhook } from "./changes/add-webhook.js";
import { makeAwaitChange } from "./changes/await-change.js";
import { makeListDeadDeliveries, makeListWebhooks } from "./changes/list-webhooks.js";
import { makeReadChangeHead, makeReadChanges } from "./changes/read-changes.js";
import { makeRelayServices } from "./changes/relay-deliveries.js";
import { makeRemoveWebhook } from "./changes/remove-webhook.js";
import { makeRenewWebhookSecret } from "./changes/renew-webhook-secret.js";
import { makeReplayWebhook } from "./changes/replay-webhook.js";
import type { Deps } from "./context/deps.js";
import { makeRunWrite } from "./context/run-write.js";
import { makeExports } from "./exports/export-record.js";
import { makeImports } from "./imports/make-imports.js";
import { makePrepareAsking } from "./lookup/prepare-asking.js";
import { makeSearchAuthority } from "./lookup/search-authority.js";
import { makeMatchAffiliations } from "./matching/match-affiliations.js";
import { makePrepareRecord } from "./metadata/prepare-record.js";
import { makeOnDemand, type OnDemand } from "./on-demand.js";
import { makeCheckAccess } from "./records/check-access.js";
import { makeCreateDraft } from "./records/create-draft.js";
import { makeDeleteDraft } from "./records/delete-draft.js";
import { makeEditRecord } from "./records/edit-record.js";
import { makeModelOf } from "./records/model-of.js";
import { makePublishDraft } from "./records/publish-draft.js";
import { makeReadDraft } from "./records/read-draft.js";
import { makeReadRecord } from "./records/read-record.js";
import { makeRefreshRecords } from "./records/refresh-records.js";
import { makeReplaceDraft } from "./records/replace-draft.js";
import { makeRetractRecord } from "./records/retract-record.js";
import { makeFetchRecords } from "./search/fetch-records.js";
import { makeReadQueryText } from "./search/read-query-text.js";
import { makeSearchRecords } from "./search/search-records.js";
import { makeSearchTerms } from "./search/search-terms.js";
import { makeOpenResults } from "./streams/open-result.js";
import { makeValidateFile } from "./validate/validate-file.js";
import { makeValidateRecord } from "./validate/validate-record.js";
import { makeCreateVersion } from "./versions/create-version.js";
import { makeListVersions } from "./versions/list-versions.js";
import { makeReadLatest } from "./versions/read-latest.js";
import { makeConfirmTerm } from "./vocabularies/confirm-term.js";
import { makeCreateTerm } from "./vocabularies/create-term.js";
import { makeDeleteTerm } from "./vocabularies/delete-term.js";
import { makeDrawStructure } from "./vocabularies/draw-structure.js";
import { makeFetchTerms } from "./vocabularies/fetch-terms.js";
import { makeListVocabularies } from "./vocabularies/list-vocabularies.js";
import { makeMergeTerm } from "./vocabularies/merge-into.js";
import { makePatchTerm } from "./vocabularies/patch-term.js";
import { makeCountBelow, makeReadTerm } from "./vocabularies/read-term.js";
import { makeReadTermHistory } from "./vocabularies/read-term-history.js";
import { makeReplaceTerm } from "./vocabularies/replace-term.js";
import { makeValidateTerm } from "./vocabularies/validate-term.js";

/** In UTF-16 units. Longer bodies take longer to be read, validated and analysed than the writer may be held. */
const PREPARED_HERE_MAX = 64 * 1024;

/** Default of `searchTimeoutMs`, for services that are made without settings. */
const SEARCH_TIMEOUT_MS = 2_000;

/** Parts with a default. */
type Optional = Pick<
  Deps,
  "draw" | "background" | "authorities" | "live" | "textLimits" | "quotas" | "searchTimeoutMs"
>;

/** What use cases are made over. */
type Parts = Omit<Deps, keyof OnDemand | "runWrite" | "prepare" | keyof Optional> &
  Partial<OnDemand & Optional> & {
    /** Prepares long bodies on another thread; absent: on this one. */
    readonly prepareElsewhere?: PrepareServices["prepareRecord"];
  };

function makeDeps(parts: Parts): Deps {
  const none = { authorities: new Map<string, Authority>(), live: new Map<string, LiveAuthority>() };
  const limits = { textLimits: TEXT_LIMITS_DEFAULT, quotas: QUOTAS_DEFAULT, searchTimeoutMs: SEARCH_TIMEOUT_MS };
  const made = { background: WARNING_REPORTER, draw: drawStructure, ...limits, ...none, ...makeOnDemand(), ...parts };
  const here = makePrepareRecord(made);
  const elsewhere = parts.prepareElsewhere ?? here;
  const prepare: Deps["prepare"] = (job) => (job.text.length > PREPARED_HERE_MAX ? elsewhere(job) : here(job));
  const deps = { ...made, prepare, runWrite: makeRunWrite(parts.store) };
  return deps.live.size === 0 ? deps : { ...deps, prepare: makePrepareAsking(deps) };
}

function makeSearches(deps: Deps) {
  return {
    searchRecords: makeSearchRecords(deps),
    fetchRecords: makeFetchRecords(deps),
    searchTerms: makeSearchTerms(deps),
    readQueryText: makeReadQueryText(deps),
    searchAuthority: makeSearchAuthority(deps),
    ...makeOpenResults(deps),
  };
}

function makeTermWrites(deps: Deps) {
  return {
    validateTerm: makeValidateTerm(deps),
    createTerm: makeCreateTerm(deps),
    replaceTerm: makeReplaceTerm(deps),
    patchTerm: makePatchTerm(deps),
    mergeTerm: makeMergeTerm(deps),
    confirmTerm: makeConfirmTerm(deps),
    deleteTerm: makeDeleteTerm(deps),
  };
}

/** All use cases over one store and index. Nothing is compiled or read before it is needed. */
export function makeServices(parts: Parts): AllServices {
  const deps = makeDeps(parts);
  const { store, admin } = deps;
  return {
    authenticate: makeAuthenticate(deps),
    ...makeExports(deps),
    modelOf: makeModelOf(deps),
    readRecord: makeReadRecord(deps),
    readLatest: makeReadLatest(deps),
    listVersions: makeListVersions(deps),
    readDraft: makeReadDraft(deps),
    checkAccess: makeCheckAccess(deps),
    listGrants: makeListGrants(deps),
    listOwnTokens: makeListOwnTokens(deps),
    readTerm: makeReadTerm(deps),
    countBelow: makeCountBelow(deps),
    readTermHistory: makeReadTermHistory(deps),
    fetchTerms: makeFetchTerms(deps),
    drawStructure: makeDrawStructure(deps),
    listVocabularies: makeListVocabularies(deps),
    validateRecord: makeValidateRecord(deps),
    readChanges: makeReadChanges(deps),
    readChangeHead: makeReadChangeHead(deps),
    awaitChange: makeAwaitChange(deps),
    checkReady: () => store.check(),
    listIndexes: () => admin.indexes(),
    ...makeSearches(deps),
    createDraft: makeCreateDraft(deps),
    replaceDraft: makeReplaceDraft(deps),
    deleteDraft: makeDeleteDraft(deps),
    publishDraft: makePublishDraft(deps),
    editRecord: makeEditRecord(deps),
    createVersion: makeCreateVersion(deps),
    retractRecord: makeRetractRecord(deps),
    ...makeTermWrites(deps),
    putGrant: makePutGrant(deps),
    deleteGrant: makeDeleteGrant(deps),
    createOwnToken: makeCreateOwnToken(deps),
    revokeOwnToken: makeRevokeOwnToken(deps),
    noteRefusals: makeNoteRefusals(deps),
    touchToken: (token, day) => store.transaction((tx) => tx.users.touchToken(token, day)),
    addUser: makeAddUser(deps),
    listUsers: () => store.users.listUsers(),
    setRole: makeSetRole(deps),
    setDisabled: makeSetDisabled(deps),
    renameUser: makeRenameUser(deps),
    deleteUser: makeDeleteUser(deps),
    transferRecords: makeTransferRecords(deps),
    revokeTokens: makeRevokeTokens(deps),
    listAudit: makeListAudit(deps),
    createToken: makeCreateToken(deps),
    listTokens: makeListTokens(deps),
    revokeToken: makeRevokeToken(deps),
    validateFile: makeValidateFile(deps),
    matchAffiliations: makeMatchAffiliations(deps),
    addWebhook: makeAddWebhook(deps),
    listWebhooks: makeListWebhooks(deps),
    listDeadDeliveries: makeListDeadDeliveries(deps),
    removeWebhook: makeRemoveWebhook(deps),
    replayWebhook: makeReplayWebhook(deps),
    renewWebhookSecret: makeRenewWebhookSecret(deps),
    ...makeRelayServices(store),
    refreshRecords: makeRefreshRecords(deps),
    prepareRecord: makePrepareRecord(deps),
    ...makeImports(deps),
    ...makeStoreCare(deps),
  };
}

/** What an operator does to the store as a whole. */
function makeStoreCare(deps: Deps) {
  const { store, admin } = deps;
  return {
    readStatus: () => admin.status(),
    findUnserved: () => admin.findUnserved(),
    verifyStore: makeVerifyStore(deps),
    countStaleTerms: () => store.terms.stale(),
    repairStore: makeRepairStore(deps),
    reindexStore: (shards: number | undefined, onProgress: OnProgress) =>
      admin.reindex(shards === undefined ? {} : { shards }, onProgress),
    backupStore: (file: string, force: boolean) => admin.backup(file, { force }),
    dumpStore: async () => writeStoreDump(admin.dump()),
  };
}
