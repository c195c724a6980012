import { requireScope, requireUser } from "../../core/may.js";
import type { ValidationServices } from "../api/validation-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { prepareSent } from "../metadata/prepare-record.js";
import { readBody } from "../metadata/read-body.js";

/**
 * Says of a body what a draft made of it would say, and keeps nothing. Outside of any transaction: the cited terms are
 * read in one go, so they are those of one instant.
 */
export function makeValidateRecord(deps: Deps): ValidationServices["validateRecord"] {
  const { store, catalog } = deps;
  return async (actor, modelName, body) => {
    const user = requireUser(actor);
    const model = findModel(catalog, modelName);
    requireScope(user, "records:read");
    const { metadata, issues, warnings } = await prepareSent(deps, store.terms, model, readBody(body, model));
    return { errors: issues, warnings, metadata };
  };
}
