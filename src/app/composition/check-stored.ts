import type { Unserved } from "../../ports/store-admin.js";
import { StartupError } from "./startup-error.js";

/**
 * Records of a model that the catalog does not have would be there and never found: rather nothing is served.
 * @throws StartupError that names each such model, how much there is of it, and what to do
 */
export function refuseUnserved({ models }: Unserved): void {
  if (models.length === 0) return;
  const lines = models.map(({ name, published, drafts }) => {
    return `  ${name}: ${number(published)} published, ${number(drafts)} in drafts`;
  });
  const message = [
    "The database has records of models that the catalog does not have:",
    ...lines,
    "Put the folders of these models back into the catalog, and check that BINDERY_CATALOG names all catalog folders.",
    'docs/catalog.md, "Changing a model", explains how to remove a model.',
  ];
  throw new StartupError(message.join("\n"));
}

/** A sentence for each vocabulary that has items and is in no catalog: they are kept, and nothing refers to them. */
export function describeUnserved({ vocabularies }: Unserved): readonly string[] {
  return vocabularies.map(({ name, items }) => {
    return `The catalog has no vocabulary ${name}: its terms (${number(items)}) are kept, but not served.`;
  });
}

const number = (count: number): string => count.toLocaleString("en-US");
