import type { AccountOperatorServices, AccountServices } from "./account-services.js";
import type { AdminOperatorServices, AdminServices, RefreshOperatorServices } from "./admin-services.js";
import type { ChangeServices, WebhookOperatorServices, WebhookRelayServices } from "./change-services.js";
import type { ImportOperatorServices, ImportReadServices } from "./import-services.js";
import type { PrepareServices } from "./prepare-services.js";
import type { FileValidationServices, RecordServices, ValidationServices } from "./record-services.js";
import type { QueryTextServices, SearchServices } from "./search-services.js";
import type { StreamServices } from "./stream-services.js";
import type { AuthoritySearchServices, MatchOperatorServices, VocabularyServices } from "./vocabulary-services.js";

/**
 * The use cases that requests call. Inputs and answers are plain values that can be posted to another thread;
 * `app/threads` assigns use cases to threads. The first parameter is the actor, whose rights are checked.
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

/** Use cases of the command line, which is trusted: a user who can open the data folder is the operator. */
export type OperatorServices = AccountOperatorServices &
  ImportOperatorServices &
  RefreshOperatorServices &
  WebhookOperatorServices &
  FileValidationServices &
  MatchOperatorServices &
  AdminOperatorServices;

/** All use cases over one store and index. Each thread and command runs some of them. */
export type AllServices = Services &
  StreamServices &
  OperatorServices &
  WebhookRelayServices &
  PrepareServices &
  ImportReadServices;
