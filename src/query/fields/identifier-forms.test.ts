import { describe, expect, it } from "vitest";
import { identifierForms, isIdentifierPath } from "./identifier-forms.js";

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
