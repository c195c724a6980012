import { type JsonObject, storedObject } from "../../../core/json.js";
import type { BuiltGeneration, GenerationBuilder, LoadedItems } from "../../../ports/index-source.js";
import type { Pool, Sql } from "../connection/sql.js";
import type { LoadIndexing, WrittenLoad } from "../terms/load-indexing.js";
import { noteMovedBy } from "../terms/moved-terms.js";
import { touchedTerms } from "./changes-since.js";
import { noteFailures } from "./index-states.js";
import { findLargeTerms } from "./large-terms.js";
import { Regions } from "./regions.js";
import { sourceTerms } from "./source-terms.js";

/** Loads and the index beside the store, which says how it makes generations when it is opened. */
export interface IndexLoads extends LoadIndexing {
  onLoads(builder: GenerationBuilder): void;
}

const BEGIN = "UPDATE term_loading SET seq = (SELECT seq FROM feed_head) WHERE load = $1";

/**
 * A load of very many items has the index make what it has of the vocabulary anew, from what the open transaction has
 * written and nobody else sees. With the commit, searches ask this generation: items and searches change at once. Loads
 * of fewer items, and all where there is no index, are changes like any other.
 */
export function makeIndexLoads(pool: Pool): IndexLoads {
  let builder: GenerationBuilder | undefined;
  return {
    onLoads: (asked) => {
      builder = asked;
    },
    begin: async (load) => {
      if (builder !== undefined) await pool.run(BEGIN, [load]);
    },
    prepare: async ({ sql }, written) => {
      const isLarge = builder !== undefined && written.items >= builder.itemsMin;
      const show = isLarge ? await prepareGeneration(sql, builder!, written) : undefined;
      return async () => noteMovedBy(sql, written.vocabulary, written.load, await show?.());
    },
  };
}

/** That searches ask, first; those of other catalogs have the load as a change like any other. */
const ASKED = `SELECT i.name, i.made, l.seq, coalesce(v.generation, 0) + 1 AS generation
  FROM index_state i CROSS JOIN term_loading l LEFT JOIN index_vocabulary v ON v.index = i.name AND v.vocabulary = $2
  WHERE (i.current OR i.scanned IS NULL) AND l.load = $1 AND l.seq IS NOT NULL
  ORDER BY i.current NULLS LAST, length(i.name) DESC, i.name DESC`;

const SHOW = `INSERT INTO index_vocabulary(index, vocabulary, generation, import, large) VALUES($1, $2, $3, $4, $5)
  ON CONFLICT (index, vocabulary) DO UPDATE SET generation = excluded.generation, import = excluded.import,
    large = excluded.large`;

/** The import will be this change, or a later one: no item of the vocabulary has changed since. */
const NEXT_CHANGE = "SELECT seq + 1 AS next FROM feed_head";

/** A new generation has refused nothing yet. */
const FORGET = "DELETE FROM index_failure WHERE index = $1 AND kind = 'term' AND place = $2";

/** @returns what shows it, and then the index that it is of; undefined: searches ask none */
async function prepareGeneration(
  sql: Sql,
  builder: GenerationBuilder,
  { load, vocabulary, number }: WrittenLoad,
): Promise<(() => Promise<string>) | undefined> {
  const large = await findLargeTerms(sql, vocabulary, builder.largeAbove);
  // Nobody else writes the vocabulary: all is one state.
  const regions = new Regions(sql, vocabulary, new Set(large));
  const items: LoadedItems = {
    after: async (id, limit) =>
      regions.placed(await sourceTerms(sql, "t.ext > $2", [vocabulary, id, limit], "LIMIT $3")),
  };
  const askedNow = async (): Promise<Asked | undefined> =>
    (await sql.rows<Asked>(ASKED, [load, vocabulary])).find(({ made, name }) =>
      builder.takes(storedObject<JsonObject>(made, "The state of the index", name)),
    );
  /** A reindex may have searches ask another index meanwhile: that needs a generation as well. */
  const buildUntilAsked = async (before?: Built): Promise<Built | undefined> => {
    for (let built = before; ; ) {
      const asked = await askedNow();
      if (asked === undefined || asked.name === built?.name) return built;
      const { name, generation } = asked;
      built = { ...asked, generations: await builder.build(name, vocabulary, generation, items) };
    }
  };
  const first = await buildUntilAsked();
  if (first === undefined) return undefined;
  return async () => {
    const { name, seq, generation, generations } = (await buildUntilAsked(first))!;
    const touched = (await touchedTerms(sql, seq, vocabulary)).map(({ id }) => id);
    const again = await sourceTerms(sql, "t.ext = ANY($2::text[])", [vocabulary, touched]);
    const failures = await generations.finish(await regions.placed(again));
    await sql.run(FORGET, [name, vocabulary]);
    await noteFailures(sql, name, failures, (await sql.row<{ readonly next: number }>(NEXT_CHANGE))!.next);
    await sql.run(SHOW, [name, vocabulary, generation, number, large]);
    return name;
  };
}

interface Asked {
  readonly name: string;
  /** JSON. */
  readonly made: string;
  /** The last change when the load began to write. */
  readonly seq: number;
  readonly generation: number;
}

interface Built extends Asked {
  readonly generations: BuiltGeneration;
}
