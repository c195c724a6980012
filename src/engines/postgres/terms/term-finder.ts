import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { compareRank, type RankKey } from "../../../core/terms/term-order.js";
import type { NamedTerm, TermFinder } from "../../../ports/store.js";
import { identifierTail } from "../../../query/fields/identifiers.js";
import { IDENTIFIER_NAME, localPart, SYNONYM_NAME, TITLE_NAME } from "../../../query/index-model/term-document.js";
import { idDistance, idSpellings, idsOneEditAway, NEIGHBOURS } from "../../../query/ranking/nearest-ids.js";
import { identifierKeys, isId } from "../../../query/ranking/term-steps.js";
import { analyse } from "../../../query/text/analyse.js";
import type { Sql } from "../connection/sql.js";
import { RESOLVED_TERM_COLUMNS, type ResolvedTermRow, SPELLING, toLowerAscii } from "./known-terms.js";
import { makeTermReader, readStoredTerms } from "./term-reader.js";
import { requireVocabulary, storedKey } from "./term-writer.js";

/** Makes the look-ups of terms by ids and whole names, without the search index. */
export function makeTermFinder(sql: Sql, catalog: Catalog): TermFinder {
  return {
    ...makeTermReader(sql, catalog),
    nearestIds: async (name, id, limit) => nearestIds(sql, requireVocabulary(catalog, name), id, limit),
    named: async (name, keys, limit) => findByName(sql, requireVocabulary(catalog, name).name, keys, limit),
  };
}

/** Order of terms with the same name: active ones first, then most cited ones, then by rank (`compareCited`). */
const BEST = "t.status, t.cited DESC, t.prior DESC, t.length, t.ext";

/** Reads terms by whole names, for each key the best ones. */
const NAMED = `SELECT k.n, t.* FROM unnest($2::text[]) WITH ORDINALITY k(key, n) CROSS JOIN LATERAL (
    SELECT ${RESOLVED_TERM_COLUMNS}, coalesce(c.latest, 0) AS cited
    FROM term t LEFT JOIN LATERAL citations_of(t.vocabulary, t.ext) c ON true
    WHERE t.vocabulary = $1 AND t.ext IN (
      SELECT w.ext FROM term_name w WHERE w.vocabulary = $1 AND w.key = k.key
        AND w.kind IN (${TITLE_NAME}, ${SYNONYM_NAME}))
    ORDER BY t.status, cited DESC, t.prior DESC, t.length, t.ext LIMIT $3) t
  ORDER BY k.n, ${BEST}`;

async function findByName(sql: Sql, vocabulary: string, keys: readonly string[], limit: number): Promise<NamedTerm[]> {
  const rows = await sql.rows<ResolvedTermRow & { readonly n: number }>(NAMED, [
    vocabulary,
    keys.map(storedKey),
    limit,
  ]);
  const terms = await readStoredTerms(sql, vocabulary, rows);
  return terms.map((term, i) => ({ key: keys[rows[i]!.n - 1]!, term }));
}

const IDENTIFIED = `SELECT DISTINCT n.key, t.ext, t.status, t.prior, t.length
  FROM term_name n JOIN term t ON t.vocabulary = n.vocabulary AND t.ext = n.ext
  WHERE n.vocabulary = $1 AND n.kind = ${IDENTIFIER_NAME} AND n.key = ANY($2::text[])`;

const RANK = "t.ext, t.status, t.prior, t.length";
/** Reads ids that are one edit away, and those around the place of the unknown id in their order. */
const NEAR = `SELECT ${RANK} FROM term t
    WHERE ${SPELLING} = ANY($3::text[])
  UNION (SELECT ${RANK} FROM term t
    WHERE ${SPELLING} > $1 || ' ' || lower($2::text COLLATE "C") AND ${SPELLING} < $1 || '!'
    ORDER BY ${SPELLING} LIMIT ${NEIGHBOURS})
  UNION (SELECT ${RANK} FROM term t
    WHERE ${SPELLING} < $1 || ' ' || lower($2::text COLLATE "C") AND ${SPELLING} > $1 || ' '
    ORDER BY ${SPELLING} DESC LIMIT ${NEIGHBOURS})`;

/** Returns the ids that are similar to an unknown one, best first. */
async function nearestIds(sql: Sql, vocabulary: Vocabulary, id: string, limit: number): Promise<string[]> {
  const candidates = new Map<string, RankKey & { readonly distance: number }>();
  for (const row of await readIdentified(sql, vocabulary, id)) candidates.set(row.ext, { ...row, distance: -1 });
  for (const spelling of idSpellings(id, vocabulary)) {
    const edited = [...idsOneEditAway(spelling)].flat().map((each) => `${vocabulary.name} ${toLowerAscii(each)}`);
    for (const row of await sql.rows<RankKey>(NEAR, [vocabulary.name, spelling, [...new Set(edited)]])) {
      const distance = idDistance(spelling, row.ext);
      const best = candidates.get(row.ext)?.distance ?? Number.POSITIVE_INFINITY;
      if (distance === undefined || distance >= best) continue;
      candidates.set(row.ext, { ...row, distance });
    }
  }
  const near = [...candidates.values()].sort((a, b) => a.distance - b.distance || compareRank(a, b));
  return near.slice(0, limit).map(({ ext }) => ext);
}

/** Reads the terms with this id or requireVocabulary identifier: whole, without a prefix, or at the end of a URL. */
async function readIdentified(sql: Sql, vocabulary: Vocabulary, id: string): Promise<readonly RankKey[]> {
  const { whole, local, url } = identifierKeys(analyse(localPart(id)), identifierTail(id) ?? [], vocabulary);
  const keys = [...(whole === undefined ? [] : [whole]), ...local, ...url];
  if (keys.length === 0) return [];
  const rows = await sql.rows<RankKey & { readonly key: string }>(IDENTIFIED, [vocabulary.name, keys.map(storedKey)]);
  const withKey = (key: string): typeof rows => rows.filter((row) => row.key === storedKey(key));
  return [
    ...(whole === undefined ? [] : withKey(whole)),
    ...local.flatMap((key) => withKey(key).filter(({ ext }) => isId(ext, { whole, local, url }))),
    ...(url.map(withKey).find((matches) => matches.length > 0) ?? []),
  ];
}
