import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type DumpFolder, entriesOf, itemsOf, makeDumpFolder, reasonsOf } from "../../test/support/dumps.js";
import { makeTar } from "../../test/support/make-archive.js";
import { openaire } from "./openaire.js";

let dumps: DumpFolder;
beforeAll(() => {
  dumps = makeDumpFolder();
});
afterAll(() => dumps.dispose());

const ID = "corda__h2020::f219b1de6eeb4e5c5b2ad39010832d79";
const FUNDER = { name: "European Commission", shortName: "EC", jurisdiction: "EU" };
const [TITLE, ACRONYM] = ["MOlecular-Scale Biophysics Research Infrastructure", "MOSBRI"];
/** As dumps up to 2021 write a project, and as later ones do. */
const OLDER = {
  id: ID,
  code: "101004806",
  acronym: ACRONYM,
  title: TITLE,
  funding: [{ ...FUNDER, funding_stream: { id: "EC::H2020::RIA", description: "RIA" } }],
};
const NEWER = {
  id: `40|${ID}`,
  code: "101004806",
  acronym: ACRONYM,
  title: TITLE,
  startDate: "2021-07-01",
  fundings: [{ ...FUNDER, fundingStream: { id: "EC::H2020::RIA", description: "RIA" } }],
};
const ITEM = {
  id: `oa:${ID}`,
  title: { en: TITLE },
  synonyms: [{ name: ACRONYM, kind: "acronym" }],
  props: { funder_name: "European Commission", grant_id: "101004806" },
  status: "active",
  replaced_by: null,
};
const lines = (...projects: readonly object[]) => projects.map((each) => `${JSON.stringify(each)}\n`).join("");

it("reads both spellings alike, as lines, packed lines, and a tar of parts", async () => {
  for (const path of [
    dumps.file("projects.ndjson", lines(OLDER)),
    dumps.file("project.json.gz", gzipSync(lines(NEWER))),
    dumps.file(
      "project.tar",
      makeTar({ "project/part-00000.json.gz": gzipSync(lines(NEWER)), "project/_SUCCESS": "" }),
    ),
    dumps.folder({ "part-00000.txt": lines(OLDER) }),
  ]) {
    expect(await entriesOf(openaire, path)).toEqual([expect.objectContaining({ line: 1, item: ITEM })]);
  }
});

it("titles a project without a title by its acronym or code, and takes the first of several funders", async () => {
  const entries = await entriesOf(
    openaire,
    dumps.file(
      "projects.json",
      lines(
        { ...OLDER, title: " ", funding: [{ shortName: "WT" }, FUNDER] },
        { id: "wt__________::0123", code: "160564869 / KFO 250", funding: [] },
      ),
    ),
  );
  expect(Object.values(itemsOf(entries))).toMatchObject([
    { title: { en: ACRONYM }, synonyms: [], props: { funder_name: "WT" } },
    { title: { en: "160564869 / KFO 250" }, props: { funder_name: null, grant_id: "160564869 / KFO 250" } },
  ]);
});

it("names the file and line of what is no project", async () => {
  const tar = makeTar({
    "project/part-1.json": lines(OLDER),
    "project/part-2.json": `${lines(NEWER)}{"code": 1}\n{"id`,
  });
  expect(reasonsOf(await entriesOf(openaire, dumps.file("project.tar", tar)))).toEqual([
    'project/part-2.json:2: "id" is missing; is this a file of OpenAIRE projects?',
    expect.stringMatching(/^project\/part-2\.json:3: it is not valid JSON/),
  ]);
});
