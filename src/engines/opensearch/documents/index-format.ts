import { isDeepStrictEqual } from "node:util";
import type { Catalog } from "../../../core/catalog/types.js";
import { derivationInputs } from "../../../core/citable/derived-quantities.js";
import type { Json } from "../../../core/json.js";
import { ANALYSIS_VERSION } from "../../../query/text/analyse.js";
import type { IndexFormat } from "../../separate-index/driver/index-driver.js";
import { numberPaths } from "./index-fields.js";
import { makeRecordDocuments, RECORD_DOCUMENT_VERSION } from "./record-document.js";
import { termDocumentsSignature, termDocumentText } from "./term-document.js";

/** Definition of an index: with another one its documents would differ. */
interface IndexDefinitionOfCatalog {
  readonly analysis: number;
  readonly document: number;
  /** Further data that records are indexed by. */
  readonly facets: Json;
  /** Inputs of derived quantities, by model. */
  readonly derivations: Json;
  /** Places of the ids of molecules, by model. */
  readonly molecules: Json;
  /** By their numbers, from 1. */
  readonly paths: readonly string[];
  /** By name of the vocabulary. */
  readonly terms: Readonly<Record<string, string>>;
}

/** Reads the stored definition of an index. */
export const readDefinition = (made: Json): IndexDefinitionOfCatalog => made as unknown as IndexDefinitionOfCatalog;

/** Makes the form of the documents of a catalog. */
export function makeIndexFormat(catalog: Catalog): IndexFormat {
  return {
    define: (previous) =>
      makeDefinition(catalog, previous === undefined ? [] : readDefinition(previous).paths) as unknown as Json,
    isUsable: (made) => isUsable(readDefinition(made), catalog),
    extend: (made) => extendDefinition(readDefinition(made), catalog) as unknown as Json | undefined,
    vocabulariesOf: (made) => Object.keys(readDefinition(made).terms),
    recordDocuments: (made) => makeRecordDocuments(catalog, numberPaths(catalog, readDefinition(made).paths)),
    termDocument: termDocumentText,
  };
}

/** Returns the definition of an index of this catalog. @param known paths that have numbers already */
function makeDefinition(catalog: Catalog, known: readonly string[]): IndexDefinitionOfCatalog {
  return {
    analysis: ANALYSIS_VERSION,
    document: RECORD_DOCUMENT_VERSION,
    facets: [...catalog.models.values()].map(({ name, facets }) => [name, facets]) as unknown as Json,
    derivations: [...catalog.models.values()].map((model) => [model.name, derivationInputs(model) ?? null]),
    molecules: [...catalog.models.values()].map(({ name, molecules = null }) => [name, molecules]) as unknown as Json,
    paths: numberPaths(catalog, known).paths,
    terms: Object.fromEntries(
      [...catalog.vocabularies.values()].map((each) => [each.name, termDocumentsSignature(each)]),
    ),
  };
}

/**
 * Returns whether the documents of an index are those that would be made now, except for paths and vocabularies that it
 * lacks.
 */
function isUsable(definition: IndexDefinitionOfCatalog, catalog: Catalog): boolean {
  const { paths, terms, ...current } = makeDefinition(catalog, definition.paths);
  const { paths: _, terms: madeTerms, ...previous } = definition;
  const isSame = Object.entries(terms).every(([name, signature]) => [signature, undefined].includes(madeTerms[name]));
  return isSame && isDeepStrictEqual(previous, current);
}

/** Adds the paths and vocabularies of the catalog that an index lacks; undefined if it lacks none. */
function extendDefinition(made: IndexDefinitionOfCatalog, catalog: Catalog): IndexDefinitionOfCatalog | undefined {
  const current = makeDefinition(catalog, made.paths);
  const terms = { ...made.terms, ...current.terms };
  const isComplete =
    current.paths.length === made.paths.length && Object.keys(terms).length === Object.keys(made.terms).length;
  return isComplete ? undefined : { ...current, terms };
}
