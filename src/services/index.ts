import { makeAddUser } from "./add-user.js";
import { makeAuthenticate } from "./authenticate.js";
import { makeBackupStore } from "./backup-store.js";
import { makeCheckReady } from "./check-ready.js";
import { makeCreateDraft } from "./create-draft.js";
import { makeCreateToken } from "./create-token.js";
import { makeDeleteDraft } from "./delete-draft.js";
import { type Deps, lazyValidators } from "./deps.js";
import { makeFetchTerms } from "./fetch-terms.js";
import { makeImportRecords } from "./import-records.js";
import { makeImportTerms } from "./import-terms.js";
import { makeListTokens } from "./list-tokens.js";
import { makeListVocabularies } from "./list-vocabularies.js";
import { makeLoadStarters } from "./load-starters.js";
import { makePublishDraft } from "./publish-draft.js";
import { makeReadDraft } from "./read-draft.js";
import { makeReadRecord } from "./read-record.js";
import { makeReadTerm } from "./read-term.js";
import { makeRepairStore } from "./repair-store.js";
import { makeReplaceDraft } from "./replace-draft.js";
import { makeRevokeToken } from "./revoke-token.js";
import { makeRunWrite } from "./run-write.js";
import { makeSearchRecords } from "./search-records.js";
import { makeSearchTerms } from "./search-terms.js";
import type { OperatorServices, Services } from "./services.js";
import { makeTouchToken } from "./touch-token.js";
import { makeVerifyStore } from "./verify-store.js";

/** All use cases over one store and index. Nothing is compiled or read before it is needed. */
export function makeServices(parts: Omit<Deps, "validatorOf" | "runWrite">): Services & OperatorServices {
  const deps: Deps = { ...parts, validatorOf: lazyValidators(), runWrite: makeRunWrite(parts.store) };
  return {
    authenticate: makeAuthenticate(deps),
    readRecord: makeReadRecord(deps),
    readDraft: makeReadDraft(deps),
    readTerm: makeReadTerm(deps),
    fetchTerms: makeFetchTerms(deps),
    listVocabularies: makeListVocabularies(deps),
    checkReady: makeCheckReady(deps),
    searchRecords: makeSearchRecords(deps),
    searchTerms: makeSearchTerms(deps),
    createDraft: makeCreateDraft(deps),
    replaceDraft: makeReplaceDraft(deps),
    deleteDraft: makeDeleteDraft(deps),
    publishDraft: makePublishDraft(deps),
    touchToken: makeTouchToken(deps),
    addUser: makeAddUser(deps),
    createToken: makeCreateToken(deps),
    listTokens: makeListTokens(deps),
    revokeToken: makeRevokeToken(deps),
    importTerms: makeImportTerms(deps),
    importRecords: makeImportRecords(deps),
    loadStarters: makeLoadStarters(deps),
    verifyStore: makeVerifyStore(deps),
    repairStore: makeRepairStore(deps),
    backupStore: makeBackupStore(deps),
  };
}
