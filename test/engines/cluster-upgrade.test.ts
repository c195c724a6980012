import { afterEach, describe, expect, it } from "vitest";
import { BinderyError } from "../../src/core/errors.js";
import { readDefinition } from "../../src/engines/opensearch/documents/index-format.js";
import type { RecordSearch } from "../../src/ports/search-index.js";
import { nameKey } from "../../src/query/index-model/term-document.js";
import { ANALYSIS_VERSION, analyse } from "../../src/query/text/analyse.js";
import { eventually } from "../support/deposit.js";
import { type ClusterEngine, clusterUnderTest } from "../support/engines/cluster-under-test.js";
import { contractCatalog, makeClock, putAll, tinyDraft, tinyRecord } from "../support/engines/engine-under-test.js";
import { item, loadAll, searchAll } from "../support/engines/term-fixtures.js";
import { HAS_OPENSEARCH, searchUrl } from "../support/services/opensearch.js";
import { HAS_POSTGRES } from "../support/services/postgres.js";

/** More records than one transaction writes. */
const MORE = 700;

/** Texts that text analysis 2 made other words of, with what people type for them now. */
const RECORDS: readonly (readonly [id: string, title: string, asked: string])[] = [
  ["greek", "β2-adrenergic receptor", "β2-adrenergic"],
  ["name", "A kinase of NF-kappaB", "NF-kappaB"],
  ["soft", "Bovine se\u00ADrum albumin", "serum"],
  ["joined", "Thermo\u200Bphoresis of it", "thermophoresis"],
];

const TERMS = [item(1, "Se\u00ADrum bacillus"), item(2, "Serum bacillus of beta2"), item(3, "Other")];

describe.skipIf(!HAS_POSTGRES || !HAS_OPENSEARCH)("a cluster after an upgrade of the text analysis", () => {
  let tends = false;
  const under = clusterUnderTest({ shards: 1, stepMs: 20, tends: () => tends });
  const open: ClusterEngine[] = [];
  const openNode = async (): Promise<ClusterEngine> => {
    const engine = await under.open({ catalog: contractCatalog(), clock: makeClock() });
    open.push(engine);
    return engine;
  };
  afterEach(async () => {
    for (const engine of open.splice(0)) await engine.close();
    await under.cleanUp();
  });

  /**
   * Leaves store and index as version 2 left them: its words and lengths are others, and so is what it was made with.
   */
  async function makeOlder({ pool, indexSource }: ClusterEngine): Promise<void> {
    const state = (await indexSource.states())[0]!;
    const { name } = state;
    const made = readDefinition(state.made);
    const terms = Object.fromEntries(Object.keys(made.terms).map((each) => [each, "older"]));
    const older = JSON.stringify({ ...made, analysis: ANALYSIS_VERSION - 1, terms });
    await pool.run("UPDATE index_state SET made = $1 WHERE name = $2", [older, name]);
    await pool.run("UPDATE vocabulary SET signature = 'older'");
    await pool.run("UPDATE term SET length = length + 5 WHERE ext IN ('sp:1', 'sp:2')");
    await pool.run("UPDATE term_name SET key = 'older ' || key");
    // Searches that asked it would find nothing.
    const emptied = await fetch(
      `${await searchUrl()}/${name}-records,${name}-terms-*/_delete_by_query?refresh=true&conflicts=proceed`,
      {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: '{"query":{"match_all":{}}}',
      },
    );
    expect(emptied.ok).toBe(true);
  }

  const search = (text: string): RecordSearch => ({
    clause: { kind: "words", place: { in: "text" }, words: analyse(text) },
    scope: { kind: "public", models: ["tiny"] },
    facets: [],
    sort: "newest",
    page: { offset: 0, limit: 10 },
  });
  const find = async ({ index }: ClusterEngine, text: string): Promise<readonly string[]> =>
    (await index.searchRecords(search(text))).hits.map(({ id }) => id);

  it("is indexed again in the background, says so meanwhile, and then finds all", { timeout: 300_000 }, async () => {
    const before = await openNode();
    await loadAll(before, [...TERMS, ...Array.from({ length: MORE }, (_, n) => item(1_000 + n, `Filling ${n}`))]);
    await putAll(
      before,
      RECORDS.map(([id, title]) => tinyRecord(id, { title })),
    );
    await putAll(before, [tinyDraft("draft", { title: "A se\u00ADrum" })]);
    while (await before.indexSource.isBehind()) await new Promise((resolve) => setTimeout(resolve, 10));
    const [oldIndex] = await before.indexSource.states();
    await before.search.index.searchRecords(search("serum"));
    await makeOlder(before);
    for (const engine of open.splice(0)) await engine.close();

    const nodes = [await openNode(), await openNode()];
    // In the worst case the index is made before the rows of terms are.
    let refused = 0;
    for (let isDone = false; !isDone; ) {
      for (const node of nodes) {
        try {
          for (const [id, , asked] of RECORDS) expect([asked, await find(node, asked)]).toEqual([asked, [id]]);
          isDone = true;
        } catch (error) {
          if (!(error instanceof BinderyError && error.code === "SEARCH_UNAVAILABLE")) throw error;
          refused += 1;
          isDone = false;
        }
      }
    }
    expect(refused).toBeGreaterThan(0);
    const current = (await nodes[0]!.indexSource.states()).find(({ isCurrent }) => isCurrent)!;
    expect(current.name).not.toBe(oldIndex!.name);
    expect(current.made).toMatchObject({ analysis: ANALYSIS_VERSION });

    // What was written meanwhile or is written now is found too, and terms are ranked by their lengths of now.
    await putAll(nodes[1]!, [tinyRecord("later", { title: "Ovine serum" })]);
    expect(await find(nodes[0]!, "serum")).toEqual(["later", "soft"]);
    tends = true;
    nodes.push(await openNode());
    const admin = nodes[0]!.search.adminOf(nodes[0]!.admin, nodes[0]!.store);
    await eventually(async () => {
      const { findings, leftOut, notes } = await admin.verify(() => undefined);
      expect([findings, leftOut, notes]).toEqual([[], [], []]);
    }, 60_000);
    expect((await searchAll(nodes[0]!, "serum")).ids).toEqual(["sp:1", "sp:2"]);
    const named = await nodes[0]!.store.terms.named("species", [nameKey(analyse("serum bacillus"))!], 2);
    expect(named.map(({ term }) => term.id)).toEqual(["sp:1"]);
  });
});
