import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import type { TermsBelow } from "../../core/answers/term-answers.js";
import type { Catalog, Model, Vocabulary } from "../../core/catalog/types.js";
import { BinderyError, fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { decodeBody, type SentBody } from "../../core/sent-body.js";
import type { RecordAddress } from "../../services/api/records.js";
import type { TermAddress } from "../../services/api/vocabularies.js";
import type { Services } from "../../services/use-cases.js";
import type { PublicAddress } from "../answers/links.js";
import type { RunLarge } from "../answers/reply.js";
import type { SearchAnswers } from "../answers/search-answers.js";
import type { StreamAnswers } from "../answers/stream-answers.js";
import type { StreamPlaces } from "../edge/search-turns.js";
import { clip } from "../parameters/parameter-reader.js";
import type { Query } from "../parameters/url-encoding.js";

/** The services and settings of all routes. */
export interface RouteOptions {
  readonly services: Services;
  readonly answers: SearchAnswers & StreamAnswers;
  readonly places: StreamPlaces;
  readonly catalog: Catalog;
  readonly address: PublicAddress;
  /** Version of the package. */
  readonly version: string;
  /** Runs work on large records and bodies. */
  readonly runLarge: RunLarge;
}

/** The server to which routes are added. Parameters of a path have the types of their schemas. */
export type ApiServer = Parameters<FastifyPluginAsyncTypebox>[0];

/** A plug-in with a group of routes. */
export type Routes = FastifyPluginAsyncTypebox<RouteOptions>;

/** Returns a model by its name. @throws MODEL_NOT_FOUND */
export function requireModel(catalog: Catalog, name: string): Model {
  const model = catalog.models.get(name);
  if (model === undefined) throw fail("MODEL_NOT_FOUND", { model: clip(name), known: [...catalog.models.keys()] });
  return model;
}

/**
 * Returns the address of the record or draft that the path names.
 *
 * @throws MODEL_NOT_FOUND; `missing` if the id is longer than any id
 */
export function requireRecordAddress(
  catalog: Catalog,
  { model, id }: RecordAddress,
  missing: "RECORD_NOT_FOUND" | "DRAFT_NOT_FOUND",
): RecordAddress {
  requireModel(catalog, model);
  if (clip(id) !== id) throw fail(missing, { id: clip(id) });
  return { model, id };
}

/** Returns a vocabulary by its name. @throws VOCABULARY_NOT_FOUND */
export function requireVocabulary(catalog: Catalog, name: string): Vocabulary {
  const vocabulary = catalog.vocabularies.get(name);
  if (vocabulary !== undefined) return vocabulary;
  throw fail("VOCABULARY_NOT_FOUND", { vocabulary: clip(name), known: [...catalog.vocabularies.keys()] });
}

/**
 * Returns the vocabulary and the address of the term that the path names.
 * @throws VOCABULARY_NOT_FOUND; TERM_NOT_FOUND if the id is longer than any id
 */
export function requireTermAddress(
  catalog: Catalog,
  { vocabulary: name, id }: { readonly vocabulary: string; readonly id: string },
): { readonly vocabulary: Vocabulary; readonly address: TermAddress } {
  const vocabulary = requireVocabulary(catalog, name);
  if (id.length > LIMITS.termIdLengthMax) throw fail("TERM_NOT_FOUND", { vocabulary: name, id: clip(id) });
  return { vocabulary, address: { vocabulary: name, id } };
}

/** Returns the text of a body. @throws BODY_MISSING */
export function requireBodyText(body: SentBody | undefined): string {
  return decodeBody(requireBody(body));
}

/**
 * Returns whether a request only validates its body. Values other than `only` are refused when the parameters are read.
 */
export function isValidateOnly({ query }: Pick<FastifyRequest, "query">): boolean {
  return (query as Query).get("validate")?.[0] === "only";
}

/** Returns the body of a request that must have one. @throws BODY_MISSING */
export function requireBody(body: SentBody | undefined): SentBody {
  if (body === undefined) throw fail("BODY_MISSING");
  return body;
}

/**
 * Counts the terms below a term. Returns undefined if the vocabulary is flat, or if they cannot be counted now: the
 * response about the term is then sent without these numbers.
 */
export async function countTermsBelow(
  services: Services,
  { name, hierarchy }: Vocabulary,
  id: string,
): Promise<TermsBelow | undefined> {
  if (!hierarchy) return undefined;
  return services.countBelow(name, id).catch((error: unknown) => {
    if (error instanceof BinderyError) return undefined;
    throw error;
  });
}
