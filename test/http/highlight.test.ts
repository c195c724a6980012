/** `highlight=true`: what of a hit matched. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, importItems, publish, recordWith } from "../support/deposit.js";
import { chemical, ETHANOL, polymer } from "../support/entities.js";
import type { ItemShape, Problem, RecordShape, SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
let alice: TestUser;

const INFORMATION = "metadata.general_parameters.record_information";
const ENTITIES = "metadata.general_parameters.entities_of_interest";

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
  const entities = [polymer("entity-serum", "Serum", "taxid:90002"), chemical("entity-assembly", "Assembly")];
  await importItems(bindery, "organisms", [
    { id: "taxid:90001", title: { en: "Testobacteriaceae" } },
    {
      id: "taxid:90002",
      title: { en: "Testobacter bellus" },
      parent: "taxid:90001",
      synonyms: [{ name: "pretty bug", kind: "common name" }],
    },
  ]);
  const substance = { type: "Chemical", basic_information: { id: ETHANOL }, concentration: { value: 1, unit: "mM" } };
  const environment = { id: "environment", name: "Buffer", ph: 6.25, solvent: [{ name: "Water", ...substance }] };
  const general = { entities_of_interest: entities, chemical_environments: [environment] };
  const title = "Bovine <b>albumin</b> & TNFα, again: bovine serum";
  await publish(alice.client, recordWith(1, general, { title }));
});
afterAll(() => bindery.dispose());

async function search<Hit>(query: string, path = "/api/search/", client = bindery.client) {
  const { status, body, text } = await client.get<SearchBody<Hit>>(`${path}?${query}`);
  expect(status, text.slice(0, 300)).toBe(200);
  return body;
}

async function marked(q: string, more = "q"): Promise<RecordShape["highlight"]> {
  const found = await search<RecordShape>(`highlight=true&${more}=${encodeURIComponent(q)}`);
  expect(found.hits.total).toBe(1);
  return found.hits.hits[0]!.highlight;
}

describe("records", () => {
  const title = (text: string) => ({ [`${INFORMATION}.title`]: [text] });
  const organismTitle = { [`${ENTITIES}.source_organism.title.en`]: ["<em>Testobacter bellus</em>"] };

  it.each<[string, RecordShape["highlight"]]>([
    ["title:bovine", title("<em>Bovine</em> &lt;b&gt;albumin&lt;/b&gt; &amp; TNFα, again: <em>bovine</em> serum")],
    ['"tnf alpha" -nothing', title("Bovine &lt;b&gt;albumin&lt;/b&gt; &amp; <em>TNFα</em>, again: bovine serum")],
    ["albumim~", title("Bovine &lt;b&gt;<em>albumin</em>&lt;/b&gt; &amp; TNFα, again: bovine serum")],
    ["ph:[6 TO 6.5]", { "metadata.general_parameters.chemical_environments.ph": ["<em>6.25</em>"] }],
    [
      "chemical_environments:(ph:<7 solvent:(water))",
      {
        "metadata.general_parameters.chemical_environments.ph": ["<em>6.25</em>"],
        "metadata.general_parameters.chemical_environments.solvent.name": ["<em>Water</em>"],
      },
    ],
    ["taxid:90002", organismTitle],
    ['"pretty bug"', organismTitle],
    ["*", {}],
  ])("%s", async (q, expected) => {
    expect(await marked(q)).toEqual(expected);
  });

  it("with suggest: the last word is a beginning", async () => {
    expect(await marked("tnf alb", "suggest")).toEqual(
      title("Bovine &lt;b&gt;<em>albumin</em>&lt;/b&gt; &amp; <em>TNF</em>α, again: bovine serum"),
    );
  });

  it("of the caller's own, drafts too", async () => {
    await deposit(alice.client, recordWith(2, {}, { title: "Quixotrope" }));
    const found = await search<RecordShape>("q=quixotrope&highlight=1", "/api/user/search/", alice.client);
    expect(found.hits.hits.map((hit) => hit.highlight)).toEqual([title("<em>Quixotrope</em>")]);
  });

  it("only where it was asked for, and in links", async () => {
    for (const query of ["q=bovine", "q=bovine&highlight=false"]) {
      const found = await search<RecordShape>(query);
      expect(found.hits.hits[0]).not.toHaveProperty("highlight");
    }
    const { links } = await search("q=bovine&highlight=true&facets=none");
    expect(new URL(links.self!).search).toBe("?facets=none&highlight=true&page=1&q=bovine&size=10&sort=bestmatch");
    const { status, body } = await bindery.client.get<Problem>("/api/search/?highlight=yes");
    expect([status, body.errors![0]!.field]).toEqual([400, "highlight"]);
  });
});

describe("items", () => {
  const hitsOf = async (query: string) => {
    const found = await search<ItemShape>(`highlight=true&${query}`, "/api/vocabularies/organisms");
    return found.hits.hits.map(({ id, highlight }) => [id, highlight]);
  };

  it("show titles, synonyms and ids", async () => {
    expect(await hitsOf("q=testobacter")).toEqual([["taxid:90002", { "title.en": ["<em>Testobacter</em> bellus"] }]]);
    expect(await hitsOf("q=pretty")).toEqual([["taxid:90002", { synonyms: ["<em>pretty</em> bug"] }]]);
    expect(await hitsOf("q=taxid:90002")).toEqual([["taxid:90002", { id: ["<em>taxid:90002</em>"] }]]);
  });

  it("follow a change of the term", async () => {
    const titleOf = async (q: string) =>
      (await search<ItemShape>(`highlight=true&q=${q}`, "/api/vocabularies/organisms")).hits.hits[0]?.highlight;
    const put = (title: string) => importItems(bindery, "organisms", [{ id: "taxid:90009", title: { en: title } }]);
    await put("Mutabilis first");
    expect(await titleOf("mutabilis")).toEqual({ "title.en": ["<em>Mutabilis</em> first"] });
    await put("Mutabilis second");
    expect(await titleOf("mutabilis")).toEqual({ "title.en": ["<em>Mutabilis</em> second"] });
  });

  it("with suggest", async () => {
    expect(await hitsOf("suggest=testobacter+bel")).toEqual([
      ["taxid:90002", { "title.en": ["<em>Testobacter</em> <em>bellus</em>"] }],
    ]);
  });
});
