import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DumpFolder, entriesOf, itemsOf, makeDumpFolder, reasonsOf } from "../../test/support/dumps.js";
import { chebi } from "./chebi.js";
import { pubchem } from "./pubchem.js";

let dumps: DumpFolder;
beforeAll(() => {
  dumps = makeDumpFolder();
});
afterAll(() => dumps.dispose());

/** Facts of PubChem (public domain). */
const ETHANOL = "LFQSCWFLJHTTHZ-UHFFFAOYSA-N";
const WATER = "XLYOFNOQVPJJNP-UHFFFAOYSA-N";
const INCHI = "InChI=1S/C2H6O/c1-2-3/h3H,2H2,1H3";
const EXTRAS = {
  "CID-InChI-Key": `702\t${INCHI}\t${ETHANOL}\n962\tInChI=1S/H2O/h1H2\t${WATER}\n`,
  "CID-Title": "702\tEthanol\n800\tnobody's\n962\tWater\n",
  "CID-IUPAC": "702\tethanol\n962\toxidane\n",
  "CID-SMILES": "702\tCCO\n962\tO\n",
  "CID-Mass": "702\tC2H6O\t46.041864811\t46.041864811\n",
  "CID-Synonym-filtered": "702\tethanol\n702\tEthyl alcohol\n702\tethyl alcohol\n702\t64-17-5\n702\t64-17-6\n",
  "README-Compound-Extras": "text",
};
const ETHANOL_ITEM = {
  id: `inchikey:${ETHANOL}`,
  title: { en: "Ethanol" },
  synonyms: [
    { name: "Ethyl alcohol", kind: "synonym" },
    { name: "64-17-6", kind: "synonym" },
  ],
  props: {
    chemical_formula: "C2H6O",
    additional_identifiers: ["cid:702", "cas:64-17-5"],
    smiles: "CCO",
    inchi: INCHI,
  },
};
const packed = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${name}.gz`, gzipSync(text)]));

describe("PubChem", () => {
  it("joins the tables of Compound/Extras, packed or not", async () => {
    const entries = await entriesOf(pubchem, dumps.folder(EXTRAS));
    expect(itemsOf(entries)[`inchikey:${ETHANOL}`]).toEqual(ETHANOL_ITEM);
    expect(itemsOf(entries)[`inchikey:${WATER}`]).toMatchObject({
      synonyms: [{ name: "oxidane", kind: "iupac" }],
      props: { additional_identifiers: ["cid:962"], smiles: "O" },
    });
    expect(await entriesOf(pubchem, dumps.folder(packed(EXTRAS)))).toEqual(entries);
  });

  it("takes those that were picked by CID or InChIKey", async () => {
    const folder = dumps.folder(EXTRAS);
    for (const id of ["962", WATER]) {
      expect(Object.keys(itemsOf(await entriesOf(pubchem, folder, { only: new Set([id]) })))).toEqual([
        `inchikey:${WATER}`,
      ]);
    }
  });

  it("reads SDF", async () => {
    const tag = (name: string, ...lines: string[]) => `> <PUBCHEM_${name}>\n${lines.join("\n")}\n\n`;
    const mol = "702\n  -OEChem-\n\n  9  8  0     0  0  0  0  0  0999 V2000\n    2.0   0.0   0.0 O\nM  END\n";
    const text = [
      mol,
      tag("COMPOUND_CID", "702"),
      tag("COORDINATE_TYPE", "1", "5", "255"),
      tag("IUPAC_NAME", "ethanol"),
      tag("IUPAC_TRADITIONAL_NAME", "ethyl alcohol"),
      tag("IUPAC_INCHI", INCHI),
      tag("IUPAC_INCHIKEY", ETHANOL),
      tag("MOLECULAR_FORMULA", "C2H6O"),
      tag("MOLECULAR_WEIGHT", "46.07"),
      tag("SMILES", "CCO"),
      "$$$$\n",
    ].join("");
    expect(itemsOf(await entriesOf(pubchem, dumps.file("Compound_1.sdf.gz", gzipSync(text))))).toEqual({
      [`inchikey:${ETHANOL}`]: {
        ...ETHANOL_ITEM,
        title: { en: "ethyl alcohol" },
        synonyms: [{ name: "ethanol", kind: "iupac" }],
        props: {
          chemical_formula: "C2H6O",
          molecular_weight: { value: 46.07, unit: "g/mol" },
          additional_identifiers: ["cid:702"],
          smiles: "CCO",
          inchi: INCHI,
        },
      },
    });
    const cut = text + text.slice(0, 300);
    expect(reasonsOf(await entriesOf(pubchem, dumps.file("a.sdf", cut)))).toEqual([
      expect.stringMatching(/^a\.sdf:\d+: the last compound does not end with \$\$\$\$/),
    ]);
  });

  it("reads both kinds of answers of PUG-REST", async () => {
    const prop = (label: string, name: string, value: object) => ({ urn: { label, name }, value });
    const whole = {
      PC_Compounds: [
        {
          id: { id: { cid: 702 } },
          props: [
            prop("IUPAC Name", "Preferred", { sval: "ethanol" }),
            prop("InChI", "Standard", { sval: INCHI }),
            prop("InChIKey", "Standard", { sval: ETHANOL }),
            prop("Molecular Formula", "", { sval: "C2H6O" }),
            prop("Molecular Weight", "", { sval: "46.07" }),
            prop("SMILES", "Canonical", { sval: "OCC" }),
            prop("SMILES", "Isomeric", { sval: "CCO" }),
          ],
        },
      ],
    };
    const table = {
      PropertyTable: {
        Properties: [
          {
            CID: 702,
            InChIKey: ETHANOL,
            InChI: INCHI,
            Title: "Ethanol",
            IUPACName: "ethanol",
            MolecularFormula: "C2H6O",
            MolecularWeight: "46.07",
            SMILES: "CCO",
          },
          { CID: 5, Title: "no key" },
        ],
      },
    };
    const props = {
      chemical_formula: "C2H6O",
      molecular_weight: { value: 46.07, unit: "g/mol" },
      additional_identifiers: ["cid:702"],
      smiles: "CCO",
      inchi: INCHI,
    };
    const one = await entriesOf(pubchem, dumps.file("cid.json", JSON.stringify(whole, null, 2)));
    expect(itemsOf(one)).toMatchObject({ [`inchikey:${ETHANOL}`]: { title: { en: "ethanol" }, props } });
    const other = await entriesOf(pubchem, dumps.file("cid.json", JSON.stringify(table)));
    expect(itemsOf(other)).toMatchObject({ [`inchikey:${ETHANOL}`]: { title: { en: "Ethanol" }, props } });
    expect(reasonsOf(other)).toEqual(["cid.json:1: compound 5 lacks its InChIKey"]);
    expect(reasonsOf(await entriesOf(pubchem, dumps.file("x.json", '{"Fault": {}}')))).toEqual([
      expect.stringContaining("is this an answer of PUG-REST?"),
    ]);
  });

  it("names the file and line of a row that is cut or out of order, and what is missing", async () => {
    const reasons = async (files: Record<string, string>) => reasonsOf(await entriesOf(pubchem, dumps.folder(files)));
    const unsorted = { ...EXTRAS, "CID-Title": "962\tWater\n702\tEthanol\n" };
    expect(await reasons(unsorted)).toEqual([expect.stringMatching(/^CID-Title:2: CID 702 stands after 962; sort/)]);
    const cut = { ...EXTRAS, "CID-InChI-Key": EXTRAS["CID-InChI-Key"].slice(0, -30) };
    expect(await reasons(cut)).toEqual([expect.stringMatching(/^CID-InChI-Key:2: a row has a CID and 2 more columns/)]);
    const { "CID-Title": _, ...rest } = EXTRAS;
    expect(await reasons(rest)).toEqual([expect.stringContaining("there is no CID-Title in the folder")]);
    const bad = { ...EXTRAS, "CID-InChI-Key": "702\tInChI=1S/x\tNOKEY\n" };
    expect(await reasons(bad)).toEqual(['CID-InChI-Key:1: compound 702: "NOKEY" is no InChIKey']);
  });

  it("leaves out what is too much of a compound's names", async () => {
    const names = Array.from({ length: 9_000 }, (_, i) => `702\tname ${i}\n`).join("");
    const entries = await entriesOf(pubchem, dumps.folder({ ...EXTRAS, "CID-Synonym-filtered": names }));
    expect(itemsOf(entries)[`inchikey:${ETHANOL}`]!.synonyms).toHaveLength(4_000);
    expect(entries.at(-1)).toEqual({ leftOut: expect.stringContaining("synonyms"), count: 5_000 });
  });
});

describe("ChEBI", () => {
  // A term as releases up to 2024 write it, and as later ones do; facts of ChEBI (CC BY 4.0).
  const term = (properties: readonly string[], more = "") =>
    `[Term]\nid: CHEBI:16236\nname: ethanol\nalt_id: CHEBI:44594\nsynonym: "alcohol \\"etilico\\"" RELATED [ChEBI]\n` +
    `synonym: "ethanol" EXACT IUPAC_NAME [IUPAC]\nsynonym: "ethyl hydroxide" EXACT IUPAC_NAME [IUPAC]\n` +
    `xref: CAS:64-17-5 {source="ChemIDplus"}\nxref: CAS:64-17-6\n` +
    `is_a: CHEBI:23982\n${properties.map((each) => `property_value: ${each} xsd:string\n`).join("")}${more}\n`;
  const HEADER = "format-version: 1.2\ndata-version: 250\n\n";
  const url = "http://purl.obolibrary.org/obo/chebi/";
  const older = [
    `${url}formula "C2H6O"`,
    `${url}inchi "${INCHI}"`,
    `${url}inchikey "${ETHANOL}"`,
    `${url}mass "46.06844"`,
  ];
  const newer = [
    `chemrof:generalized_empirical_formula "C2H6O"`,
    `chemrof:inchi_string "${INCHI}"`,
    `chemrof:inchi_key_string "${ETHANOL}"`,
    `chemrof:mass "46.06844"`,
  ];
  const ITEM = {
    id: `inchikey:${ETHANOL}`,
    title: { en: "ethanol" },
    synonyms: [
      { name: 'alcohol "etilico"', kind: "synonym" },
      { name: "ethyl hydroxide", kind: "iupac" },
      { name: "64-17-6", kind: "cas" },
    ],
    props: {
      chemical_formula: "C2H6O",
      molecular_weight: { value: 46.06844, unit: "g/mol" },
      additional_identifiers: ["chebi:16236", "chebi:44594", "cas:64-17-5"],
      smiles: "C\\C=C/CCO",
      inchi: INCHI,
    },
  };

  it("takes compounds, in either spelling of their properties, and counts classes and roles", async () => {
    const role = "[Term]\nid: CHEBI:48218\nname: antiseptic drug\n\n[Typedef]\nid: has_role\nname: has role\n";
    for (const [properties, prefix] of [
      [older, url],
      [newer, "chemrof:"],
    ] as const) {
      const smiles = `${prefix}smiles${prefix === url ? "" : "_string"} "C\\\\C=C/CCO"`;
      const text = HEADER + term([...properties, smiles]) + role;
      const entries = await entriesOf(chebi, dumps.file("chebi.obo.gz", gzipSync(text)));
      expect(entries).toEqual([
        { release: "250" },
        { part: "chebi.obo", line: 4, item: ITEM },
        { leftOut: "classes and roles: they have no InChIKey", count: 1 },
      ]);
    }
  });

  it.each([
    ["(2R\\,3S)-tartrate", "(2R,3S)-tartrate"],
    ["CHEBI\\:1 \\{x\\} \\[y\\] \\(z\\) \\!", "CHEBI:1 {x} [y] (z) !"],
    ["two\\Wwords", "two words"],
    ["back\\\\Wslash", "back\\Wslash"],
    ["\\alpha-D", "\\alpha-D"],
    ['a \\"quoted\\" one', 'a "quoted" one'],
  ])("gives names without their escapes: %s", async (written, name) => {
    const text = `[Term]\nid: CHEBI:1\nname: ${written}\nsynonym: "also ${written}" EXACT []\n`;
    const properties = `property_value: ${url}inchikey "${ETHANOL}" s\nproperty_value: ${url}smiles "C\\C=C/C" s\n`;
    const [item] = Object.values(itemsOf(await entriesOf(chebi, dumps.file("chebi.obo", HEADER + text + properties))));
    expect(item).toMatchObject({
      title: { en: name },
      synonyms: [{ name: `also ${name}` }],
      props: { smiles: "C\\C=C/C" },
    });
  });

  it("passes over obsolete terms, and takes those that were picked", async () => {
    const file = dumps.file("chebi.obo", HEADER + term(older, "is_obsolete: true\n"));
    expect(itemsOf(await entriesOf(chebi, file))).toEqual({});
    const live = dumps.file("chebi.obo", HEADER + term(older));
    expect(Object.keys(itemsOf(await entriesOf(chebi, live, { only: new Set(["CHEBI:16236"]) })))).toHaveLength(1);
    expect(itemsOf(await entriesOf(chebi, live, { only: new Set(["CHEBI:1"]) }))).toEqual({});
  });

  it("names the line of a term that is none, and refuses another kind of file", async () => {
    const cut = `${HEADER + term(older)}[Term]\nid: CHEBI:15377\n`;
    expect(reasonsOf(await entriesOf(chebi, dumps.file("chebi.obo", cut)))).toEqual([
      expect.stringMatching(/^chebi\.obo:\d+: a term has an "id" and a "name"; is the file cut off/),
    ]);
    expect(reasonsOf(await entriesOf(chebi, dumps.file("chebi.obo", "<rdf>\n")))).toEqual([
      expect.stringContaining('the header has no "format-version"'),
    ]);
  });
});
