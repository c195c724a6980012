import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BinderyError, type Client, createClient, type Models, type MstMetadata } from "../../src/client/index.js";
import { type Bindery, ROOT, startBindery } from "../support/bindery.js";
import { BUILT_IN_MODELS } from "../support/built-in-models.js";

let bindery: Bindery;
let ada: Client;
let anybody: Client;
/** Curates vocabularies. */
let cora: Client;

beforeAll(async () => {
  bindery = await startBindery();
  ada = createClient({ url: bindery.url, token: (await bindery.user("ada")).token });
  const curator = await bindery.user("cora", { role: "curator", scopes: ["vocabularies:write"] });
  cora = createClient({ url: bindery.url, token: curator.token });
  anybody = createClient({ url: bindery.url });
});
afterAll(() => bindery.dispose());

/** Valid metadata, which cite starter items only. */
function example<Name extends keyof Models>(model: Name, title = "An example"): Models[Name] {
  const text = readFileSync(join(ROOT, "catalog/models", model, "example.json"), "utf8");
  const { metadata } = JSON.parse(text) as { metadata: Models[Name] };
  metadata.general_parameters.record_information.title = title;
  return metadata;
}

async function publish<Name extends keyof Models>(model: Name, title: string) {
  const client = ada.model(model);
  return client.publish((await client.deposit(example(model, title))).id);
}

const failureOf = (call: Promise<unknown>): Promise<BinderyError> =>
  call.then(
    () => expect.unreachable(),
    (error: unknown) => error as BinderyError,
  );

describe("a record", () => {
  it("is deposited, replaced, published, edited, versioned, listed and retracted", async () => {
    const mst = ada.model("mst");
    const draft = await mst.deposit(example("mst", "First"));
    expect(draft).toMatchObject({ model: "mst", is_draft: true, revision_id: 1 });
    expect(draft.errors).toBeUndefined();

    // What was read is sent back changed.
    draft.metadata.general_parameters.record_information.title = "Second";
    const replaced = await mst.replaceDraft(draft.id, draft.metadata, { revision: draft.revision_id });
    const late = await failureOf(mst.replaceDraft(draft.id, draft.metadata, { revision: draft.revision_id }));
    expect(late).toMatchObject({ name: "BinderyError", status: 412, code: "REVISION_STALE" });
    expect(late.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await mst.readDraft(draft.id)).toEqual(replaced);

    const published = await mst.publish(draft.id, { revision: replaced.revision_id });
    expect(published.metadata.general_parameters.record_information.title).toBe("Second");
    expect(await anybody.model("mst").read(draft.id)).toEqual(published);
    expect(await anybody.read(draft.id)).toEqual(published);

    const edit = await mst.edit(draft.id);
    expect((await mst.edit(draft.id)).id).toBe(edit.id);
    await mst.deleteDraft(draft.id);

    const next = await mst.newVersion(draft.id);
    const latest = await mst.publish(next.id);
    expect(await anybody.model("mst").readLatest(draft.id)).toEqual(latest);
    const versions = await anybody.model("mst").versions(draft.id, { size: 5 });
    expect(versions.hits.hits.map(({ id }) => id)).toEqual([latest.id, draft.id]);

    await mst.retract(latest.id, { reason: "Mislabelled.", revision: latest.revision_id });
    const gone = await failureOf(anybody.model("mst").read(latest.id));
    expect(gone).toMatchObject({ status: 410, code: "RECORD_GONE", tombstone: { removal_reason: "Mislabelled." } });
  });

  it("has its cited terms and references filled in", async () => {
    const { metadata } = await publish("mst", "Filled in");
    const { instrument, entities_of_interest, results = [] } = metadata.general_parameters;
    expect(instrument["@v"]).toMatch(/::1$/);
    expect([instrument.title.en, instrument.manufacturer]).toEqual([expect.any(String), expect.any(String)]);
    const [result] = results;
    const involved = result?.entities_involved[0]?.entity;
    expect(involved?.name).toBe(entities_of_interest.find(({ id }) => id === involved?.id)?.name);
  });

  it("is only validated where that is asked for", async () => {
    const mst = ada.model("mst");
    const before = (await mst.mine.search({ size: 1 })).hits.total;
    const good = await mst.validate(example("mst"));
    expect(good).toMatchObject({ valid: true, errors: [] });
    expect(good.metadata.general_parameters.instrument.title.en).toEqual(expect.any(String));
    const { method_specific_parameters: _, ...partly } = example("mst");
    const bad = await mst.validate(partly);
    expect(bad.errors.map(({ field, code }) => [field, code])).toEqual([
      ["metadata.method_specific_parameters", "REQUIRED"],
    ]);
    expect((await mst.mine.search({ size: 1 })).hits.total).toBe(before);
  });

  it("says all that is wrong with it where it is published", async () => {
    const mst = ada.model("mst");
    const metadata = example("mst");
    metadata.general_parameters.instrument = { id: "ins:0" };
    const draft = await mst.deposit(metadata);
    expect(draft.errors).toHaveLength(1);
    const refused = await failureOf(mst.publish(draft.id));
    expect(refused).toMatchObject({ status: 400, code: "DRAFT_INVALID", errors: draft.errors });
    expect(refused.errors[0]).toMatchObject({ field: "metadata.general_parameters.instrument.id" });
  });

  it("is made once by two calls with the same key", async () => {
    const mst = ada.model("mst");
    const options = { idempotencyKey: "row 17 of our table" };
    const first = await mst.deposit(example("mst", "Once"), options);
    expect((await mst.deposit(example("mst", "Once"), options)).id).toBe(first.id);
  });

  it("of each model is what its example is", async () => {
    for (const { id } of await anybody.models()) {
      const client = ada.model(id as keyof Models);
      const draft = await client.deposit((await client.example()) as MstMetadata & Models["itc" | "bli" | "spr"]);
      expect(draft.errors, id).toBeUndefined();
    }
  });
});

describe("a search", () => {
  const ids: string[] = [];
  beforeAll(async () => {
    for (let n = 0; n < 7; n++) ids.push((await publish("itc", `Zinnober heat ${n}`)).id);
  });

  it("gives a page, its counts and how the query was read", async () => {
    const answer = await anybody.model("itc").search({ q: "title:zinnober", size: 3, sort: "oldest", highlight: true });
    expect(answer.hits.total).toBe(7);
    expect(answer.hits.hits.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    expect(answer).toMatchObject({ page: 1, sortBy: "oldest", query: { fallback: false } });
    const [instrument] = answer.aggregations?.instrument?.buckets ?? [];
    expect(instrument?.doc_count).toBe(7);
    expect(
      Object.values(answer.hits.hits[0]?.highlight ?? {})
        .flat()
        .join(),
    ).toContain("<em>Zinnober</em>");
    const filtered = await anybody.search({ q: "zinnober", filters: { instrument: [instrument!.key] }, facets: false });
    expect([filtered.hits.total, filtered.aggregations]).toEqual([7, undefined]);
  });

  it("gives all hits, a page at a time", async () => {
    const found: string[] = [];
    for await (const { id } of anybody.model("itc").all({ q: "zinnober", size: 2, sort: "oldest" })) found.push(id);
    expect(found).toEqual(ids);
    const models = new Set<string>();
    for await (const record of anybody.all({ size: 3 })) models.add(record.model);
    expect(models).toContain("itc");
  });

  it("asks for no more pages than are used", async () => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      asked.push(String(input));
      return globalThis.fetch(input, init);
    };
    const client = createClient({ url: bindery.url, fetch });
    for await (const _ of client.all({ q: "zinnober", size: 2 })) break;
    expect(asked).toHaveLength(1);
  });

  it("gives its whole result in one request, as records and as the text of a table", async () => {
    const itc = anybody.model("itc");
    const found: string[] = [];
    for await (const record of itc.stream({ q: "title:zinnober", sort: "oldest" })) {
      found.push(record.id);
      expect(record.metadata.general_parameters.record_information.title).toMatch(/^Zinnober heat/);
    }
    expect(found).toEqual(ids);
    const own: string[] = [];
    for await (const { id } of ada.mine.stream({ q: "title:zinnober", state: "published" })) own.push(id);
    expect(own.toSorted()).toEqual(ids.toSorted());

    let text = "";
    const wanted = { fields: ["id", "type", "temperature"], rows: "results", units: { temperature: "K" } };
    for await (const piece of itc.csv({ q: "title:zinnober", sort: "oldest", ...wanted })) text += piece;
    const [head, ...lines] = text.trimEnd().split("\r\n");
    expect(head).toBe("id,type,temperature,temperature_unit");
    expect([...new Set(lines.map((line) => line.split(",")[0]))]).toEqual(ids);
    expect(lines[0]).toMatch(/,K$/);

    const refused = await failureOf(itc.csv({ fields: ["nothing"] }).next());
    expect(refused).toMatchObject({ status: 400, code: "PARAMETER_INVALID", errors: [{ field: "fields" }] });
  });

  it("of one's own finds drafts too", async () => {
    const draft = await ada.model("itc").deposit(example("itc", "Zinnober heat, not done"));
    const own = await ada.model("itc").mine.search({ q: "title:zinnober", state: "draft" });
    expect(own.hits.hits.map(({ id }) => id)).toEqual([draft.id]);
    expect((await ada.mine.search({ q: "title:zinnober", isDraft: false })).hits.total).toBe(7);
    const all: string[] = [];
    for await (const { id } of ada.mine.all({ q: "title:zinnober", size: 3, allVersions: true })) all.push(id);
    expect(all).toHaveLength(8);
    await expect(anybody.mine.search()).rejects.toMatchObject({ status: 401, code: "TOKEN_MISSING" });
  });

  it("with a bad parameter says which", async () => {
    const refused = await failureOf(anybody.search({ size: 5_000 }));
    expect(refused).toMatchObject({ status: 400, code: "PAGE_SIZE_TOO_LARGE", errors: [{ field: "size" }] });
  });
});

describe("a vocabulary", () => {
  it("is listed, searched, and gives items by id, by alias and as one types", async () => {
    const listed = await anybody.vocabularies();
    expect(listed.find(({ id }) => id === "organisms")).toMatchObject({ id_pattern: expect.any(String) });
    const organisms = anybody.vocabulary("organisms");
    const coli = await organisms.get("taxid:562");
    expect(coli).toMatchObject({ title: { en: "Escherichia coli" }, props: { rank: "species" } });
    expect(coli.ancestors?.length).toBeGreaterThan(2);
    expect((await organisms.suggest("escher", { size: 3 }))[0]).toMatchObject({
      matched: { text: expect.any(String) },
    });
    expect((await organisms.search({ q: "coli", filters: { rank: "species" } })).hits.total).toBeGreaterThan(0);
    const below: string[] = [];
    for await (const { id } of organisms.all({ ancestor: "taxid:561", size: 5 })) below.push(id);
    expect(below).toContain("taxid:562");
    expect((await anybody.vocabulary("languages").get("eng")).id).toBe("en");
  });

  it("gives any number of items, and names ids that no item has", async () => {
    const languages = anybody.vocabulary("languages");
    const known: string[] = [];
    for await (const { id } of languages.all({ size: 20 })) known.push(id);
    expect(known.length).toBeGreaterThan(40);
    const missing = Array.from({ length: 450 }, (_, n) => `q${n}`);
    // Some of the known ones in each of the requests that this takes.
    const asked = missing.flatMap((id, n) => (n % 10 === 0 ? [id, known[n / 10] ?? "eng"] : [id]));
    const { terms, unknown } = await languages.getMany([...asked, asked[1]!]);
    const found = [...new Set(asked.filter((id) => !id.startsWith("q")).map((id) => (id === "eng" ? "en" : id)))];
    expect(terms.map(({ id }) => id)).toEqual(found);
    expect(unknown).toEqual(missing);
    expect(await languages.getMany([])).toEqual({ terms: [], unknown: [] });
  });

  it("takes new items, changes and removals", async () => {
    const products = ada.vocabulary("products");
    const [some] = (await products.search({ size: 1 })).hits.hits;
    const prefix = some!.id.split(":")[0];
    const made = await products.create({ id: `${prefix}:99001`, title: { en: "Oat drink" }, synonyms: ["Oat milk"] });
    expect(made).toMatchObject({ revision_id: 1, synonyms: [{ name: "Oat milk" }] });
    const curated = cora.vocabulary("products");
    const changed = await curated.replace(made.id, { ...made, title: { en: "Oat beverage" } }, { revision: 1 });
    expect([changed.title.en, changed.revision_id]).toEqual(["Oat beverage", 2]);
    await expect(curated.remove(made.id, { revision: 1 })).rejects.toMatchObject({ code: "REVISION_STALE" });
    await curated.remove(made.id, { revision: 2 });
    await expect(products.get(made.id)).rejects.toMatchObject({ status: 410, code: "TERM_GONE" });
  });
});

describe("a model", () => {
  it("is listed, and gives its schema", async () => {
    expect((await anybody.models()).map(({ id }) => id)).toEqual(BUILT_IN_MODELS);
    const kept = await anybody.model("mst").schema();
    expect(kept).toMatchObject({ type: "object", $defs: expect.any(Object) });
    const resolved = await anybody.model("mst").schema({ refs: "resolved" });
    expect(JSON.stringify(resolved)).not.toContain('"$ref"');
  });
});

it("sends anything else of the interface, with the same token and errors", async () => {
  const tokens = await ada.send<{ hits: { total: number } }>("GET", "/api/user/tokens", { query: { size: 1 } });
  expect(tokens.hits.total).toBe(1);
  await expect(ada.send("GET", "/api/nowhere")).rejects.toMatchObject({ status: 404, code: "PATH_NOT_FOUND" });
});
