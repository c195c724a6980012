import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, PUBLIC_URL, startInProcess } from "../../test/support/in-process-server.js";

const CHEMICALS = "/api/vocabularies/chemicals";
const WATER = `${CHEMICALS}/inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N`;
const IMMUTABLE = "public, max-age=31536000, immutable";
/** What browsers send for an `<img>`. */
const IMAGE = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";

let server: InProcessServer;
let curator: Record<string, string>;

const get = (url: string, headers: object = {}) => server.app.inject({ url, headers: { ...headers } });
const write = (method: "POST" | "PUT", url: string, payload: object) =>
  server.app.inject({ method, url, headers: curator, payload });

/** Adds a chemical that no structure is known of yet. @returns its path */
async function add(letters: string, more: object = {}): Promise<string> {
  const id = `inchikey:${letters.padEnd(14, "X")}-UHFFFAOYSA-N`;
  const answer = await write("POST", CHEMICALS, { id, title: letters, ...more });
  expect(answer.statusCode, answer.body).toBe(201);
  return `${CHEMICALS}/${id}`;
}

beforeAll(async () => {
  server = await startInProcess();
  const token = await server.token("cleo", { role: "curator", scopes: ["vocabularies:write"] });
  curator = { authorization: `Bearer ${token}` };
});
afterAll(() => server.close());

describe("the structure of a term", () => {
  it("is a picture that is asked for again each time, by its content", async () => {
    const answer = await get(`${WATER}/structure.svg`, { accept: IMAGE });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers).toMatchObject({ "content-type": "image/svg+xml", "cache-control": "public, no-cache" });
    expect(answer.body).toMatch(/^<svg /);
    const again = await get(`${WATER}/structure.svg`, { "if-none-match": answer.headers.etag });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  it("never changes at the address with the revision, which the term links to", async () => {
    const { links, revision_id } = (await get(WATER)).json();
    expect(links.structure).toBe(`${PUBLIC_URL}${WATER}/structure.svg?v=${revision_id}`);
    const address = links.structure.slice(PUBLIC_URL.length);
    for (const _ of ["made", "kept"]) expect((await get(address)).headers["cache-control"]).toBe(IMMUTABLE);
    const later = await get(`${WATER}/structure.svg?v=${revision_id + 1}`);
    expect(later.headers["cache-control"]).toBe("public, no-cache");
    expect((await get(`${WATER}/structure.svg?v=new`)).statusCode).toBe(400);
  });

  it("is linked from all lists of terms, and only where there is one", async () => {
    const bare = await add("BARE");
    expect((await get(bare)).json().links).not.toHaveProperty("structure");
    const linked = (text: string): boolean => text.includes(`${WATER}/structure.svg?v=1`);
    const lists = ["q=water", "ids=inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N", "q=water&format=ndjson"];
    for (const list of lists) expect(linked((await get(`${CHEMICALS}?${list}`)).body), list).toBe(true);
    const { links } = (await get("/api/vocabularies/organisms/taxid:562")).json();
    expect(Object.keys(links)).toEqual(["self", "self_html", "citations"]);
  });

  it("follows each change of the term at once", async () => {
    const path = await add("CHANGING", { props: { smiles: "CCO" } });
    const before = await get(`${path}/structure.svg?v=1`);
    expect(before.headers["cache-control"]).toBe(IMMUTABLE);
    const changed = await write("PUT", path, { title: "Changing", props: { smiles: "CCN" } });
    expect(changed.json().links.structure).toMatch(/\/structure\.svg\?v=2$/);
    const after = await get(`${path}/structure.svg?v=1`);
    expect([after.statusCode, after.headers["cache-control"]]).toEqual([200, "public, no-cache"]);
    expect(after.body).not.toBe(before.body);
    await write("PUT", path, { title: "Changing" });
    expect((await get(`${path}/structure.svg?v=1`)).statusCode).toBe(404);
  });

  it("is where the term lives now", async () => {
    const path = await add("OLD", { status: "deprecated", replaced_by: WATER.slice(CHEMICALS.length + 1) });
    const { statusCode, headers } = await get(`${path}/structure.svg`);
    expect([statusCode, headers.location]).toEqual([301, `${PUBLIC_URL}${WATER}/structure.svg`]);
  });

  it("is found by its whole text, and its letters are no words", async () => {
    const idsOf = async (q: string) =>
      (await get(`${CHEMICALS}?q=${encodeURIComponent(q)}`)).json().hits.hits.map(({ id }: { id: string }) => id);
    const caffeine = ["inchikey:RYYVLZVUVIJVGH-UHFFFAOYSA-N"];
    expect(await idsOf('smiles:"Cn1cnc2c1c(=O)n(C)c(=O)n2C"')).toEqual(caffeine);
    expect(await idsOf("smiles:Cn1cnc2c1c")).toEqual([]);
    expect(await idsOf("cn1cnc2c1c")).toEqual([]);
  });
});

describe("no structure", () => {
  it.each([
    ["chemicals", "NONE", {}, 'it has no text in "smiles"'],
    ["chemicals", "BLANK", { props: { smiles: " " } }, 'it has no text in "smiles"'],
    [
      "chemicals",
      "WRONG",
      { props: { smiles: "C1CC(" } },
      "its SMILES is cut: the bracket at character 5 is not closed",
    ],
    ["chemicals", "LARGE", { props: { smiles: "C".repeat(201) } }, "it has more than 200 atoms"],
  ])("of %s %s", async (vocabulary, letters, more, reason) => {
    const path = await add(letters, more);
    const answer = await get(`${path}/structure.svg`);
    expect(answer.json()).toMatchObject({ status: 404, code: "STRUCTURE_NOT_FOUND" });
    const id = path.slice(CHEMICALS.length + 1);
    expect(answer.json().message).toBe(`The structure of "${id}" of ${vocabulary} cannot be drawn: ${reason}.`);
  });

  it("of a term of a vocabulary that declares none, or that is not there", async () => {
    const organism = (await get("/api/vocabularies/organisms/taxid:562/structure.svg")).json();
    expect(organism).toMatchObject({ status: 404, code: "STRUCTURE_NOT_FOUND" });
    expect(organism.message).toMatch(/this vocabulary declares no structures\.$/);
    expect((await get(`${CHEMICALS}/inchikey:none/structure.svg`)).json().code).toBe("TERM_NOT_FOUND");
    expect((await get(`${CHEMICALS}/${"x".repeat(513)}/structure.svg`)).json().code).toBe("TERM_NOT_FOUND");
    expect((await get("/api/vocabularies/none/x/structure.svg")).json().code).toBe("VOCABULARY_NOT_FOUND");
  });
});
