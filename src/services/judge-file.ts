import type { Model } from "../core/catalog/types.js";
import type { FileDocument } from "../formats/documents.js";
import type { Deps } from "./deps.js";
import { findModel } from "./find-model.js";
import type { FileJudgeServices, JudgedDocument } from "./judge-services.js";
import { openImport } from "./open-import.js";
import { prepareSent } from "./prepare-record.js";
import { readDocument, unreadIssues } from "./read-document.js";

/** Says of each record of a file what an import of it would say, by the terms that are there now. Keeps nothing. */
export function makeJudgeFile(deps: Deps): FileJudgeServices["judgeFile"] {
  return async ({ model: modelName, file, onJudged, onProgress }) => {
    const model = findModel(deps.catalog, modelName);
    const counts = { valid: 0, invalid: 0, warnings: 0 };
    for await (const document of openImport(file, onProgress)) {
      const judged = await judgeDocument(deps, model, document);
      counts[judged.errors.length === 0 ? "valid" : "invalid"]++;
      counts.warnings += judged.warnings.length;
      onJudged(judged);
    }
    return counts;
  };
}

async function judgeDocument(deps: Deps, model: Model, document: FileDocument): Promise<JudgedDocument> {
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
