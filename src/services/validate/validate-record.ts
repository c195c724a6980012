import { requireScope, requireUser } from "../../core/may.js";
import type { TermReader } from "../../ports/store.js";
import type { LookedUp } from "../api/prepare-services.js";
import type { ValidationServices } from "../api/validation-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { askForTerms } from "../lookup/ask-for-terms.js";
import { withFoundTerms } from "../lookup/with-found-terms.js";
import { prepareSent } from "../metadata/prepare-record.js";
import { readBody } from "../metadata/read-body.js";

/**
 * Says of a body what a draft made of it would say, and keeps nothing. Outside of any transaction: the cited terms are
 * read in one go, so they are those of one instant. Authorities are asked as for a draft; what they have is not added.
 */
export function makeValidateRecord(deps: Deps): ValidationServices["validateRecord"] {
  const { store, catalog, live } = deps;
  return async (actor, modelName, body) => {
    const user = requireUser(actor);
    const model = findModel(catalog, modelName);
    requireScope(user, "records:read");
    const prepare = (terms: TermReader, lookedUp: readonly LookedUp[] = []) =>
      prepareSent(deps, terms, model, readBody(body, model), lookedUp);
    let prepared = await prepare(store.terms);
    if (live.size > 0 && prepared.unknown.length > 0) {
      const { found, lookedUp } = await askForTerms(deps, prepared.unknown);
      if (lookedUp.length > 0) prepared = await prepare(withFoundTerms(store.terms, found), lookedUp);
    }
    const { metadata, issues, warnings } = prepared;
    return { errors: issues, warnings, metadata };
  };
}
