import { describe, expect, it } from "vitest";
import { identifierText, pastedIdentifier } from "../../core/pasted-identifiers.js";
import { identifierForms, identifierTail, isIdentifierPath } from "./identifiers.js";

describe("identifiers of other registers", () => {
  it.each([
    ["https://doi.org/10.5281/zenodo.1", "10.5281/zenodo.1"],
    ["HTTP://DX.DOI.ORG/10.1/X", "10.1/X"],
    ["orcid.org/0000-0002-1825-0097", "0000-0002-1825-0097"],
    ["https://ror.org/05gq02987/", "05gq02987"],
    ["https://doi.org/help", undefined],
    ["https://example.org/10.1/x", undefined],
    ["10.1/x", undefined],
    ["<https://doi.org/10.1038/227680a0>", "10.1038/227680a0"],
    ["(https://doi.org/10.1038/227680a0).", "10.1038/227680a0"],
    ["https://doi.org/10.1016/S0021-9258(19)50881-X", "10.1016/S0021-9258(19)50881-X"],
    ["https://doi.org/10.1016%2Fj.cell", "10.1016/j.cell"],
    ["URL:https://doi.org/10.1/x", "10.1/x"],
    ["https://www.uniprot.org/uniprotkb/P00698/entry", "P00698"],
    ["uniprot.org/uniprot/P00698.fasta", "P00698"],
    ["UniProtKB:P00698", "P00698"],
    ["uniprot:P00698", undefined],
    ["https://pubchem.ncbi.nlm.nih.gov/compound/2519#section=Names", "cid:2519"],
    ["https://pubchem.ncbi.nlm.nih.gov/compound/Caffeine", "Caffeine"],
    ["pubchem.compound:2519", "cid:2519"],
    ["https://www.ncbi.nlm.nih.gov/Taxonomy/Browser/wwwtax.cgi?mode=Info&id=9606&lvl=3", "taxid:9606"],
    ["http://purl.obolibrary.org/obo/NCBITaxon_9606", "taxid:9606"],
    ["NCBITaxon:9606", "taxid:9606"],
    ["txid9606", "taxid:9606"],
    ["taxid:9606", undefined],
    ["http://purl.obolibrary.org/obo/CHEBI_27732", "chebi:27732"],
    ["https://www.ebi.ac.uk/chebi/searchId.do?chebiId=CHEBI:27732", "chebi:27732"],
    ["https://identifiers.org/CHEBI:27732", "chebi:27732"],
    ["https://identifiers.org/chebi/CHEBI:27732", "chebi:27732"],
    ["https://identifiers.org/taxonomy/9606", "taxid:9606"],
    ["https://identifiers.org/inchikey:RYYVLZVUVIJVGH-UHFFFAOYSA-N", "inchikey:RYYVLZVUVIJVGH-UHFFFAOYSA-N"],
    ["https://bioregistry.io/doi:10.1/x", "10.1/x"],
    ["https://www.rcsb.org/structure/1LYZ", "1LYZ"],
    ["https://cordis.europa.eu/project/id/101004806", "101004806"],
    ["https://isni.org/isni/0000000121669385", "0000000121669385"],
    ["Tris:HCl", undefined],
    ["https://example.org/taxonomy/9606", undefined],
    ["see https://doi.org/10.1/x", undefined],
  ])("are read from the URL of a resolver: %s", (text, identifier) => {
    const pasted = pastedIdentifier(text);
    expect(pasted && identifierText(pasted)).toBe(identifier);
  });

  it.each([
    ["https://ror.org/024d6js02", "024d6js02"],
    ["ror.org/024d6js02/", "024d6js02"],
    ['the "HTTPS://ROR.ORG/024d6js02" of it', "024d6js02"],
    ["https\\:\\/\\/ror.org\\/024d6js02", "024d6js02"],
    ["https://species.example.museum:8080/taxonomy?id=562", "taxonomy id 562"],
    ["www.ncbi.nlm.nih.gov/Taxonomy/Browser/wwwtax.cgi?mode=Info&id=562#top", "562"],
    ["http://localhost/562", "562"],
    ["<https://ror.org/024d6js02>", "024d6js02"],
    ["https://192.0.2.7/562", "562"],
    ["пример.рф/562", "562"],
    ["https://ror.org", undefined],
    ["ror.org", undefined],
    ["vitamin de 562", undefined],
    ["strain 0.5/562", undefined],
    ["and/or", undefined],
    ["S.cerevisiae 562", undefined],
    ["id:ror.org/562", undefined],
    ["NCBITaxon:562", "562"],
    ["101 004 806", "101004806"],
    ["1R01AR065953-01A1", "r01ar065953"],
    ["taxid:562", undefined],
  ])("are looked for at the end of a URL: %s", (text, words) => {
    expect(identifierTail(text)?.join(" ")).toBe(words);
  });
});

describe("identifiers", () => {
  it("stand in fields of certain names", () => {
    expect(isIdentifierPath("metadata.depositor.identifiers")).toBe(true);
    expect(isIdentifierPath("id")).toBe(true);
    expect(isIdentifierPath("metadata.title")).toBe(false);
  });

  it.each([
    ["Uniprot:P69905", ["uniprot p69905", "p69905"]],
    ["https://doi.org/10.5281/zenodo.1", ["https doi org 10 5281 zenodo 1", "10 5281 zenodo 1"]],
    ["https://doi.org/doi:10.1/x", ["https doi org doi 10 1 x", "doi 10 1 x", "10 1 x"]],
    ["fy6g2-hh950", ["fy6g2 hh950"]],
    ["cid:", ["cid"]],
    ["::", []],
  ])("are pasted in several ways: %s", (value, forms) => {
    expect(identifierForms(value).map((words) => words.join(" "))).toEqual(forms);
  });
});
