import type { Model } from "../../core/catalog/types.js";
import type { FileDocument } from "../../formats/documents.js";
import type { FileValidationServices, ValidatedDocument } from "../api/validation-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { openImport } from "../input/open-import.js";
import { prepareSent } from "../metadata/prepare-record.js";
import { readDocument, unreadIssues } from "../metadata/read-document.js";

/** Says of each record of a file what an import of it would say, by the terms that are there now. Keeps nothing. */
export function makeValidateFile(deps: Deps): FileValidationServices["validateFile"] {
  return async ({ model: modelName, file, onDocument, onProgress }) => {
    const model = findModel(deps.catalog, modelName);
    const counts = { valid: 0, invalid: 0, warnings: 0 };
    for await (const document of openImport(file, onProgress)) {
      const validated = await validateDocument(deps, model, document);
      counts[validated.errors.length === 0 ? "valid" : "invalid"]++;
      counts.warnings += validated.warnings.length;
      onDocument(validated);
    }
    return counts;
  };
}

async function validateDocument(deps: Deps, model: Model, document: FileDocument): Promise<ValidatedDocument> {
  const { line } = document;
  const sent = readDocument(document, model);
  if ("unread" in sent) return { line, errors: sent.unread, warnings: [] };
  try {
    const { issues, warnings } = await prepareSent(deps, deps.store.terms, model, sent);
    return { line, errors: issues, warnings };
  } catch (error) {
    return { line, errors: unreadIssues(error, model), warnings: [] };
  }
}
