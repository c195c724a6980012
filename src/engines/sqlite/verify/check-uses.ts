import type { VerifyContext } from "./verify-context.js";

/** Counted anew, in a table of this connection. */
const RECOUNT = `
CREATE TEMP TABLE recount AS
SELECT json_extract(cited.value, '$[0]') AS vocabulary, json_extract(cited.value, '$[1]') AS ext,
  sum(rec.latest) AS n, sum(1 - rec.latest) AS drafts
FROM rec, json_each(CASE WHEN json_valid(rec.cites) THEN rec.cites ELSE '[]' END) cited GROUP BY 1, 2;
CREATE UNIQUE INDEX temp.recount_term ON recount(vocabulary, ext);
`;

const DIFFERENCES = `
SELECT r.vocabulary, r.ext, r.n, r.drafts, coalesce(u.n, 0) AS found, coalesce(u.drafts, 0) AS foundDrafts
FROM temp.recount r LEFT JOIN use u ON u.vocabulary = r.vocabulary AND u.ext = r.ext
WHERE u.n IS NOT r.n OR u.drafts IS NOT r.drafts
UNION ALL
SELECT u.vocabulary, u.ext, 0, 0, u.n, u.drafts FROM use u
WHERE (u.n <> 0 OR u.drafts <> 0)
  AND NOT EXISTS (SELECT 1 FROM temp.recount r WHERE r.vocabulary = u.vocabulary AND r.ext = u.ext)`;

interface Difference {
  readonly vocabulary: string;
  readonly ext: string;
  readonly n: number;
  readonly drafts: number;
  readonly found: number;
  readonly foundDrafts: number;
}

/** How often each term is cited, by latest published records and by all others. */
export function checkUses({ db, report }: VerifyContext): void {
  db.raw.exec("DROP TABLE IF EXISTS temp.recount");
  db.raw.exec(RECOUNT);
  for (const row of db.raw.prepare<[], Difference>(DIFFERENCES).iterate()) {
    const { vocabulary, ext: id, n, drafts, found, foundDrafts } = row;
    const noted = {
      check: "counters.citations",
      where: `${vocabulary}/${id}`,
      expected: `${n} latest and ${drafts} others`,
      found: `${found} latest and ${foundDrafts} others`,
    };
    const difference = { vocabulary, id, published: n - found, others: drafts - foundDrafts };
    report.add(noted, ({ uses }) => uses.push(difference));
  }
}
