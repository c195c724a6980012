/** Reasons not to start. */
import type { Unserved } from "../../ports/store-admin.js";

export { explainFileError } from "../../engines/files/explain-access.js";

/** Error that keeps a process from working, with a message for the operator. Printed without a stack trace. */
export class StartupError extends Error {
  override readonly name = "StartupError";
}

/**
 * Refuses to start if the store has records of models that are not in the catalog: no search would find them.
 * @throws StartupError with each such model, its numbers of records and drafts, and what to do
 */
export function refuseUnserved({ models }: Unserved): void {
  if (models.length === 0) return;
  const lines = models.map(({ name, published, drafts }) => {
    return `  ${name}: ${formatNumber(published)} published, ${formatNumber(drafts)} in drafts`;
  });
  const message = [
    "The database has records of models that the catalog does not have:",
    ...lines,
    "Put the folders of these models back into the catalog, and check that BINDERY_CATALOG names all catalog folders.",
    'docs/catalog.md, "Changing a model", explains how to remove a model.',
  ];
  throw new StartupError(message.join("\n"));
}

/** Describes each stored vocabulary that is not in the catalog: its terms are kept, but nothing can cite them. */
export function describeUnserved({ vocabularies }: Unserved): readonly string[] {
  return vocabularies.map(({ name, items }) => {
    return `The catalog has no vocabulary ${name}: its terms (${formatNumber(items)}) are kept, but not served.`;
  });
}

const formatNumber = (count: number): string => count.toLocaleString("en-US");
