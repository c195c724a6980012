import { WARNING_REPORTER } from "../core/background.js";
import { makeAddUser } from "./add-user.js";
import { makeAddWebhook } from "./add-webhook.js";
import { makeAuthenticate } from "./authenticate.js";
import { makeAwaitChange } from "./await-change.js";
import { makeBackupStore } from "./backup-store.js";
import { makeCheckAccess } from "./check-access.js";
import { makeCheckReady } from "./check-ready.js";
import { makeCreateDraft } from "./create-draft.js";
import { makeCreateOwnToken } from "./create-own-token.js";
import { makeCreateTerm } from "./create-term.js";
import { makeCreateToken } from "./create-token.js";
import { makeCreateVersion } from "./create-version.js";
import { makeDeleteDraft } from "./delete-draft.js";
import { makeDeleteGrant } from "./delete-grant.js";
import { makeDeleteTerm } from "./delete-term.js";
import { makeDeleteUser } from "./delete-user.js";
import { type Deps, makeOnDemand } from "./deps.js";
import { makeEditRecord } from "./edit-record.js";
import { makeFetchTerms } from "./fetch-terms.js";
import { makeFindUnserved } from "./find-unserved.js";
import { makeImportRecords } from "./import-records.js";
import { makeImportTerms } from "./import-terms.js";
import { makeJudgeFile } from "./judge-file.js";
import { makeJudgeRecord } from "./judge-record.js";
import { makeListAudit } from "./list-audit.js";
import { makeListGrants } from "./list-grants.js";
import { makeListOwnTokens } from "./list-own-tokens.js";
import { makeListTokens } from "./list-tokens.js";
import { makeListUsers } from "./list-users.js";
import { makeListVersions } from "./list-versions.js";
import { makeListVocabularies } from "./list-vocabularies.js";
import { makeListDeadDeliveries, makeListWebhooks } from "./list-webhooks.js";
import { makeLoadStarters } from "./load-starters.js";
import { makeNoteRefusals } from "./note-refusals.js";
import { makePrepareRecord, type PrepareServices } from "./prepare-record.js";
import { makePublishDraft } from "./publish-draft.js";
import { makePutGrant } from "./put-grant.js";
import { makeReadChangeHead, makeReadChanges } from "./read-changes.js";
import { makeReadDraft } from "./read-draft.js";
import { makeReadLatest } from "./read-latest.js";
import { makeReadRecord } from "./read-record.js";
import { makeReadTerm } from "./read-term.js";
import { makeRelayServices } from "./relay-deliveries.js";
import { makeRemoveWebhook } from "./remove-webhook.js";
import { makeRenameUser } from "./rename-user.js";
import { makeRenewWebhookSecret } from "./renew-webhook-secret.js";
import { makeRepairStore } from "./repair-store.js";
import { makeReplaceDraft } from "./replace-draft.js";
import { makeReplaceTerm } from "./replace-term.js";
import { makeReplayWebhook } from "./replay-webhook.js";
import { makeRetractRecord } from "./retract-record.js";
import { makeRevokeOwnToken } from "./revoke-own-token.js";
import { makeRevokeToken } from "./revoke-token.js";
import { makeRevokeTokens } from "./revoke-tokens.js";
import { makeRunWrite } from "./run-write.js";
import { makeSearchRecords } from "./search-records.js";
import { makeSearchTerms } from "./search-terms.js";
import type { OperatorServices, Services } from "./services.js";
import { makeSetDisabled } from "./set-disabled.js";
import { makeSetRole } from "./set-role.js";
import { makeTouchToken } from "./touch-token.js";
import { makeTransferRecords } from "./transfer-records.js";
import { makeVerifyStore } from "./verify-store.js";
import type { RelayServices } from "./webhook-services.js";

/** In UTF-16 units. Longer bodies take longer to be read, validated and analysed than the writer may be held. */
const PREPARED_HERE_MAX = 64 * 1024;

/** What use cases are made over. */
type Parts = Omit<Deps, "validatorOf" | "fieldsOf" | "runWrite" | "prepare" | "background"> &
  Partial<Pick<Deps, "background">> & {
    /** Prepares long bodies on another thread; absent: on this one. */
    readonly prepareElsewhere?: PrepareServices["prepareRecord"];
  };

function makeDeps(parts: Parts): Deps {
  const made = { background: WARNING_REPORTER, ...parts, ...makeOnDemand() };
  const here = makePrepareRecord(made);
  const elsewhere = parts.prepareElsewhere ?? here;
  const prepare: Deps["prepare"] = (job) => (job.text.length > PREPARED_HERE_MAX ? elsewhere(job) : here(job));
  return { ...made, prepare, runWrite: makeRunWrite(parts.store) };
}

/** All use cases over one store and index. Nothing is compiled or read before it is needed. */
export function makeServices(parts: Parts): Services & OperatorServices & RelayServices & PrepareServices {
  const deps = makeDeps(parts);
  return {
    authenticate: makeAuthenticate(deps),
    readRecord: makeReadRecord(deps),
    readLatest: makeReadLatest(deps),
    listVersions: makeListVersions(deps),
    readDraft: makeReadDraft(deps),
    checkAccess: makeCheckAccess(deps),
    listGrants: makeListGrants(deps),
    listOwnTokens: makeListOwnTokens(deps),
    readTerm: makeReadTerm(deps),
    fetchTerms: makeFetchTerms(deps),
    listVocabularies: makeListVocabularies(deps),
    judgeRecord: makeJudgeRecord(deps),
    readChanges: makeReadChanges(deps),
    readChangeHead: makeReadChangeHead(deps),
    awaitChange: makeAwaitChange(deps),
    checkReady: makeCheckReady(deps),
    searchRecords: makeSearchRecords(deps),
    searchTerms: makeSearchTerms(deps),
    createDraft: makeCreateDraft(deps),
    replaceDraft: makeReplaceDraft(deps),
    deleteDraft: makeDeleteDraft(deps),
    publishDraft: makePublishDraft(deps),
    editRecord: makeEditRecord(deps),
    createVersion: makeCreateVersion(deps),
    retractRecord: makeRetractRecord(deps),
    createTerm: makeCreateTerm(deps),
    replaceTerm: makeReplaceTerm(deps),
    deleteTerm: makeDeleteTerm(deps),
    putGrant: makePutGrant(deps),
    deleteGrant: makeDeleteGrant(deps),
    createOwnToken: makeCreateOwnToken(deps),
    revokeOwnToken: makeRevokeOwnToken(deps),
    noteRefusals: makeNoteRefusals(deps),
    touchToken: makeTouchToken(deps),
    addUser: makeAddUser(deps),
    listUsers: makeListUsers(deps),
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
    importTerms: makeImportTerms(deps),
    importRecords: makeImportRecords(deps),
    judgeFile: makeJudgeFile(deps),
    addWebhook: makeAddWebhook(deps),
    listWebhooks: makeListWebhooks(deps),
    listDeadDeliveries: makeListDeadDeliveries(deps),
    removeWebhook: makeRemoveWebhook(deps),
    replayWebhook: makeReplayWebhook(deps),
    renewWebhookSecret: makeRenewWebhookSecret(deps),
    ...makeRelayServices(parts.store),
    prepareRecord: makePrepareRecord(deps),
    loadStarters: makeLoadStarters(deps),
    findUnserved: makeFindUnserved(deps),
    verifyStore: makeVerifyStore(deps),
    countStaleTerms: () => deps.store.terms.stale(),
    repairStore: makeRepairStore(deps),
    backupStore: makeBackupStore(deps),
  };
}
