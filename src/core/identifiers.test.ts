import { expect, it } from "vitest";
import { orcidFault, recogniseIdentifier } from "./identifiers.js";

it.each([
  ["doi:10.1038/227680a0", "doi", "10.1038/227680a0", "https://doi.org/10.1038/227680a0"],
  ["https://doi.org/10.1000/a<b>#c", "doi", "10.1000/a<b>#c", "https://doi.org/10.1000/a%3Cb%3E%23c"],
  ["10.5072/demo.spr", "doi", "10.5072/demo.spr", "https://doi.org/10.5072/demo.spr"],
  ["orcid:0000-0002-1825-0097", "orcid", "0000-0002-1825-0097", "https://orcid.org/0000-0002-1825-0097"],
  ["https://orcid.org/0000-0002-1694-233x", "orcid", "0000-0002-1694-233X", "https://orcid.org/0000-0002-1694-233X"],
  ["ror:05gq02987", "ror", "05gq02987", "https://ror.org/05gq02987"],
  ["https://ror.org/012p63287", "ror", "012p63287", "https://ror.org/012p63287"],
  ["isni:0000 0001 2103 4996", "isni", "0000000121034996", "https://isni.org/isni/0000000121034996"],
  ["isbn:978-3-16-148410-0", "isbn", "9783161484100", undefined],
  ["ISBN 0-306-40615-2", "isbn", "0306406152", undefined],
  ["issn:0378-5955", "issn", "0378-5955", "https://portal.issn.org/resource/ISSN/0378-5955"],
  ["pmid:12345678", "pmid", "12345678", "https://pubmed.ncbi.nlm.nih.gov/12345678/"],
  ["arXiv:2101.00001v2", "arxiv", "2101.00001v2", "https://arxiv.org/abs/2101.00001v2"],
  ["hdl:20.500.12345/7", "handle", "20.500.12345/7", "https://hdl.handle.net/20.500.12345/7"],
  ["Uniprot:P69905", "uniprot", "P69905", "https://www.uniprot.org/uniprotkb/P69905"],
  ["pdb:2HCO", "pdb", "2HCO", "https://identifiers.org/pdb:2HCO"],
  ["inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N", "inchikey", "XLYOFNOQVPJJNP-UHFFFAOYSA-N", expect.any(String)],
  ["https://example.org/x?y=1", "url", "https://example.org/x?y=1", "https://example.org/x?y=1"],
])("recognises %s", (text, scheme, value, url) => {
  expect(recogniseIdentifier(text)).toEqual({ scheme, value, ...(url === undefined ? {} : { url }) });
});

it.each([
  "orcid:0000-0002-1825-0098", // The check digit is 7.
  "ror:05gq02988",
  "isni:0000 0001 2103 4997",
  "isbn:978-3-16-148410-1",
  "issn:0378-5956",
  "ror:nothing",
  "05gq02987", // Nine letters and digits may be anything.
  "12345678",
  "a text",
  "",
  "https://",
  "https://example.org/a b",
])("does not recognise %s", (text) => {
  expect(recogniseIdentifier(text)).toBeUndefined();
});

// Ids that ORCID's own documents show.
it.each(["0000-0002-1825-0097", "0000-0001-5109-3700", "0000-0002-1694-233X", "0000-0002-1694-233x"])(
  "finds nothing wrong with %s",
  (id) => {
    for (const written of [`orcid:${id}`, `ORCID: ${id}`, `https://orcid.org/${id}`, `http://www.orcid.org/${id}`]) {
      expect(orcidFault(written)).toBeUndefined();
    }
  },
);

it("finds any one digit that is wrong, and any two neighbours that changed places", () => {
  const digits = [..."0000000218250097"];
  const written = (all: readonly string[]): string => `orcid:${all.join("").replace(/(.{4})(?=.)/g, "$1-")}`;
  for (const [i, right] of digits.entries()) {
    for (const digit of "0123456789") {
      if (digit !== right) expect(orcidFault(written(digits.with(i, digit)))).toBe("check digit");
    }
    const next = digits[i + 1];
    if (next === undefined || next === right) continue;
    expect(orcidFault(written(digits.with(i, next).with(i + 1, right)))).toBe("check digit");
  }
});

it.each(["orcid:", "orcid:0000-0002-1825", "orcid:0000000218250097", "https://orcid.org/ada"])(
  "misses the form of an iD in %j",
  (written) => {
    expect(orcidFault(written)).toBe("form");
  },
);

it.each(["", "0000-0002-1825-0098", "researcherid:A-1009-2008", "see orcid:0000-0002-1825-0098", "ror:02bfwt286"])(
  "says nothing of %j, which does not say to be one",
  (written) => {
    expect(orcidFault(written)).toBeUndefined();
  },
);
