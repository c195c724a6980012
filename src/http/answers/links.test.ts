import { describe, expect, it } from "vitest";
import { apiUrl, recordLinks, termLinks, termUrl } from "./links.js";

const api = apiUrl({ publicUrl: "https://x.org/base/" });

describe("recordLinks", () => {
  const record = { id: "zv0gv-btp27", model: "mst" } as const;
  const url = "https://x.org/base/api/records/mst/zv0gv-btp27";

  it("links a published record to itself, its versions and its files", () => {
    expect(recordLinks(api, { ...record, state: "published", isPublished: true })).toEqual({
      self: url,
      self_html: "https://x.org/base/records/zv0gv-btp27",
      record: url,
      versions: `${url}/versions`,
      latest: `${url}/versions/latest`,
      files: `${url}/files`,
    });
  });

  it("links a draft to what can be done with it", () => {
    expect(recordLinks(api, { ...record, state: "draft", isPublished: false })).toEqual({
      self: `${url}/draft`,
      draft: `${url}/draft`,
      publish: `${url}/draft/actions/publish`,
      files: `${url}/draft/files`,
    });
  });

  it("links a draft of a published record to that record and its versions", () => {
    expect(recordLinks(api, { ...record, state: "draft", isPublished: true })).toMatchObject({
      record: url,
      versions: `${url}/versions`,
      latest: `${url}/versions/latest`,
    });
  });
});

it("links an item to itself, its page, its citations, and the picture of its structure if it has one", () => {
  const chemicals = { name: "chemicals", structure: "smiles" };
  const water = { id: "a/b", json: JSON.stringify({ props: { smiles: "O" }, revision_id: 3 }) };
  const links = {
    self: "https://x.org/base/api/vocabularies/chemicals/a%2Fb",
    self_html: "https://x.org/base/vocabularies/chemicals/a%2Fb",
    citations: "https://x.org/base/api/vocabularies/chemicals/a%2Fb/citations",
  };
  expect(termLinks(api, chemicals, water)).toEqual({ ...links, structure: `${links.self}/structure.svg?v=3` });
  expect(termLinks(api, { name: "chemicals" }, water)).toEqual(links);
  for (const props of [{}, { smiles: " " }, { smiles: ["O"] }, { other: { smiles: "O" } }]) {
    const json = JSON.stringify({ props, revision_id: 3 });
    expect(termLinks(api, chemicals, { id: "a/b", json }), json).toEqual(links);
  }
});

it("keeps colons of an item's id readable and encodes the rest", () => {
  expect(termUrl(api, "organisms", "taxid:562")).toBe("https://x.org/base/api/vocabularies/organisms/taxid:562");
  expect(termUrl(api, "chemicals", "a/b")).toBe("https://x.org/base/api/vocabularies/chemicals/a%2Fb");
});
