import { WARNING_REPORTER } from "../core/background.js";
import { QUOTAS_DEFAULT, TEXT_LIMITS_DEFAULT } from "../core/limits.js";
import { drawStructure } from "../formats/structure-svg.js";
import type { Authority, LiveAuthority } from "../ports/authorities.js";
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
import { makeListAudit, makeNoteRefusals } from "./admin/audit-log.js";
import { writeStoreDump } from "./admin/store-dump.js";
import { makeRepairStore, makeVerifyStore } from "./admin/verify-store.js";
import type { ImportOperatorServices, ImportReadServices } from "./api/import-services.js";
import type { PrepareServices } from "./api/prepare-services.js";
import type { AllServices } from "./api/services.js";
import { makeAwaitChange, makeReadChangeHead, makeReadChanges } from "./changes/change-feed.js";
import {
  makeAddWebhook,
  makeListDeadDeliveries,
  makeListWebhooks,
  makeRelayServices,
  makeRemoveWebhook,
  makeRenewWebhookSecret,
  makeReplayWebhook,
} from "./changes/webhooks.js";
import type { Deps } from "./context/deps.js";
import { makeRunWrite } from "./context/run-write.js";
import { makeImportRecords } from "./imports/import-records.js";
import { makeImportTerms, makeLoadStarters } from "./imports/import-terms.js";
import { makeFindDumps, makeLoadAuthority } from "./imports/load-authority.js";
import { makeReadImport } from "./imports/read-import.js";
import { makePrepareWithLookup } from "./lookup/look-up-terms.js";
import { makeSearchAuthority } from "./lookup/search-authority.js";
import { makeMatchAffiliations } from "./matching/match-affiliations.js";
import { makePrepareRecord } from "./metadata/prepare-record.js";
import { makeOnDemand, type OnDemand } from "./on-demand.js";
import { makeCreateDraft, makeDeleteDraft, makeEditRecord, makeReadDraft, makeReplaceDraft } from "./records/drafts.js";
import { makeExports } from "./records/export-record.js";
import { makePublishDraft } from "./records/publish-draft.js";
import { makeCheckAccess, makeModelOf, makeReadRecord } from "./records/read-records.js";
import { makeRefreshRecords } from "./records/refresh-records.js";
import { makeRetractRecord } from "./records/retract-record.js";
import { makeValidateFile, makeValidateRecord } from "./records/validate-record.js";
import { makeCreateVersion, makeListVersions, makeReadLatest } from "./records/versions.js";
import { makeFindNearTerms } from "./search/near-terms.js";
import { makeReadQueryText } from "./search/read-query-text.js";
import { makeCountRecords, makeFetchRecords, makeSearchRecords } from "./search/search-records.js";
import { makeSearchTerms } from "./search/search-terms.js";
import { makeOpenResults } from "./streams/open-result.js";
import { makeConfirmTerm, makeDeleteTerm, makePatchTerm, makeReplaceTerm } from "./vocabularies/change-terms.js";
import { makeCreateTerm, makeValidateTerm } from "./vocabularies/create-term.js";
import { makeDrawStructure } from "./vocabularies/draw-structure.js";
import { makeMergeTerm } from "./vocabularies/merge-terms.js";
import {
  makeCountBelow,
  makeFetchTerms,
  makeListVocabularies,
  makeReadTerm,
  makeReadTermHistory,
} from "./vocabularies/read-terms.js";

/**
 * Length up to which bodies are prepared in the writer thread, in UTF-16 units. Longer ones would block it too long.
 */
const PREPARED_HERE_MAX = 64 * 1024;

/** Default of `searchTimeoutMs`, for services that are made without settings. */
const SEARCH_TIMEOUT_MS = 2_000;

/** Dependencies with a default. */
type Optional = Pick<
  Deps,
  "draw" | "background" | "authorities" | "live" | "textLimits" | "quotas" | "searchTimeoutMs"
>;

/** The dependencies that the caller provides. */
type Parts = Omit<Deps, keyof OnDemand | "runWrite" | "prepare" | "findNearTerms" | keyof Optional> &
  Partial<OnDemand & Optional> & {
    /** Prepares long bodies on another thread; absent: they are prepared on this thread. */
    readonly prepareElsewhere?: PrepareServices["prepareRecord"];
  };

function makeDeps(parts: Parts): Deps {
  const base = {
    background: WARNING_REPORTER,
    draw: drawStructure,
    textLimits: TEXT_LIMITS_DEFAULT,
    quotas: QUOTAS_DEFAULT,
    searchTimeoutMs: SEARCH_TIMEOUT_MS,
    authorities: new Map<string, Authority>(),
    live: new Map<string, LiveAuthority>(),
    findNearTerms: makeFindNearTerms(parts),
    ...makeOnDemand(),
    ...parts,
  };
  const here = makePrepareRecord(base);
  const elsewhere = parts.prepareElsewhere ?? here;
  const prepare: Deps["prepare"] = (job) => (job.text.length > PREPARED_HERE_MAX ? elsewhere(job) : here(job));
  const deps = { ...base, prepare, runWrite: makeRunWrite(parts.store) };
  return deps.live.size === 0 ? deps : { ...deps, prepare: makePrepareWithLookup(deps) };
}

function makeSearches(deps: Deps) {
  return {
    searchRecords: makeSearchRecords(deps),
    fetchRecords: makeFetchRecords(deps),
    searchTerms: makeSearchTerms(deps),
    readQueryText: makeReadQueryText(deps),
    searchAuthority: makeSearchAuthority(deps),
    ...makeOpenResults(deps),
    countRecords: makeCountRecords(deps),
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

/** Creates the use cases of imports. */
function makeImports(deps: Deps): ImportOperatorServices & ImportReadServices {
  return {
    importTerms: makeImportTerms(deps),
    importRecords: makeImportRecords(deps),
    loadAuthority: makeLoadAuthority(deps),
    findDumps: makeFindDumps(deps),
    listDumps: () => deps.store.dumps.list(),
    loadStarters: makeLoadStarters(deps),
    ...makeReadImport(deps),
  };
}

/** Creates all use cases over one store and index. Nothing is compiled or read before it is needed. */
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

/** Creates the use cases that concern the whole store, for operators. */
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
