import { afterAll, beforeAll, expect, it } from "vitest";
import { BROWSER, linksOf, startDemo, textOf } from "../../test/support/demo-server.js";
import type { InProcessServer } from "../../test/support/in-process-server.js";
import { OPERATOR } from "../core/actor.js";

let server: InProcessServer;
beforeAll(async () => {
  server = await startDemo();
}, 180_000);
afterAll(() => server.close());

const get = (url: string) => server.app.inject({ url, headers: BROWSER });
const page = async (url: string): Promise<string> => {
  const { statusCode, body } = await get(url);
  expect(statusCode, url).toBe(200);
  return body;
};

/** Returns the section of a page with an id. */
const section = (body: string, id: string): string =>
  `<main>${new RegExp(`<section id="${id}".*?</section>`, "s").exec(body)![0]}</main>`;

async function findRecord(q: string): Promise<string> {
  const answer = await server.app.inject(`/api/search?size=1&facets=none&q=${encodeURIComponent(q)}`);
  return answer.json<{ hits: { hits: [{ id: string }] } }>().hits.hits[0].id;
}

const LYSOZYME = "/molecules/uniprot:P00698";

it("shows a protein with its names, organism, partners and results, the best first", async () => {
  const body = await page(LYSOZYME);
  expect(body).toContain("<h1>Hen egg-white lysozyme</h1>");
  expect(textOf(section(body, "facts"))).toMatch(
    /Also called Lysozyme C.*Other ids pdb:1LYZ.*Organism Gallus gallus \(9\)/s,
  );
  expect(textOf(section(body, "partners"))).toMatch(/Best KD \(nM\) .*HyHEL-10 1 0\.03 /);
  expect(textOf(section(body, "results"))).toMatch(/With KD \(nM\) .*HyHEL-10 0\.03 /s);
  const charts = section(body, "charts");
  expect(charts).toContain("Distribution of <i>K</i><sub>D</sub>");
  expect(textOf(charts)).toMatch(/1 pM 1 nM 1 µM 1 mM/);
  expect(linksOf(body)).toEqual(
    expect.arrayContaining([
      "https://www.uniprot.org/uniprotkb/P00698",
      "../search?molecule=uniprot%3AP00698",
      "../molecules/pdb:1LYZ",
      "../vocabularies/organisms/taxid:9031",
    ]),
  );
});

it("draws a compound, and finds all compounds with its skeleton", async () => {
  const warfarin = await page("/molecules/inchikey:PJVWKTKQMONHTI-UHFFFAOYSA-N");
  expect(warfarin).toContain('<img class="structure"');
  expect(textOf(section(warfarin, "partners"))).toContain("Human serum albumin 1 4.2 ± 0.3 µM");
  const block = await page("/molecules/inchikey:PJVWKTKQMONHTI");
  expect(textOf(block)).toMatch(/Also called .*\(S\)-Warfarin/);
  expect(linksOf(block)).toContain("../search?q=molecule%3A%22inchikey%3APJVWKTKQMONHTI%22");
});

it("redirects other forms of an id, and helps with unknown ones", async () => {
  const moved = await get("/molecules/P00698-1");
  expect([moved.statusCode, moved.headers.location]).toEqual([
    301,
    expect.stringMatching(/molecules\/uniprot:P00698$/),
  ]);
  const unknown = await get("/molecules/lysozyme");
  expect(unknown.statusCode).toBe(404);
  expect(linksOf(unknown.body)).toEqual(
    expect.arrayContaining(["../molecules/uniprot:P00698", "../search?q=lysozyme"]),
  );
});

it("is linked from records, cards and terms", async () => {
  const body = await page(`/records/${await findRecord('title:"Lysozyme binds the antibody HyHEL-10"')}`);
  const links = body.match(/href="\.\.\/molecules\/uniprot:P00698"/g);
  // In the head, in the card, and below other records.
  expect(links).toHaveLength(3);
  const term = await page("/vocabularies/chemicals/inchikey:PJVWKTKQMONHTI-UHFFFAOYSA-N");
  expect(linksOf(term)).toContain("../../molecules/inchikey:PJVWKTKQMONHTI-UHFFFAOYSA-N");
});

it("lists up to five other records of the same molecules on the page of a record, without its versions", async () => {
  const search = await server.app.inject("/api/search?q=molecule:P02768&size=20&facets=none");
  const ids = search.json<{ hits: { hits: { id: string }[] } }>().hits.hits.map(({ id }) => id);
  const warfarin = await findRecord('title:"Warfarin binds human serum albumin"');
  const more = section(await page(`/records/${warfarin}`), "more");
  const listed = linksOf(more).flatMap((link) => /records\/([\w-]+)$/.exec(link)?.[1] ?? []);
  expect(listed).toHaveLength(5);
  expect(listed).not.toContain(warfarin);
  expect(listed.filter((id) => !ids.includes(id))).toEqual([]);
  expect(textOf(more)).toMatch(/KD [\d.]+ /);
});

it("completes molecules by their names", async () => {
  const answer = await server.app.inject("/api/query?q=molecule:albu&at=13");
  const { completions } = answer.json<{ completions: { label: string; detail: string; insert: string }[] }>();
  expect(completions[0]).toMatchObject({
    label: "Human serum albumin",
    insert: '"uniprot:P02768"',
    detail: "uniprot:P02768",
  });
});

it("keeps the cited compound and its structure after it was merged, and says what it is now", async () => {
  const [old, into] = ["UHFFFAOYSA", "HNNXBMFYSA"].map((block) => `inchikey:PJVWKTKQMONHTI-${block}-N`) as [
    string,
    string,
  ];
  const at = `/records/${await findRecord('title:"Warfarin binds human serum albumin"')}`;
  await server.services.mergeTerm(OPERATOR, { vocabulary: "chemicals", id: old }, JSON.stringify({ into }));
  const body = await page(at);
  expect(textOf(body)).toContain("(now: (S)-Warfarin )");
  const picture = new RegExp(`src="([^"]*${old}/structure\\.svg\\?v=\\d+)"`).exec(body)![1]!;
  const drawn = await server.app.inject(picture.replace("..", ""));
  expect([drawn.statusCode, drawn.headers["content-type"]]).toEqual([200, expect.stringContaining("image/svg+xml")]);
  // Without its revision, the picture is that of the present term.
  const moved = await server.app.inject(`/api/vocabularies/chemicals/${old}/structure.svg`);
  expect([moved.statusCode, moved.headers.location]).toEqual([301, expect.stringContaining(into)]);
  expect((await get(`/molecules/${old}`)).headers.location).toContain(into);
});
