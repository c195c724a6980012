import type { AccountOperatorServices, AccountServices } from "./account-services.js";
import type { AdminOperatorServices, AdminServices } from "./admin-services.js";
import type { ChangeServices, WebhookOperatorServices, WebhookRelayServices } from "./change-services.js";
import type { ImportOperatorServices, ImportReadServices } from "./import-services.js";
import type { AuthoritySearchServices } from "./lookup-services.js";
import type { MatchOperatorServices } from "./match-services.js";
import type { PrepareServices } from "./prepare-services.js";
import type { QueryTextServices } from "./query-text-services.js";
import type { RecordServices } from "./record-services.js";
import type { RefreshOperatorServices } from "./refresh-services.js";
import type { SearchServices } from "./search-services.js";
import type { StreamServices } from "./stream-services.js";
import type { FileValidationServices, ValidationServices } from "./validation-services.js";
import type { VocabularyServices } from "./vocabulary-services.js";

/**
 * The use cases that requests call. Inputs and answers are plain values that can be posted to another thread:
 * `app/threads` says which thread runs which. The actor comes first and is decided upon.
 */
export type Services = RecordServices &
  SearchServices &
  AuthoritySearchServices &
  QueryTextServices &
  VocabularyServices &
  AccountServices &
  ChangeServices &
  ValidationServices &
  AdminServices;

/** For the command line, which is trusted: whoever opens the data folder is the operator. */
export type OperatorServices = AccountOperatorServices &
  ImportOperatorServices &
  RefreshOperatorServices &
  WebhookOperatorServices &
  FileValidationServices &
  MatchOperatorServices &
  AdminOperatorServices;

/** All that is made over one store and index: each thread and command runs some of it. */
export type AllServices = Services &
  StreamServices &
  OperatorServices &
  WebhookRelayServices &
  PrepareServices &
  ImportReadServices;
