/** Numbers and identifiers as people cite and paste them find the same as ours, in records and in vocabularies. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, importItems, publish, recordWith } from "../support/deposit.js";
import { polymer } from "../support/entities.js";
import type { ItemShape, RecordShape, SearchBody } from "../support/http-client.js";
import { type Service, startService } from "../support/service.js";

const grant = (n: number, title: string, grant_id: string, funder_name: string) => ({
  id: `oa:test________::${String(n).padStart(32, "0")}`,
  title: { en: title },
  props: { funder_name, grant_id },
});
const NIH = grant(1, "A project of the NIH", "5R01AR965953-03", "National Institutes of Health");
const DFG = grant(2, "A research unit", "KFO 250", "Deutsche Forschungsgemeinschaft");
const OTHER = grant(3, "Another research unit", "FOR2625", "Deutsche Forschungsgemeinschaft");
const MOSBRI = "oa:corda__h2020::f219b1de6eeb4e5c5b2ad39010832d79";

let bindery: Service;
let alice: TestUser;
/** Ids of the records, by what they hold. */
const records: Record<string, string> = {};

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
  await importItems(bindery, "grants", [NIH, DFG, OTHER]);
  const entities = (external: string, organism: string) => [
    { ...polymer("entity-serum", "S", organism), external_databases: [external] },
    polymer("entity-assembly", "A", organism),
  ];
  const publishWith = async (name: string, general: object) => {
    const number = Object.keys(records).length + 1;
    const parts = {
      funding_references: undefined,
      entities_of_interest: entities("Uniprot:P69905", "taxid:562"),
      ...general,
    };
    records[name] = (await publish(alice.client, recordWith(number, parts, { title: `Record ${number}` }))).id;
  };
  await publishWith("nih", { funding_references: [{ id: NIH.id }] });
  await publishWith("dfg", { funding_references: [{ id: DFG.id }] });
  await publishWith("for", { funding_references: [{ id: OTHER.id }] });
  await publishWith("eu", { funding_references: [{ id: MOSBRI }] });
  await publishWith("human", { entities_of_interest: entities("Uniprot:P00698", "taxid:9606") });
});
afterAll(() => bindery.dispose());

async function search<Hit extends { readonly id: string }>(path: string, name: string, text: string) {
  const { body } = await bindery.client.get<SearchBody<Hit>>(
    `${path}?${name}=${encodeURIComponent(text)}&highlight=true`,
  );
  return body.hits.hits.map(({ id }) => id);
}

const NUMBERS = [
  ["5R01AR965953-03", "nih", NIH.id],
  ["R01AR965953", "nih", NIH.id],
  ["r01ar965953", "nih", NIH.id],
  ["R01 AR965953", "nih", NIH.id],
  ["R01-AR965953", "nih", NIH.id],
  ["R01 AR965953-03", "nih", NIH.id],
  ["5 R01 AR965953-03", "nih", NIH.id],
  ["5 R01 AR965953", "nih", NIH.id],
  ["R01AR965953-03", "nih", NIH.id],
  ["1R01AR965953-01A1", "nih", NIH.id],
  ["AR965953", "nih", NIH.id],
  ["KFO 250", "dfg", DFG.id],
  ["KFO250", "dfg", DFG.id],
  ["kfo-250", "dfg", DFG.id],
  ["FOR2625", "for", OTHER.id],
  ["FOR 2625", "for", OTHER.id],
  ["101004806", "eu", MOSBRI],
  ["101 004 806", "eu", MOSBRI],
  ["101\u202f004\u202f806", "eu", MOSBRI],
  ["101.004.806", "eu", MOSBRI],
  ["https://cordis.europa.eu/project/id/101004806", "eu", MOSBRI],
] as const;

describe("a grant by its number", () => {
  it.each(NUMBERS)("%s", async (text, record, term) => {
    expect(await search<RecordShape>("/api/search/", "q", text)).toEqual([records[record]]);
    expect(await search<RecordShape>("/api/search/", "q", `grant:(${text})`)).toEqual([records[record]]);
    expect((await search<ItemShape>("/api/vocabularies/grants", "q", text))[0]).toBe(term);
    expect((await search<ItemShape>("/api/vocabularies/grants", "suggest", text))[0]).toBe(term);
    const draft = await deposit(alice.client, {
      metadata: { general_parameters: { funding_references: [{ id: text }] } },
    });
    expect(draft.errors!.find(({ value }) => value === text)!.nearest![0]).toMatchObject({ id: term });
  });

  it.each(["101 004 806", "KFO250", "R01AR965953"])("%s, as it is typed", async (text) => {
    expect(await search<RecordShape>("/api/search/", "suggest", text)).toHaveLength(1);
  });

  it.each(["R01AR965954", "KFO251", "101 004 807", "250 101"])("not by another: %s", async (text) => {
    expect(await search<RecordShape>("/api/search/", "q", text)).toEqual([]);
  });
});

const HUMAN = [
  "taxid:9606",
  "NCBITaxon:9606",
  "ncbitaxon:9606",
  "taxonomy:9606",
  "NCBI:txid9606",
  "txid9606",
  "https://www.ncbi.nlm.nih.gov/Taxonomy/Browser/wwwtax.cgi?id=9606",
  "https://www.ncbi.nlm.nih.gov/Taxonomy/Browser/wwwtax.cgi?mode=Info&id=9606&lvl=3&lin=f",
  "www.ncbi.nlm.nih.gov/Taxonomy/Browser/wwwtax.cgi?id=9606",
  "https://www.ncbi.nlm.nih.gov/datasets/taxonomy/9606/",
  "https://www.ncbi.nlm.nih.gov/taxonomy/9606",
  "http://purl.obolibrary.org/obo/NCBITaxon_9606",
  "https://identifiers.org/taxonomy:9606",
  "<https://identifiers.org/taxonomy:9606>",
  "https://identifiers.org/taxonomy/9606",
  "https://identifiers.org/ncbi/taxonomy:9606",
  "https://bioregistry.io/ncbitaxon:9606",
  "https://www.uniprot.org/taxonomy/9606",
  "http://purl.uniprot.org/taxonomy/9606",
];

describe("an organism by the address or the prefix of another register", () => {
  it.each(HUMAN)("%s", async (text) => {
    const fields = text.startsWith("<") ? [] : [`organism:${text}`, `organism.within:${text}`];
    for (const q of [text, ...fields]) {
      expect(await search<RecordShape>("/api/search/", "q", q), q).toEqual([records.human]);
    }
    expect((await search<ItemShape>("/api/vocabularies/organisms", "q", text))[0]).toBe("taxid:9606");
    const source_organism = { id: text };
    const sent = { metadata: { general_parameters: { entities_of_interest: [{ type: "Polymer", source_organism }] } } };
    const issue = (await deposit(alice.client, sent)).errors?.find(({ value }) => value === text);
    if (text !== "taxid:9606") expect(issue!.nearest![0]).toMatchObject({ id: "taxid:9606" });
  });
});

describe("a protein by its accession", () => {
  it.each([
    "P00698",
    "uniprot:P00698",
    "UniProtKB:P00698",
    "https://www.uniprot.org/uniprotkb/P00698",
    "https://www.uniprot.org/uniprotkb/P00698/entry",
    "https://www.uniprot.org/uniprot/P00698#function",
    "http://purl.uniprot.org/uniprot/P00698",
    "https://rest.uniprot.org/uniprotkb/P00698.fasta",
    "https://identifiers.org/uniprot:P00698",
    "<https://identifiers.org/uniprot/P00698>",
    '"https://www.uniprot.org/uniprotkb/P00698/entry"',
  ])("%s", async (text) => {
    expect(await search<RecordShape>("/api/search/", "q", text)).toEqual([records.human]);
  });
});

describe("a compound by the address of another register", () => {
  it.each([
    "https://pubchem.ncbi.nlm.nih.gov/compound/2519",
    "https://pubchem.ncbi.nlm.nih.gov/compound/2519#section=Names",
    "https://pubchem.ncbi.nlm.nih.gov/compound/Caffeine",
    "https://identifiers.org/pubchem.compound:2519",
    "https://identifiers.org/inchikey:RYYVLZVUVIJVGH-UHFFFAOYSA-N",
    "InChIKey=RYYVLZVUVIJVGH-UHFFFAOYSA-N",
    "PubChem:2519",
  ])("%s", async (text) => {
    const found = await search<ItemShape>("/api/vocabularies/chemicals", "q", text);
    expect(found[0]).toBe("inchikey:RYYVLZVUVIJVGH-UHFFFAOYSA-N");
  });
});

describe("an organisation by its addresses", () => {
  it.each(["https://ror.org/024d6js02", "<https://ror.org/024d6js02>", "https://identifiers.org/ror:024d6js02"])(
    "%s",
    async (text) => {
      expect((await search<ItemShape>("/api/vocabularies/affiliations", "q", text))[0]).toBe("ror:024d6js02");
    },
  );
});
