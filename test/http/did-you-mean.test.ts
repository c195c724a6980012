/** Queries that are named where a query found nothing. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, importItems, publish, recordWith } from "../support/deposit.js";
import type { SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
let alice: TestUser;
let bob: TestUser;

beforeAll(async () => {
  bindery = await startService();
  [alice, bob] = [await bindery.user("alice"), await bindery.user("bob")];
  const instrument = { instrument: { id: "ins:2" } };
  await publish(alice.client, recordWith(1, instrument, { title: "Lysozyme binding to serum albumin" }));
  await publish(alice.client, recordWith(2, instrument, { title: "Lysozyme in sodium chloride" }));
  await publish(alice.client, recordWith(3, instrument, { title: "Streptavidin and biotin, with albumen" }));
  await deposit(bob.client, recordWith(4, {}, { title: "Quixotrope" }));
  await publish(alice.client, recordWith(5, {}, { title: "Nanobodies" }));
  await publish(alice.client, recordWith(6, {}, { title: "A nanobody" }));
  await publish(alice.client, recordWith(7, {}, { title: "Another nanobody" }));
  await importItems(bindery, "organisms", [{ id: "taxid:1773", title: { en: "Mycobacterium tuberculosis" } }]);
});
afterAll(() => bindery.dispose());

async function search(parameters: Record<string, string>, path = "/api/search/", client = bindery.client) {
  const { status, body, text } = await client.get<SearchBody>(`${path}?${new URLSearchParams(parameters)}`);
  expect(status, text.slice(0, 300)).toBe(200);
  return body;
}

/** An answer waits a second for them and no longer, so on a busy machine the first ones may be without: ask again. */
const suggestions = async (...args: Parameters<typeof search>) => (await search(...args)).query.suggestions;

describe.each(["/api/search/", "/api/records/mst/"])("%s", (path) => {
  it.each<[string, string[]]>([
    ["lyzozyme", ["lysozyme"]],
    ["lyszoyme binding", ["lysozyme binding"]],
    ["strptavidine", ["streptavidin"]],
    ["lyzozyme strptavidin OR wxyzwxyz", []],
    ["lyzozyme OR wxyzwxyz", ["lysozyme OR wxyzwxyz"]],
    ["lyzozyme OR strptavidin", ["lysozyme OR streptavidin"]],
    ["lyzozyme alpumin", ["lysozyme albumin"]],
    ["title:lyzozyme -ph:2", ["title:lysozyme AND NOT ph:2"]],
    ['"serum albumim"', ['"serum albumin"']],
    ["serun-albumin", ["serum-albumin"]],
    ["sodiumchloride lysozyme", ['"sodium chloride" lysozyme']],
    ["lyso zyme binding", ["lysozyme binding"]],
    ["chemical_environments:(solvent:(conzentration.value:* OR nonsensical))", []],
    ["albumon", ["albumin", "albumen"]],
    ["albumem", ["albumen"]],
    ["qqqqqqq", []],
    ["streptavidins", ["streptavidin"]],
    ["title:biotins", ["title:biotin"]],
    ["technique:streptavidin", ["streptavidin"]],
    ["technique: lysozyme binding", ["lysozyme binding"]],
    ["title:qqqqqqq", []],
    ["bio", []],
    ["lysozyme -lysozyme", []],
    ["streptavidin binding", []],
    ["pdb:9zzz", []],
    ["lyzozyme*", []],
  ])("answers %s", async (q, expected) => {
    const body = await search({ q }, path);
    expect(body.hits.total).toBe(0);
    if (expected.length === 0) expect(body.query).not.toHaveProperty("suggestions");
    else await expect.poll(async () => (await suggestions({ q }, path))?.toSorted()).toEqual(expected.toSorted());
    for (const text of expected) expect((await search({ q: text }, path)).hits.total).toBeGreaterThan(0);
  });

  it("says nothing where something was found, or nothing was asked", async () => {
    expect((await search({ q: "lysozyme OR lyzozyme" }, path)).query).not.toHaveProperty("suggestions");
    expect((await search({ q: "" }, path)).query).not.toHaveProperty("suggestions");
  });

  it("mends what was typed as suggest", async () => {
    await expect.poll(() => suggestions({ suggest: "lyzozyme bin" }, path)).toEqual(["lysozyme bin"]);
    await expect.poll(() => suggestions({ suggest: "binding lyzozyme" }, path)).toEqual(["binding lysozyme"]);
  });
});

it("names the other number of a word that finds little, where that finds twice as much", async () => {
  await expect.poll(() => suggestions({ q: "nanobodies" })).toEqual(["nanobody"]);
  await expect.poll(() => suggestions({ q: "title:nanobodies" })).toEqual(["title:nanobody"]);
  expect(await suggestions({ q: "nanobody" })).toBeUndefined();
  expect(await suggestions({ q: "nanobodies", instrument: "ins:2" })).toBeUndefined();
  expect((await search({ q: "nanobodies" })).hits.total).toBe(1);
});

it("names a word of a draft to its owner only", async () => {
  const q = "quixotropes";
  expect(await suggestions({ q })).toBeUndefined();
  expect(await suggestions({ q }, "/api/search/", bob.client)).toBeUndefined();
  expect(await suggestions({ q }, "/api/user/search/", alice.client)).toBeUndefined();
  await expect.poll(() => suggestions({ q }, "/api/user/search/", bob.client)).toEqual(["quixotrope"]);
  await expect.poll(() => suggestions({ q: "quixotropes OR lyzozyme" })).toEqual(["quixotropes OR lysozyme"]);
});

it("keeps to the filters, and says nothing where they are the reason", async () => {
  await expect.poll(() => suggestions({ q: "lyzozyme", instrument: "ins:2" })).toEqual(["lysozyme"]);
  expect(await suggestions({ q: "lyzozyme", instrument: "ins:1" })).toBeUndefined();
  expect(await suggestions({ q: "lysozyme", instrument: "ins:1" })).toBeUndefined();
  const path = "/api/user/search/";
  await expect
    .poll(() => suggestions({ q: "quixotropes", is_draft: "true" }, path, bob.client))
    .toEqual(["quixotrope"]);
  expect(await suggestions({ q: "quixotropes", is_published: "true" }, path, bob.client)).toBeUndefined();
});

it("works in vocabularies", async () => {
  const path = "/api/vocabularies/organisms";
  await expect.poll(() => suggestions({ q: "Mycobakterium" }, path)).toEqual(["mycobacterium"]);
  await expect
    .poll(() => suggestions({ q: "title:mycobakterium tuberculosis" }, path))
    .toEqual(["title:mycobacterium AND tuberculosis"]);
  expect(await suggestions({ q: "mycobakterium", parent: "taxid:562" }, path)).toBeUndefined();
  expect(await suggestions({ q: "lyzozyme" }, path)).toBeUndefined();
});
