import { addAll } from "../../core/collections.js";
import { BinderyError } from "../../core/errors.js";
import type { Issue, Warning } from "../../core/issue.js";
import { requireTermWrite } from "../../core/may.js";
import type { VocabularyServices } from "../api/vocabulary-services.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { makeIssue } from "../input/issues.js";
import { idInUse } from "./create-term.js";
import { findAlike } from "./find-alike.js";
import { checkTargets, readTermBody } from "./read-term-body.js";

/** Says of an item what adding it would say, and keeps nothing. */
export function makeValidateTerm(deps: Deps): VocabularyServices["validateTerm"] {
  const { store, catalog } = deps;
  return async (actor, name, body) => {
    const vocabulary = findVocabulary(catalog, name);
    requireTermWrite(actor, vocabulary, "add");
    const errors: Issue[] = [];
    let warnings: readonly Warning[] = [];
    try {
      const content = readTermBody(vocabulary, body);
      const stored = await idInUse(store.terms, name, content.id);
      if (stored !== undefined) errors.push(inUse(content.id, stored));
      warnings = await findAlike(deps, vocabulary, content);
      await checkTargets(store.terms, vocabulary, content, {});
    } catch (error) {
      if (!(error instanceof BinderyError) || error.code !== "BODY_INVALID") throw error;
      addAll(errors, error.issues);
    }
    return { errors, warnings };
  };
}

const inUse = (id: string, stored: string): Issue =>
  makeIssue(["id"], "TERM_INVALID", [`The vocabulary already has "${stored}"; change it with PUT.`], { value: id });
