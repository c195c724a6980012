import { describe, expect, it } from "vitest";
import { identifierForms, isIdentifierPath, pastedIdentifier, urlTail } from "./identifier-forms.js";

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

  it.each([
    ["https://doi.org/10.5281/zenodo.1", "10.5281/zenodo.1"],
    ["HTTP://DX.DOI.ORG/10.1/X", "10.1/X"],
    ["orcid.org/0000-0002-1825-0097", "0000-0002-1825-0097"],
    ["https://ror.org/05gq02987/", "05gq02987"],
    ["https://doi.org/help", undefined],
    ["https://example.org/10.1/x", undefined],
    ["10.1/x", undefined],
  ])("are read from the URL of a resolver: %s", (text, identifier) => {
    expect(pastedIdentifier(text)).toBe(identifier);
  });

  it.each([
    ["https://ror.org/024d6js02", "024d6js02"],
    ["ror.org/024d6js02/", "024d6js02"],
    ['the "HTTPS://ROR.ORG/024d6js02" of it', "024d6js02"],
    ["https\\:\\/\\/ror.org\\/024d6js02", "024d6js02"],
    ["https://species.example.museum:8080/taxonomy?id=562", "taxonomy id 562"],
    ["www.ncbi.nlm.nih.gov/Taxonomy/Browser/wwwtax.cgi?mode=Info&id=562#top", "cgi mode info id 562 top"],
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
  ])("are looked for at the end of a URL: %s", (text, words) => {
    expect(urlTail(text)?.join(" ")).toBe(words);
  });
});
