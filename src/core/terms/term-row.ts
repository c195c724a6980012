import type { Prior, Vocabulary } from "../catalog/types.js";
import { canonicalJson, isObject, type JsonObject, own, storedDamaged, storedObject } from "../json.js";
import type { CitedTerm, TermContent, Titles } from "../term.js";
import { formatInstant } from "../time.js";
import { sha1Hex, termUuid } from "./term-version.js";

/** A row of the table `term`, without its number and its place in the hierarchy. */
export interface TermRow {
  readonly ext: string;
  /** 0 active, 1 deprecated, so that active terms come first. */
  readonly status: number;
  readonly prior: number;
  /** UTF-16 units of the title in the first declared language. */
  readonly length: number;
  /** Microseconds since 1970 UTC. */
  readonly created: number;
  readonly revision: number;
  /** Digest of the content, independent of the order of keys. */
  readonly hash: Buffer;
  readonly parent: string | null;
  readonly successor: string | null;
  /** JSON of the titles. */
  readonly title: string;
  /** JSON text of all other members except id, type and parent, without braces. */
  readonly rest: string;
}

/** Version data of a term. Times are microseconds since 1970 UTC. */
interface TermAge {
  readonly revision: number;
  readonly created: number;
  readonly updated: number;
}

/** Returns the static rank of a term, without its id. */
export function staticRank(content: TermContent, vocabulary: Vocabulary): Pick<TermRow, "status" | "prior" | "length"> {
  return {
    status: content.status === "active" ? 0 : 1,
    prior: priorOf(content, vocabulary.prior),
    length: titleIn(content.title, vocabulary.languages[0] ?? "en", vocabulary).length,
  };
}

/** Makes the row of a term. @param hash digest of the content, if it is known */
export function termRow(
  content: TermContent,
  vocabulary: Vocabulary,
  age: TermAge,
  hash = contentHash(content),
): TermRow {
  return {
    ext: content.id,
    ...staticRank(content, vocabulary),
    created: age.created,
    revision: age.revision,
    hash,
    parent: content.parent ?? null,
    successor: content.replaced_by ?? null,
    title: JSON.stringify(content.title),
    rest: restOf(content, vocabulary.name, age),
  };
}

/** Makes the row of a term from another store; derived columns are computed again. */
export function storedTermRow(
  stored: Pick<TermRow, "ext" | "parent" | "title" | "rest" | "created" | "revision">,
  vocabulary: Vocabulary,
): TermRow {
  const content = readTermContent(stored);
  return {
    ...stored,
    ...staticRank(content, vocabulary),
    hash: contentHash(content),
    successor: content.replaced_by ?? null,
  };
}

/** The two parts of `rest` around the version data. */
export interface RestParts {
  readonly before: string;
  readonly after: string;
}

/** Makes the parts of `rest` around the version data. */
export function restParts(content: TermContent, vocabulary: string): RestParts {
  const { props, synonyms, status, replaced_by, confirmed } = content;
  let after = "";
  if (synonyms !== undefined && synonyms.length > 0) after += `,"synonyms":${JSON.stringify(synonyms)}`;
  if (status !== "active") after += `,"status":${JSON.stringify(status)}`;
  if (replaced_by !== undefined) after += `,"replaced_by":${JSON.stringify(replaced_by)}`;
  if (confirmed === false) after += `,"confirmed":false`;
  return { before: `"props":${JSON.stringify(props)},"@v":"${termUuid(vocabulary, content.id)}::`, after };
}

/** Makes the version data between the parts of `rest`. @param created and `updated` in the format for clients */
export function restAge(revision: number | string, created: string, updated: string): string {
  return `${revision}","created":"${created}","updated":"${updated}","revision_id":${revision}`;
}

function restOf(content: TermContent, vocabulary: string, { revision, created, updated }: TermAge): string {
  const { before, after } = restParts(content, vocabulary);
  const now = formatInstant(updated);
  return before + restAge(revision, created === updated ? now : formatInstant(created), now) + after;
}

/** Name of a row of `term` in messages. */
const TERM = "The term";

type StoredRest = Pick<TermContent, "props" | "synonyms" | "replaced_by" | "confirmed"> & {
  readonly status?: "deprecated";
};

/** Parses the column `title` of a term. @throws BinderyError STORE_DAMAGED, which names the term */
export const storedTitles = (title: string, id: string): Titles => storedObject<Titles>(title, TERM, id);

/** Parses the JSON of a term from `termJson`. @throws BinderyError STORE_DAMAGED, which names the term */
export const parseStoredTerm = <T extends object>({ id, json }: { readonly id: string; readonly json: string }): T =>
  storedObject<T>(json, TERM, id);

/** Returns the content of a row. */
export function readTermContent(row: Pick<TermRow, "ext" | "parent" | "title" | "rest">): TermContent {
  const rest = storedObject<StoredRest>(`{${row.rest}}`, TERM, row.ext);
  if (!isObject(rest.props)) throw storedDamaged(TERM, row.ext, "it has no properties");
  return {
    id: row.ext,
    title: storedTitles(row.title, row.ext),
    props: rest.props,
    ...(rest.synonyms === undefined ? {} : { synonyms: rest.synonyms }),
    ...(row.parent === null ? {} : { parent: row.parent }),
    status: rest.status ?? "active",
    ...(rest.replaced_by === undefined ? {} : { replaced_by: rest.replaced_by }),
    ...(rest.confirmed === undefined ? {} : { confirmed: rest.confirmed }),
  };
}

/** Returns the data of a term for citing records. */
export function citedTerm(
  row: Pick<TermRow, "ext" | "parent" | "title" | "rest" | "revision">,
  vocabulary: string,
): CitedTerm {
  const { title, props, status, synonyms = [] } = readTermContent(row);
  return {
    vocabulary,
    id: row.ext,
    version: `${termUuid(vocabulary, row.ext)}::${row.revision}`,
    title,
    props,
    status,
    names: synonyms.map((synonym) => synonym.name),
  };
}

/**
 * Returns the JSON text of a term for clients, without links.
 * @param parentTitle JSON of the parent's titles; undefined if the term has no parent
 */
export function termJson(
  row: Pick<TermRow, "ext" | "parent" | "title" | "rest">,
  vocabulary: string,
  parentTitle: string | undefined,
): string {
  const { ext, parent, title, rest } = row;
  const above = parent === null ? "" : `,"parent":{"id":${JSON.stringify(parent)},"title":${parentTitle ?? "{}"}}`;
  return `{"id":${JSON.stringify(ext)},"type":${JSON.stringify(vocabulary)},"title":${title},${rest}${above}}`;
}

/** Returns the title in a language, else in the first declared language with a title, else the first title. */
export function titleIn(titles: Titles, lang: string, vocabulary: Pick<Vocabulary, "languages">): string {
  const find = (name: string): string | undefined => (Object.hasOwn(titles, name) ? titles[name] : undefined);
  const requested = find(lang);
  if (requested !== undefined) return requested;
  for (const declared of vocabulary.languages) {
    const title = find(declared);
    if (title !== undefined) return title;
  }
  return Object.values(titles)[0] ?? "";
}

function priorOf(content: TermContent, prior: Prior): number {
  let sum = prior.synonyms === true ? (content.synonyms?.length ?? 0) : 0;
  for (const name of prior.lists ?? []) {
    const values = own(content.props, name);
    if (Array.isArray(values)) sum += values.length;
  }
  for (const name of prior.numbers ?? []) {
    const value = name === "synonyms" ? content.synonyms?.length : own(content.props, name);
    if (typeof value === "number" && value > 0) sum += Math.log2(1 + value);
  }
  if (prior.prop !== undefined && prior.order !== undefined) {
    const at = prior.order.indexOf(String(own(content.props, prior.prop) ?? ""));
    if (at >= 0) sum += prior.order.length - at;
  }
  return sum;
}

/** Returns a digest of 12 bytes, which is only compared with digests of earlier contents of the same term. */
export const contentHash = (content: TermContent): Buffer => Buffer.from(contentDigest(content), "hex");

/** Returns `contentHash` in hex. */
export function contentDigest(content: TermContent): string {
  const { id, title, props, synonyms, parent, status, replaced_by, confirmed } = content;
  const names = (synonyms ?? []).map(({ name, kind, lang }) => [name, kind, lang ?? null]);
  const parts = [id, title, props, names, parent ?? null, status, replaced_by ?? null];
  // Contents from before this field existed keep their digest.
  if (confirmed === false) parts.push("unconfirmed");
  return sha1Hex(canonicalJson(parts)).slice(0, 24);
}

/** The chemical structure of a term, from which its picture is drawn. */
interface Structure {
  /** In SMILES. */
  readonly text: string;
  /** Revision of the term. */
  readonly revision: number;
}

/** Returns the structure in the JSON of a term, or undefined. */
export function structureOf(
  { structure }: Pick<Vocabulary, "structure">,
  term: { readonly id: string; readonly json: string },
): Structure | undefined {
  // Most terms have none and need not be parsed.
  if (structure === undefined || !term.json.includes(`"${structure}"`)) return undefined;
  const { props, revision_id } = parseStoredTerm<{ readonly props: JsonObject; readonly revision_id: number }>(term);
  const text = own(props, structure);
  return typeof text === "string" && text.trim() !== "" ? { text: text.trim(), revision: revision_id } : undefined;
}
