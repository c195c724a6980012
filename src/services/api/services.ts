import type { AccountOperatorServices, AccountServices } from "./account-services.js";
import type { AdminOperatorServices, AdminServices } from "./admin-services.js";
import type { ChangeServices, WebhookOperatorServices } from "./change-services.js";
import type { ImportOperatorServices } from "./import-services.js";
import type { RecordServices } from "./record-services.js";
import type { SearchServices } from "./search-services.js";
import type { FileValidationServices, ValidationServices } from "./validation-services.js";
import type { VocabularyServices } from "./vocabulary-services.js";

/**
 * The use cases that requests call. Inputs and answers are plain values that can be posted to another thread:
 * `app/threads` says which thread runs which. The actor comes first and is decided upon.
 */
export type Services = RecordServices &
  SearchServices &
  VocabularyServices &
  AccountServices &
  ChangeServices &
  ValidationServices &
  AdminServices;

/** For the command line, which is trusted: whoever opens the data folder is the operator. */
export type OperatorServices = AccountOperatorServices &
  ImportOperatorServices &
  WebhookOperatorServices &
  FileValidationServices &
  AdminOperatorServices;
