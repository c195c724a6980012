import { expect, it } from "vitest";
import { compareMoleculeIds, moleculeId, skeletonId } from "./pasted-identifiers.js";

it.each([
  ["uniprot:P00698", "uniprot:P00698"],
  ["Uniprot:p00698", "uniprot:P00698"],
  ["UniProtKB:P00698-1", "uniprot:P00698"],
  ["P00698.3", "uniprot:P00698"],
  ["A0A024R161", "uniprot:A0A024R161"],
  ["https://www.uniprot.org/uniprotkb/P00698/entry", "uniprot:P00698"],
  ["https://rest.uniprot.org/uniprotkb/P00698.fasta", "uniprot:P00698"],
  ["identifiers.org/uniprot:P00698", "uniprot:P00698"],
  ["pdb:1lyz", "pdb:1LYZ"],
  ["PDB: 1LYZ", undefined],
  ["pdb:1LYZ_A", "pdb:1LYZ"],
  ["pdb:pdb_00001lyz", "pdb:1LYZ"],
  ["pdb:pdb_00001lyz_v1-2", "pdb:1LYZ"],
  ["https://www.rcsb.org/structure/1LYZ", "pdb:1LYZ"],
  ["1lyz", "pdb:1LYZ"],
  ["2024", undefined],
  ["inchikey:QIVBCDIJIAJPQS-SECBINFHSA-N", "inchikey:QIVBCDIJIAJPQS-SECBINFHSA-N"],
  ["InChIKey=qivbcdijiajpqs-secbinfhsa-n", "inchikey:QIVBCDIJIAJPQS-SECBINFHSA-N"],
  ["QIVBCDIJIAJPQS-SECBINFHSA-N", "inchikey:QIVBCDIJIAJPQS-SECBINFHSA-N"],
  ["inchikey:QIVBCDIJIAJPQS", "inchikey:QIVBCDIJIAJPQS"],
  ["immunoglobulin", undefined],
  ["inchikey:QIVBC", undefined],
  ["CHEBI:17790", "chebi:17790"],
  ["pubchem:962", "cid:962"],
  ["https://pubchem.ncbi.nlm.nih.gov/compound/962", "cid:962"],
  ["GenBank:AAA12345.1", "genbank:AAA12345.1"],
  ["doi:10.1038/227680a0", undefined],
  ["https://example.org/lysozyme", undefined],
  ["hen egg white lysozyme", undefined],
  ["", undefined],
])("gives %j the id %j", (text, id) => {
  expect(moleculeId(text)).toBe(id);
});

it("keeps normal forms as they are", () => {
  for (const id of ["uniprot:P00698", "pdb:1LYZ", "inchikey:QIVBCDIJIAJPQS", "chebi:1", "cid:9", "emdb:EMD-1234"]) {
    expect(moleculeId(id)).toBe(id);
  }
});

it("names a molecule by its sequence before its structures", () => {
  const ids = ["pdb:1LYZ", "emdb:EMD-1", "uniprot:P00698", "pdb:1AKI"];
  expect(ids.toSorted(compareMoleculeIds)).toEqual(["uniprot:P00698", "pdb:1AKI", "pdb:1LYZ", "emdb:EMD-1"]);
});

it("shortens whole InChIKeys only", () => {
  expect(skeletonId("inchikey:QIVBCDIJIAJPQS-SECBINFHSA-N")).toBe("inchikey:QIVBCDIJIAJPQS");
  expect([skeletonId("inchikey:QIVBCDIJIAJPQS"), skeletonId("uniprot:P00698")]).toEqual([undefined, undefined]);
});
