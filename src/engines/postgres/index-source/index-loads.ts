import { type JsonObject, storedObject } from "../../../core/json.js";
import type { BuiltGeneration, GenerationBuilder, LoadedTerms } from "../../../ports/index-documents.js";
import type { Pool, Sql } from "../connection/sql.js";
import { noteMovedByLoad } from "../terms/moved-terms.js";
import type { LoadIndexing, WrittenLoad } from "../terms/write-staged.js";
import { touchedTerms } from "./changes-since.js";
import { noteFailures } from "./index-states.js";
import { sourceTerms } from "./source-rows.js";
import { findLargeTerms, Regions } from "./term-trees.js";

/** The part of loads that concerns the index, which registers how it makes generations when it is opened. */
export interface IndexLoads extends LoadIndexing {
  onLoads(builder: GenerationBuilder): void;
}

const SET_LOAD_START = "UPDATE term_loading SET seq = (SELECT seq FROM feed_head) WHERE load = $1";

/**
 * Makes the index part of loads. For a load of very many terms the index builds a new generation of the vocabulary from
 * data that the open transaction has written and nobody else sees. With the commit, searches switch to this generation:
 * terms and searches change together. Loads of fewer terms, and all loads without an index, are changes like any other.
 */
export function makeIndexLoads(pool: Pool): IndexLoads {
  let builder: GenerationBuilder | undefined;
  return {
    onLoads: (registered) => {
      builder = registered;
    },
    begin: async (load) => {
      if (builder !== undefined) await pool.run(SET_LOAD_START, [load]);
    },
    prepare: async ({ sql }, written) => {
      const isLarge = builder !== undefined && written.terms >= builder.itemsMin;
      const showGeneration = isLarge ? await prepareGeneration(sql, builder!, written) : undefined;
      return async () => noteMovedByLoad(sql, written.vocabulary, written.load, await showGeneration?.());
    },
  };
}

/** SQL for the indexes, the current one first; those of other catalogs receive the load as a normal change. */
const CURRENT_INDEXES = `SELECT i.name, i.made, l.seq, coalesce(v.generation, 0) + 1 AS generation
  FROM index_state i CROSS JOIN term_loading l LEFT JOIN index_vocabulary v ON v.index = i.name AND v.vocabulary = $2
  WHERE (i.current OR i.scanned IS NULL) AND l.load = $1 AND l.seq IS NOT NULL
  ORDER BY i.current NULLS LAST, length(i.name) DESC, i.name DESC`;

const SHOW_GENERATION = `INSERT INTO index_vocabulary(index, vocabulary, generation, import, large)
  VALUES($1, $2, $3, $4, $5)
  ON CONFLICT (index, vocabulary) DO UPDATE SET generation = excluded.generation, import = excluded.import,
    large = excluded.large`;

/** The import will be this change or a later one: no term of the vocabulary has changed since. */
const NEXT_CHANGE = "SELECT seq + 1 AS next FROM feed_head";

/** A new generation has refused nothing yet. */
const REMOVE_FAILURES = "DELETE FROM index_failure WHERE index = $1 AND kind = 'term' AND place = $2";

/**
 * Builds a generation. @returns a function that makes the new generation visible and returns the name of its index, or
 * undefined if no index is searched
 */
async function prepareGeneration(
  sql: Sql,
  builder: GenerationBuilder,
  { load, vocabulary, number }: WrittenLoad,
): Promise<(() => Promise<string>) | undefined> {
  const large = await findLargeTerms(sql, vocabulary, builder.largeAbove);
  // Nobody else writes the vocabulary, so all reads see one state.
  const regions = new Regions(sql, vocabulary, new Set(large));
  const items: LoadedTerms = {
    after: async (id, limit) =>
      regions.placed(await sourceTerms(sql, "t.ext > $2", [vocabulary, id, limit], "LIMIT $3")),
  };
  const readCurrentIndex = async (): Promise<CurrentIndex | undefined> =>
    (await sql.rows<CurrentIndex>(CURRENT_INDEXES, [load, vocabulary])).find(({ made, name }) =>
      builder.takes(storedObject<JsonObject>(made, "The state of the index", name)),
    );
  /**
   * Builds a generation for the index that searches use. A reindex may switch to another index meanwhile, which then
   * needs a generation too.
   */
  const buildUntilCurrent = async (previous?: BuiltIndex): Promise<BuiltIndex | undefined> => {
    for (let built = previous; ; ) {
      const asked = await readCurrentIndex();
      if (asked === undefined || asked.name === built?.name) return built;
      const { name, generation } = asked;
      built = { ...asked, generations: await builder.build(name, vocabulary, generation, items) };
    }
  };
  const firstBuilt = await buildUntilCurrent();
  if (firstBuilt === undefined) return undefined;
  return async () => {
    const { name, seq, generation, generations } = (await buildUntilCurrent(firstBuilt))!;
    const touchedIds = (await touchedTerms(sql, seq, vocabulary)).map(({ id }) => id);
    const touchedSources = await sourceTerms(sql, "t.ext = ANY($2::text[])", [vocabulary, touchedIds]);
    const failures = await generations.finish(await regions.placed(touchedSources));
    await sql.run(REMOVE_FAILURES, [name, vocabulary]);
    await noteFailures(sql, name, failures, (await sql.row<{ readonly next: number }>(NEXT_CHANGE))!.next);
    await sql.run(SHOW_GENERATION, [name, vocabulary, generation, number, large]);
    return name;
  };
}

interface CurrentIndex {
  readonly name: string;
  /** JSON. */
  readonly made: string;
  /** The last change when the load began to write. */
  readonly seq: number;
  readonly generation: number;
}

interface BuiltIndex extends CurrentIndex {
  readonly generations: BuiltGeneration;
}
