import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { compareRank, type RankKey } from "../../../core/terms/static-rank.js";
import type { NamedTerm, TermFinder } from "../../../ports/store.js";
import { identifierTail } from "../../../query/fields/pasted-identifiers.js";
import { IDENTIFIER, localPart, SYNONYM, TITLE } from "../../../query/index-model/term-keys.js";
import {
  idDistance,
  idsOneEditAway,
  keysOfNames,
  mayBeName,
  NEIGHBOURS,
  spellings,
} from "../../../query/ranking/nearest-ids.js";
import { identifierKeys, isId } from "../../../query/ranking/term-steps.js";
import { analyse } from "../../../query/text/analyse.js";
import type { Sql } from "../connection/sql.js";
import { FOUND, type FoundRow, inSmall, SPELLING } from "./known-terms.js";
import { makeTermReader, storedTerms, titlesOf } from "./term-reader.js";
import { declared } from "./term-writer.js";
import { storedKey } from "./written-terms.js";

/**
 * Looks up terms without the search index. The terms near an unknown id are those that have it as a name, then those
 * with a similar id, then those with a name that begins with it. Words inside a name are not searched.
 */
export function makeTermFinder(sql: Sql, catalog: Catalog): TermFinder {
  return {
    ...makeTermReader(sql, catalog),
    nearest: async (name, id, limit) => {
      const vocabulary = declared(catalog, name);
      const keys = keysOfNames(id, vocabulary);
      const ids = new Set((await withNames(sql, name, keys, limit)).map(({ term }) => term.id));
      for (const near of await nearestIds(sql, vocabulary, id, limit)) ids.add(near);
      for (const key of mayBeName(id, vocabulary) ? keys : []) {
        if (ids.size < limit) for (const near of await namesBeginning(sql, name, key, limit)) ids.add(near);
      }
      const found = [...ids].slice(0, limit);
      const [titles] = await titlesOf(sql, catalog, [{ vocabulary: name, ids: found, lang: vocabulary.languages[0]! }]);
      return found.map((each) => ({ id: each, title: titles!.get(each)?.text ?? "" }));
    },
    named: async (name, keys, limit) => withNames(sql, declared(catalog, name).name, keys, limit),
  };
}

/** Active first, then most cited, then by rank (`compareCited`). */
const BEST = "t.status, t.cited DESC, t.prior DESC, t.length, t.ext";

/** Items with whole names, of each key the best ones. */
const NAMED = `SELECT k.n, t.* FROM unnest($2::text[]) WITH ORDINALITY k(key, n) CROSS JOIN LATERAL (
    SELECT ${FOUND}, coalesce(c.latest, 0) AS cited
    FROM term t LEFT JOIN LATERAL citations_of(t.vocabulary, t.ext) c ON true
    WHERE t.vocabulary = $1 AND t.ext IN (
      SELECT w.ext FROM term_name w WHERE w.vocabulary = $1 AND w.key = k.key AND w.kind IN (${TITLE}, ${SYNONYM}))
    ORDER BY t.status, cited DESC, t.prior DESC, t.length, t.ext LIMIT $3) t
  ORDER BY k.n, ${BEST}`;

async function withNames(sql: Sql, vocabulary: string, keys: readonly string[], limit: number): Promise<NamedTerm[]> {
  const rows = await sql.rows<FoundRow & { readonly n: number }>(NAMED, [vocabulary, keys.map(storedKey), limit]);
  const terms = await storedTerms(sql, vocabulary, rows);
  return terms.map((term, i) => ({ key: keys[rows[i]!.n - 1]!, term }));
}

/** Names that begin alike and are looked at: of very many only the first. */
const BEGINNINGS = 200;

/** Query for the terms with this whole name, then those with a name that begins with it. */
const BEGINNING = `SELECT t.ext FROM (
    SELECT w.ext, bool_or(w.key = $2) AS is_whole FROM (
      SELECT ext, key FROM term_name
      WHERE vocabulary = $1 AND key >= $2 AND key < $3 AND kind IN (${TITLE}, ${SYNONYM})
      ORDER BY key LIMIT ${BEGINNINGS}) w
    GROUP BY w.ext) named
  CROSS JOIN LATERAL (
    SELECT t.ext, t.status, t.prior, t.length, coalesce(c.latest, 0) AS cited
    FROM term t LEFT JOIN LATERAL citations_of(t.vocabulary, t.ext) c ON true
    WHERE t.vocabulary = $1 AND t.ext = named.ext) t
  ORDER BY named.is_whole DESC, ${BEST} LIMIT $4`;

/** No character stands behind it. */
const LAST = "\u{10ffff}";

async function namesBeginning(sql: Sql, vocabulary: string, key: string, limit: number): Promise<readonly string[]> {
  const rows = await sql.rows<{ readonly ext: string }>(BEGINNING, [vocabulary, key, key + LAST, limit]);
  return rows.map(({ ext }) => ext);
}

const IDENTIFIED = `SELECT DISTINCT n.key, t.ext, t.status, t.prior, t.length
  FROM term_name n JOIN term t ON t.vocabulary = n.vocabulary AND t.ext = n.ext
  WHERE n.vocabulary = $1 AND n.kind = ${IDENTIFIER} AND n.key = ANY($2::text[])`;

/** Ids that are one edit away, and those around the place where the unknown one would stand. */
const RANK = "t.ext, t.status, t.prior, t.length";
const NEAR = `SELECT ${RANK} FROM term t
    WHERE ${SPELLING} = ANY($3::text[])
  UNION (SELECT ${RANK} FROM term t
    WHERE ${SPELLING} > $1 || ' ' || lower($2::text COLLATE "C") AND ${SPELLING} < $1 || '!'
    ORDER BY ${SPELLING} LIMIT ${NEIGHBOURS})
  UNION (SELECT ${RANK} FROM term t
    WHERE ${SPELLING} < $1 || ' ' || lower($2::text COLLATE "C") AND ${SPELLING} > $1 || ' '
    ORDER BY ${SPELLING} DESC LIMIT ${NEIGHBOURS})`;

/** Ids that are near to an unknown one, best first. */
async function nearestIds(sql: Sql, vocabulary: Vocabulary, id: string, limit: number): Promise<string[]> {
  const found = new Map<string, RankKey & { readonly distance: number }>();
  for (const row of await identifiedItems(sql, vocabulary, id)) found.set(row.ext, { ...row, distance: -1 });
  for (const asked of spellings(id, vocabulary)) {
    const edited = new Set([...idsOneEditAway(asked)].flat().map((each) => `${vocabulary.name} ${inSmall(each)}`));
    for (const row of await sql.rows<RankKey>(NEAR, [vocabulary.name, asked, [...edited]])) {
      const distance = idDistance(asked, row.ext);
      if (distance === undefined || distance >= (found.get(row.ext)?.distance ?? Number.POSITIVE_INFINITY)) continue;
      found.set(row.ext, { ...row, distance });
    }
  }
  const near = [...found.values()].sort((a, b) => a.distance - b.distance || compareRank(a, b));
  return near.slice(0, limit).map(({ ext }) => ext);
}

/** Items whose id or declared identifier it is: whole, without a prefix, or at the end of a URL. */
async function identifiedItems(sql: Sql, vocabulary: Vocabulary, id: string): Promise<readonly RankKey[]> {
  const { whole, local, url } = identifierKeys(analyse(localPart(id)), identifierTail(id) ?? [], vocabulary);
  const keys = [...(whole === undefined ? [] : [whole]), ...local, ...url];
  if (keys.length === 0) return [];
  const rows = await sql.rows<RankKey & { readonly key: string }>(IDENTIFIED, [vocabulary.name, keys.map(storedKey)]);
  const withKey = (key: string): typeof rows => rows.filter((row) => row.key === storedKey(key));
  return [
    ...(whole === undefined ? [] : withKey(whole)),
    ...local.flatMap((key) => withKey(key).filter(({ ext }) => isId(ext, { ...(whole && { whole }), local, url }))),
    ...(url.map(withKey).find((of) => of.length > 0) ?? []),
  ];
}
