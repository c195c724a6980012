import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importItems } from "../support/deposit.js";
import type { ItemShape, Problem, SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;

beforeAll(async () => {
  bindery = await startService();
  await importItems(bindery, "organisms", [
    { id: "taxid:92000001", title: { en: "Zzyzx" }, props: { rank: "species" }, parent: "taxid:1" },
    { id: "taxid:92000002", title: { en: "Zzyzx minor" }, props: { rank: "species" }, parent: "taxid:92000001" },
    { id: "taxid:92000003", title: { en: "Zzyzx minor 7" }, props: { rank: "strain" }, parent: "taxid:92000002" },
    {
      id: "taxid:92000004",
      title: { en: "Something else" },
      props: { rank: "species" },
      synonyms: [{ name: "Zzyzx", kind: "synonym" }],
    },
    { id: "taxid:92000005", title: { en: "Great zzyzx" }, props: { rank: "species" } },
    { id: "taxid:92000006", title: { en: "Zzyzx old" }, status: "deprecated", replaced_by: "taxid:92000001" },
  ]);
});
afterAll(() => bindery.dispose());

const search = async (path: string) => {
  const { status, body } = await bindery.client.get<SearchBody<ItemShape>>(`/api/vocabularies/${path}`);
  expect(status, path).toBe(200);
  return body;
};
const idsOf = (body: SearchBody<ItemShape>) => body.hits.hits.map(({ id }) => id);

describe("the list of vocabularies", () => {
  it("is a search answer that says what each is and where it begins", async () => {
    const { body } = await bindery.client.get<SearchBody>("/api/vocabularies");
    expect(body.hits.total).toBe(10);
    for (const hit of body.hits.hits) {
      expect(hit).toMatchObject({
        title: expect.any(String),
        description: expect.any(String),
        id_pattern: expect.any(String),
        extensible: expect.any(Boolean),
        count: expect.any(Number),
      });
      const { self, items } = hit.links as Record<string, string>;
      const found = await bindery.client.get<SearchBody>(items!.slice(bindery.url.length));
      expect(found.body.hits.total, String(hit.id)).toBe(hit.count);
      expect((await bindery.client.get(self!.slice(bindery.url.length))).status).toBe(200);
    }
    expect(body.hits.hits.find(({ id }) => id === "affiliations")).toMatchObject({ authority: "ror" });
    expect(body.hits.hits.find(({ id }) => id === "chemicals")).toMatchObject({ extensible: true });
  });
});

describe("bestmatch", () => {
  it("ranks id, whole title, whole synonym, beginning of the title, words", async () => {
    const byTitle = await search("organisms?q=zzyzx");
    expect(idsOf(byTitle)).toEqual([
      "taxid:92000001",
      "taxid:92000004",
      "taxid:92000002",
      "taxid:92000003",
      "taxid:92000006",
      "taxid:92000005",
    ]);
    for (const q of ["taxid:92000003", "92000003", "TAXID:92000003"]) {
      expect(idsOf(await search(`organisms?q=${q}`))[0], q).toBe("taxid:92000003");
    }
  });

  it.each([
    ["organisms", "human", "taxid:9606"],
    ["organisms", "Homo sapiens", "taxid:9606"],
    ["affiliations", "MIT", "ror:042nb2s44"],
    ["affiliations", "masaryk", "ror:02j46qs45"],
    ["affiliations", "https://ror.org/024d6js02", "ror:024d6js02"],
    ["affiliations", "ror.org/024d6js02", "ror:024d6js02"],
    ["affiliations", "univerzita karlova", "ror:024d6js02"],
    ["chemicals", "water", "inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N"],
    ["chemicals", "7732-18-5", "inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N"],
    ["chemicals", "cid:702", "inchikey:LFQSCWFLJHTTHZ-UHFFFAOYSA-N"],
    ["chemicals", "XLYOFNOQVPJJNP-UHFFFAOYSA-N", "inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N"],
    ["grants", "101004806", "oa:corda__h2020::f219b1de6eeb4e5c5b2ad39010832d79"],
    ["grants", "mosbri", "oa:corda__h2020::f219b1de6eeb4e5c5b2ad39010832d79"],
    ["languages", "deutsch", "de"],
    ["languages", "němčina", "de"],
    ["languages", "nemcina", "de"],
  ])("%s?q=%s begins with %s", async (vocabulary, q, id) => {
    expect(idsOf(await search(`${vocabulary}?q=${encodeURIComponent(q)}`))[0]).toBe(id);
    expect(idsOf(await search(`${vocabulary}?suggest=${encodeURIComponent(q)}`))[0]).toBe(id);
  });

  it("searches fields by name", async () => {
    expect(idsOf(await search("organisms?q=rank:strain+AND+zzyzx"))).toEqual(["taxid:92000003"]);
    expect(idsOf(await search("organisms?q=props.rank:strain+AND+title:zzyzx"))).toEqual(["taxid:92000003"]);
    expect(idsOf(await search("organisms?q=synonyms:zzyzx"))).toEqual(["taxid:92000004"]);
    expect(idsOf(await search("organisms?q=title.en:minor+AND+zzyzx&sort=title"))).toEqual([
      "taxid:92000002",
      "taxid:92000003",
    ]);
    expect(idsOf(await search('organisms?q=parent:"taxid:92000001"'))).toEqual(["taxid:92000002"]);
    expect(idsOf(await search("organisms?q=status:deprecated+AND+zzyzx"))).toEqual(["taxid:92000006"]);
    expect(idsOf(await search('affiliations?q=country:"Czechia"&s=100'))).toContain("ror:024d6js02");
  });
});

describe("suggest", () => {
  it("completes the last word and says what matched", async () => {
    const body = await search("organisms?suggest=zzy");
    // Not the one that another item has replaced.
    expect(body.hits.total).toBe(5);
    expect(idsOf(body)).not.toContain("taxid:92000006");
    expect(body.hits.hits[0]).toMatchObject({
      id: "taxid:92000001",
      matched: { field: expect.stringMatching(/^title/), text: "Zzyzx" },
    });
    const synonym = body.hits.hits.find(({ id }) => id === "taxid:92000004")!;
    expect(synonym.matched).toEqual({ field: "synonyms", kind: "synonym", text: "Zzyzx" });
    expect(idsOf(await search("organisms?suggest=zzyzx+min"))).toEqual(["taxid:92000002", "taxid:92000003"]);
  });

  it("takes a single letter before a word as an initial", async () => {
    for (const text of ["E. coli", "E coli", "e.coli"]) {
      expect(idsOf(await search(`organisms?suggest=${encodeURIComponent(text)}`))[0], text).toBe("taxid:562");
    }
  });

  it("never reads syntax", async () => {
    for (const text of ["zzyzx AND NOT (", '"zzyzx', "title:zzyzx", "zzyzx OR human", "-zzyzx", "*", "[a TO b]"]) {
      const body = await search(`organisms?suggest=${encodeURIComponent(text)}`);
      expect(body.query.fallback, text).toBe(false);
    }
    expect(idsOf(await search("organisms?suggest=-zzyzx")).length).toBe(5);
  });

  it("of nothing is the list by title", async () => {
    const empty = await search("organisms?suggest=");
    const all = await search("organisms");
    expect(idsOf(empty)).toEqual(idsOf(all));
    expect(empty.sortBy).toBe("title");
  });

  it("together with q is a 400", async () => {
    const { status, body } = await bindery.client.get<Problem>("/api/vocabularies/organisms?suggest=a&q=b");
    expect(status).toBe(400);
    expect(body.errors!.map(({ field }) => field)).toContain("suggest");
  });
});

describe("ids=", () => {
  it("fetches in the order asked, once each, follows replaced ones and names unknown ones", async () => {
    const asked = ["taxid:9606", "taxid:92000006", "taxid:562", "nonsense", "taxid:9606", "taxid:92000001"];
    const body = await search(`organisms?s=1&p=3&${asked.map((id) => `ids=${id}`).join("&")}`);
    expect(idsOf(body)).toEqual(["taxid:9606", "taxid:92000001", "taxid:562"]);
    expect(body.hits.total).toBe(3);
    expect(body.warnings!.filter(({ message }) => message.includes("nonsense"))).toHaveLength(1);
    expect(body.links).not.toHaveProperty("next");
  });

  it("takes up to 200", async () => {
    const ids = (n: number) => Array.from({ length: n }, (_, i) => `ids=taxid:${i + 1}`).join("&");
    expect((await search(`organisms?${ids(200)}`)).hits.total).toBeGreaterThan(0);
    const { status, body } = await bindery.client.get<Problem>(`/api/vocabularies/organisms?${ids(201)}`);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ field: "ids" }]);
  });
});

describe("parent= and ancestor=", () => {
  it("give the children, and all below", async () => {
    expect(idsOf(await search("organisms?parent=taxid:92000001"))).toEqual(["taxid:92000002"]);
    const below = await search("organisms?ancestor=taxid:92000001&sort=title");
    expect(idsOf(below)).toEqual(["taxid:92000002", "taxid:92000003"]);
    expect(idsOf(await search("organisms?ancestor=taxid:92000001&q=7"))).toEqual(["taxid:92000003"]);
    expect(idsOf(await search("organisms?ancestor=taxid:92000001&suggest=zz"))).toEqual([
      "taxid:92000002",
      "taxid:92000003",
    ]);
    expect((await search("organisms?parent=taxid:0")).hits.total).toBe(0);
  });

  it("of an item stand in it, root first", async () => {
    const { body } = await bindery.client.get<ItemShape>("/api/vocabularies/organisms/taxid:92000003");
    expect(body.ancestors!.map(({ id }) => id)).toEqual(["taxid:1", "taxid:92000001", "taxid:92000002"]);
    expect(body.parent).toEqual({ id: "taxid:92000002", title: { en: "Zzyzx minor" } });
  });
});

describe("below", () => {
  const belowOf = async (id: string) => (await bindery.client.get<ItemShape>(`/api/vocabularies/${id}`)).body.below;

  it("counts what parent= and ancestor= find", async () => {
    expect(await belowOf("organisms/taxid:92000001")).toEqual({ children: 1, all: 2 });
    expect(await belowOf("organisms/taxid:92000002")).toEqual({ children: 1, all: 1 });
    expect(await belowOf("organisms/taxid:92000003")).toEqual({ children: 0, all: 0 });
    for (const id of ["taxid:1", "taxid:2", "taxid:562", "taxid:9606"]) {
      const [children, all] = await Promise.all(
        ["parent", "ancestor"].map(async (name) => (await search(`organisms?${name}=${id}`)).hits.total),
      );
      expect(await belowOf(`organisms/${id}`), id).toEqual({ children, all });
    }
  });

  it("follows each write", async () => {
    const curator = await bindery.user("cleo", { role: "curator", scopes: ["vocabularies:write"] });
    const child = { id: "taxid:92000009", title: { en: "Zzyzx novus" }, parent: "taxid:92000003" };
    const { status } = await curator.client.post("/api/vocabularies/organisms", child);
    expect(status).toBe(201);
    expect(await belowOf("organisms/taxid:92000003")).toEqual({ children: 1, all: 1 });
    expect(await belowOf("organisms/taxid:92000001")).toEqual({ children: 1, all: 3 });
    expect((await curator.client.delete("/api/vocabularies/organisms/taxid:92000009")).status).toBe(204);
    expect(await belowOf("organisms/taxid:92000001")).toEqual({ children: 1, all: 2 });
  });

  it("is not there without a hierarchy", async () => {
    expect(await belowOf("languages/en")).toBeUndefined();
  });
});

describe("languages", () => {
  it("sort and label by the language asked for, and serve all titles", async () => {
    const english = await search("languages?s=200&sort=title");
    const czech = await search("languages?s=200&sort=title&lang=cs");
    expect([...idsOf(czech)].sort()).toEqual([...idsOf(english)].sort());
    expect(idsOf(czech)).not.toEqual(idsOf(english));
    expect(english.hits.hits[0]!.title).toHaveProperty("cs");
    expect(await search("languages?lang=xx&sort=title")).toMatchObject({ hits: { total: english.hits.total } });
    expect((await bindery.client.get("/api/vocabularies/languages?lang=%20")).status).toBe(400);
  });

  it("have two-letter ids, to which the three-letter ones lead", async () => {
    const answer = await bindery.client.get("/api/vocabularies/languages/eng");
    expect(answer.status).toBe(301);
    expect(answer.headers.location).toBe(`${bindery.url}/api/vocabularies/languages/en`);
  });
});

describe("a term", () => {
  it("is of its vocabulary: the same id in two is two terms", async () => {
    const [fluid, fraction] = await Promise.all(
      ["body_fluids", "cell_fractions"].map((v) => bindery.client.get<ItemShape>(`/api/vocabularies/${v}/cf:1`)),
    );
    expect(fluid!.body.type).toBe("body_fluids");
    expect(fraction!.body.type).toBe("cell_fractions");
    expect(fluid!.body["@v"]).not.toBe(fraction!.body["@v"]);
  });

  it("in a search is as its own GET gives it, less the ancestors", async () => {
    const { body: alone } = await bindery.client.get<ItemShape>("/api/vocabularies/organisms/taxid:562");
    const { ancestors: _, below: __, ...rest } = alone;
    const found = await search("organisms?q=taxid:562");
    expect(found.hits.hits[0]).toEqual(rest);
  });

  it("has props, if only empty ones, and values with their types", async () => {
    const fluid = await bindery.client.get<ItemShape>("/api/vocabularies/body_fluids/cf:1");
    expect(fluid.body.props).toEqual({});
    const water = await bindery.client.get<ItemShape>(
      "/api/vocabularies/chemicals/inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N",
    );
    expect(water.body.props).toMatchObject({
      chemical_formula: "H2O",
      molecular_weight: { value: expect.any(Number), unit: "g/mol" },
      additional_identifiers: expect.arrayContaining(["cas:7732-18-5"]),
    });
  });
});
