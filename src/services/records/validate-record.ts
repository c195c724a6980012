import type { Actor } from "../../core/actor.js";
import type { Model } from "../../core/catalog/types.js";
import { LARGE_LENGTH } from "../../core/limits.js";
import { requireScope, requireUser } from "../../core/may.js";
import type { SentBody } from "../../core/sent-body.js";
import type { FileDocument } from "../../formats/documents.js";
import type { TermReader } from "../../ports/store.js";
import type { TermLookup } from "../api/preparation.js";
import type { ValidatedDocument, ValidationResult } from "../api/records.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { operatorUseCase, useCase } from "../context/use-case.js";
import { openImport } from "../input/open-import.js";
import { lookUpTerms, withFoundTerms } from "../lookup/look-up-terms.js";
import { prepareSent } from "../metadata/prepare-record.js";
import { readBody, readDocument, unreadIssues } from "../metadata/read-body.js";

/**
 * Validates a body like a new draft, without storing anything. It needs no transaction, because all cited terms are
 * read at once. Unknown terms are looked up at authorities as for a draft, but not added.
 * @throws what `createDraft` throws
 */
export const validateRecord = useCase(
  // It looks terms up as a search does, and costs as much.
  { thread: (_actor: Actor, _model: string, body: SentBody) => (body.length > LARGE_LENGTH ? "pages" : "search") },
  (deps) => {
    const { store, catalog, live } = deps;
    return async (actor: Actor, modelName: string, body: SentBody): Promise<ValidationResult> => {
      const user = requireUser(actor);
      const model = findModel(catalog, modelName);
      requireScope(user, "records:read");
      const prepare = (terms: TermReader, lookups: readonly TermLookup[] = []) =>
        prepareSent(deps, terms, model, readBody(body, model), lookups);
      let prepared = await prepare(store.terms);
      if (live.size > 0 && prepared.unknownTerms.length > 0) {
        const { terms, lookups } = await lookUpTerms(deps, prepared.unknownTerms);
        if (lookups.length > 0) prepared = await prepare(withFoundTerms(store.terms, terms), lookups);
      }
      const { metadata, issues, warnings } = prepared;
      return { errors: issues, warnings, metadata };
    };
  },
);

/**
 * Validates each record of a file like an import, with the current terms, without storing anything.
 * @returns numbers of documents and warnings
 */
export const validateFile = operatorUseCase(
  (deps) =>
    async ({
      model: modelName,
      file,
      onDocument,
      onProgress,
    }: {
      readonly model: string;
      readonly file: string;
      /** Called for each document, in the order of the file. */
      readonly onDocument: (document: ValidatedDocument) => void;
      readonly onProgress?: (bytesRead: number) => void;
    }): Promise<{ readonly valid: number; readonly invalid: number; readonly warnings: number }> => {
      const model = findModel(deps.catalog, modelName);
      const counts = { valid: 0, invalid: 0, warnings: 0 };
      for await (const document of openImport(file, onProgress)) {
        const validated = await validateDocument(deps, model, document);
        counts[validated.errors.length === 0 ? "valid" : "invalid"]++;
        counts.warnings += validated.warnings.length;
        onDocument(validated);
      }
      return counts;
    },
);

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
