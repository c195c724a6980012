import type { PlacedTerm, SourceTerm } from "../../../ports/index-source.js";
import type { Sql } from "../connection/sql.js";
import { largeTermsOf } from "./large-terms.js";

/** Some ids and what is above them, each once, no further than large ones ($3). */
const UP = `WITH RECURSIVE large(ext) AS MATERIALIZED (SELECT unnest($3::text[]) COLLATE "C"),
  up(ext, parent) AS (
    SELECT t.ext, t.parent FROM unnest($2::text[]) a(ext) CROSS JOIN LATERAL (
      SELECT ext, parent FROM term WHERE vocabulary = $1 AND ext = a.ext AND parent IS NOT NULL OFFSET 0) t
    UNION SELECT t.ext, t.parent FROM up u CROSS JOIN LATERAL (
      SELECT ext, parent FROM term WHERE vocabulary = $1 AND ext = u.parent AND parent IS NOT NULL OFFSET 0) t
    WHERE NOT EXISTS (SELECT FROM large WHERE large.ext = u.parent))
  SELECT ext, parent FROM up`;

interface Link {
  readonly ext: string;
  readonly parent: string;
}

/** Finds the nearest large terms in one state of a vocabulary; what it has read it knows. */
export class Regions {
  readonly #sql: Sql;
  readonly #vocabulary: string;
  readonly #large: ReadonlySet<string>;
  /** Null: there is none. */
  readonly #known = new Map<string, string | null>();

  constructor(sql: Sql, vocabulary: string, large: ReadonlySet<string>) {
    this.#sql = sql;
    this.#vocabulary = vocabulary;
    this.#large = large;
  }

  /** Says of each of these ids which large term is the first one among itself and all that is above it. */
  async read(ids: readonly string[]): Promise<(id: string) => string | undefined> {
    const unknown = [...new Set(ids)].filter((id) => !this.#large.has(id) && !this.#known.has(id));
    if (unknown.length > 0 && this.#large.size > 0) {
      const links = await this.#sql.rows<Link>(UP, [this.#vocabulary, unknown, [...this.#large]]);
      const parents = new Map(links.map(({ ext, parent }) => [ext, parent]));
      for (const id of unknown) this.#climb(id, parents);
    }
    return (id) => (this.#large.has(id) ? id : (this.#known.get(id) ?? undefined));
  }

  /** A circle ends where it has been. */
  #climb(id: string, parents: ReadonlyMap<string, string>): void {
    const path = new Set<string>();
    let at: string | undefined = id;
    while (at !== undefined && !this.#large.has(at) && !this.#known.has(at) && !path.has(at)) {
      path.add(at);
      at = parents.get(at);
    }
    const found = at === undefined ? null : this.#large.has(at) ? at : (this.#known.get(at) ?? null);
    for (const each of path) this.#known.set(each, found);
  }

  /** Items with the regions that they are in. */
  async placed(terms: readonly SourceTerm[]): Promise<readonly PlacedTerm[]> {
    if (this.#large.size === 0) return terms;
    const regionOf = await this.read(terms.flatMap(({ content }) => content.parent ?? []));
    return terms.map((term) => {
      const { parent } = term.content;
      const region = parent === undefined ? undefined : regionOf(parent);
      return region === undefined ? term : { ...term, region };
    });
  }
}

/** Items of one state of the store with the regions that an index has. */
export async function placedTerms(
  sql: Sql,
  index: string,
  vocabulary: string,
  terms: readonly SourceTerm[],
): Promise<readonly PlacedTerm[]> {
  return new Regions(sql, vocabulary, await largeTermsOf(sql, index, vocabulary)).placed(terms);
}
