import { makeAddUser } from "./add-user.js";
import { makeAuthenticate } from "./authenticate.js";
import { makeCheckReady } from "./check-ready.js";
import { makeCreateDraft } from "./create-draft.js";
import { makeCreateOwnToken } from "./create-own-token.js";
import { makeCreateToken } from "./create-token.js";
import { makeDeleteDraft } from "./delete-draft.js";
import { makeDeleteGrant } from "./delete-grant.js";
import { type Deps, lazyValidators } from "./deps.js";
import { makeFetchTerms } from "./fetch-terms.js";
import { makeImportRecords } from "./import-records.js";
import { makeImportTerms } from "./import-terms.js";
import { makeListAudit } from "./list-audit.js";
import { makeListGrants } from "./list-grants.js";
import { makeListOwnTokens } from "./list-own-tokens.js";
import { makeListTokens } from "./list-tokens.js";
import { makeListUsers } from "./list-users.js";
import { makeListVocabularies } from "./list-vocabularies.js";
import { makeLoadStarters } from "./load-starters.js";
import { makeNoteRefusals } from "./note-refusals.js";
import { makePublishDraft } from "./publish-draft.js";
import { makePutGrant } from "./put-grant.js";
import { makeReadDraft } from "./read-draft.js";
import { makeReadRecord } from "./read-record.js";
import { makeReadTerm } from "./read-term.js";
import { makeReplaceDraft } from "./replace-draft.js";
import { makeRevokeOwnToken } from "./revoke-own-token.js";
import { makeRevokeToken } from "./revoke-token.js";
import { makeRunWrite } from "./run-write.js";
import { makeSearchRecords } from "./search-records.js";
import { makeSearchTerms } from "./search-terms.js";
import type { OperatorServices, Services } from "./services.js";
import { makeSetRole } from "./set-role.js";
import { makeTouchToken } from "./touch-token.js";

/** All use cases over one store and index. Nothing is compiled or read before it is needed. */
export function makeServices(parts: Omit<Deps, "validatorOf" | "runWrite">): Services & OperatorServices {
  const deps: Deps = { ...parts, validatorOf: lazyValidators(), runWrite: makeRunWrite(parts.store) };
  return {
    authenticate: makeAuthenticate(deps),
    readRecord: makeReadRecord(deps),
    readDraft: makeReadDraft(deps),
    listGrants: makeListGrants(deps),
    listOwnTokens: makeListOwnTokens(deps),
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
    putGrant: makePutGrant(deps),
    deleteGrant: makeDeleteGrant(deps),
    createOwnToken: makeCreateOwnToken(deps),
    revokeOwnToken: makeRevokeOwnToken(deps),
    noteRefusals: makeNoteRefusals(deps),
    touchToken: makeTouchToken(deps),
    addUser: makeAddUser(deps),
    listUsers: makeListUsers(deps),
    setRole: makeSetRole(deps),
    listAudit: makeListAudit(deps),
    createToken: makeCreateToken(deps),
    listTokens: makeListTokens(deps),
    revokeToken: makeRevokeToken(deps),
    importTerms: makeImportTerms(deps),
    importRecords: makeImportRecords(deps),
    loadStarters: makeLoadStarters(deps),
  };
}
