import { describe, expect, it } from "vitest";
import { ANONYMOUS } from "../../core/actor.js";
import type { TermSearchRequest } from "../../services/api/search-services.js";
import { type Remotes, type Spread, spreadServices, THREADS } from "./threads.js";

const PAGE: TermSearchRequest = {
  vocabulary: "organisms",
  window: { page: 1, size: 10 },
  filters: {},
  facetSize: 0,
  lang: "en",
};

/** Services that say on which thread they ran. */
function spread(): Spread {
  const local = Object.fromEntries(Object.keys(THREADS).map((name) => [name, async () => `http ${name}`]));
  const remote = (thread: string) => ({
    call: async (name: string, args: readonly unknown[]) => `${thread} ${name} ${args.length}`,
    waiting: () => 0,
  });
  const remotes: Remotes = {
    search: remote("search"),
    loader: remote("loader"),
    writer: remote("writer"),
    pages: remote("pages"),
  };
  return spreadServices(local as unknown as Spread, remotes);
}

describe("spreadServices", () => {
  it("reads by id on the thread that answers HTTP", async () => {
    expect(await spread().readTerm("organisms", "taxid:562")).toBe("http readTerm");
  });

  it("writes whole on the writer, with all arguments", async () => {
    const address = { model: "mst", id: "a" };
    expect(await spread().replaceDraft(ANONYMOUS, address, "{}", { revision: 1 })).toBe("writer replaceDraft 4");
  });

  it.each([
    ["among the searches", "{}", "search"],
    ["out of their way, where it is long", " ".repeat(200_000), "pages"],
  ])("validates a body %s", async (_, body, thread) => {
    expect(await spread().validateRecord(ANONYMOUS, "mst", body)).toEqual(`${thread} validateRecord 3`);
  });

  it.each([
    ["among the searches", false, "search"],
    ["on the page thread, where it may be large", true, "pages"],
  ])("writes a record in another format %s", async (_, mayBeLarge, thread) => {
    const site = { url: "https://bindery.example.org" };
    const representation = { format: "bibtex", site, mayBeLarge };
    expect(await spread().exportRecord(ANONYMOUS, { id: "a" }, representation)).toBe(`${thread} exportRecord 3`);
  });

  it.each([
    ["a page in the vocabulary's own order", {}, "http"],
    ["a query", { q: "coli" }, "search"],
    ["a suggestion", { suggest: "col" }, "search"],
    ["a filter", { filters: { rank: ["species"] } }, "search"],
    ["facets", { facetSize: 20 }, "search"],
    ["a subtree", { ancestor: "taxid:2" }, "search"],
    ["a large page", { window: { page: 1, size: 1_000 } }, "search"],
    ["a page as large as pages get", { window: { page: 1, size: 10_000 } }, "loader"],
    ["such a page of a query", { q: "coli", window: { page: 1, size: 1_001 } }, "loader"],
  ])("runs a vocabulary search with %s where it belongs", async (_, change, thread) => {
    const answer = await spread().searchTerms(ANONYMOUS, { ...PAGE, ...change });
    expect(String(answer).split(" ")[0]).toBe(thread);
    const parameters = { request: { ...PAGE, ...change }, carried: [], sizeName: "size", warnings: [], result: {} };
    const asked = { api: "", path: "", parameters };
    const body = await spread().answerTermSearch(ANONYMOUS, asked);
    expect(String(body).split(" ")[0]).toBe(thread);
    const byId = { ...asked, parameters: { ...parameters, ids: ["taxid:562"] } };
    expect(await spread().answerTermSearch(ANONYMOUS, byId)).toBe("http answerTermSearch");
  });
});
