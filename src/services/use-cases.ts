/** All use cases, collected from the files that declare them. */
import * as grants from "./accounts/grants.js";
import * as tokens from "./accounts/tokens.js";
import * as users from "./accounts/users.js";
import * as auditLog from "./admin/audit-log.js";
import * as storeCare from "./admin/store-care.js";
import type { WebhookRelayServices } from "./api/changes.js";
import type { ImportReadServices } from "./api/imports.js";
import type { PrepareServices } from "./api/preparation.js";
import type { StreamServices } from "./api/searches.js";
import * as changeFeed from "./changes/change-feed.js";
import * as webhooks from "./changes/webhooks.js";
import { type RunsOf, useCasesIn } from "./context/use-case.js";
import * as recordImports from "./imports/import-records.js";
import * as termImports from "./imports/import-terms.js";
import * as authorityLoads from "./imports/load-authority.js";
import * as authoritySearch from "./lookup/look-up-terms.js";
import * as matching from "./matching/match-affiliations.js";
import * as drafts from "./records/drafts.js";
import * as validation from "./records/drafts.js";
import * as recordReads from "./records/read-records.js";
import * as refreshing from "./records/refresh-records.js";
import * as retraction from "./records/retract-record.js";
import * as versions from "./records/versions.js";
import * as molecules from "./search/read-molecule.js";
import * as queryText from "./search/read-query-text.js";
import * as recordSearch from "./search/search-records.js";
import * as termSearch from "./search/search-terms.js";
import * as termChanges from "./vocabularies/change-terms.js";
import * as termCreation from "./vocabularies/create-term.js";
import * as termReads from "./vocabularies/read-terms.js";
import * as relatedTerms from "./vocabularies/related-terms.js";

/** The declarations of all use cases, by name. */
export const USE_CASES = useCasesIn({
  ...grants,
  ...tokens,
  ...users,
  ...auditLog,
  ...storeCare,
  ...changeFeed,
  ...webhooks,
  ...recordImports,
  ...termImports,
  ...authorityLoads,
  ...authoritySearch,
  ...matching,
  ...drafts,
  ...recordReads,
  ...refreshing,
  ...retraction,
  ...validation,
  ...versions,
  ...molecules,
  ...queryText,
  ...recordSearch,
  ...termSearch,
  ...termChanges,
  ...termCreation,
  ...termReads,
  ...relatedTerms,
});

/** The use cases that requests call. Each declares the thread that runs it. */
export interface Services extends RunsOf<typeof USE_CASES, "request"> {}

/** The use cases of the command line. */
export interface OperatorServices extends RunsOf<typeof USE_CASES, "operator"> {}

/** All use cases over one store and index, and the parts of use cases that other threads run. */
export type AllServices = Services &
  OperatorServices &
  StreamServices &
  WebhookRelayServices &
  PrepareServices &
  ImportReadServices;
