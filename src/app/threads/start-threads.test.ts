import { describe, expect, it } from "vitest";
import { ANONYMOUS } from "../../core/actor.js";
import type { TermSearchRequest } from "../../services/api/searches.js";
import { type DispatchedServices, dispatchServices, THREADS, type WorkerThreads } from "./start-threads.js";

const PAGE: TermSearchRequest = {
  vocabulary: "organisms",
  window: { page: 1, size: 10 },
  filters: {},
  facetSize: 0,
  lang: "en",
};

/** Returns services that return the name of the thread on which they ran. */
function dispatch(): DispatchedServices {
  const local = Object.fromEntries(Object.keys(THREADS).map((name) => [name, async () => `http ${name}`]));
  const remote = (thread: string) => ({
    call: async (name: string, args: readonly unknown[]) => `${thread} ${name} ${args.length}`,
    waiting: () => 0,
  });
  const threads: WorkerThreads = {
    search: remote("search"),
    loader: remote("loader"),
    writer: remote("writer"),
    pages: remote("pages"),
  };
  return dispatchServices(local as unknown as DispatchedServices, threads);
}

describe("dispatchServices", () => {
  it("reads by id on the thread that answers HTTP", async () => {
    expect(await dispatch().readTerm("organisms", "taxid:562")).toBe("http readTerm");
  });

  it("writes whole on the writer, with all arguments", async () => {
    const address = { model: "mst", id: "a" };
    expect(await dispatch().replaceDraft(ANONYMOUS, address, "{}", { revision: 1 })).toBe("writer replaceDraft 4");
  });

  it.each([
    ["on the search thread", "{}", "search"],
    ["on the page thread if it is long", " ".repeat(200_000), "pages"],
  ])("validates a body %s", async (_, body, thread) => {
    expect(await dispatch().validateRecord(ANONYMOUS, "mst", body)).toEqual(`${thread} validateRecord 3`);
  });

  it.each([
    ["on the search thread", false, "search"],
    ["on the page thread if it may be large", true, "pages"],
  ])("writes a record in another format %s", async (_, mayBeLarge, thread) => {
    const site = { url: "https://bindery.example.org" };
    const representation = { format: "bibtex", site, mayBeLarge };
    expect(await dispatch().exportRecord(ANONYMOUS, { id: "a" }, representation)).toBe(`${thread} exportRecord 3`);
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
  ])("runs a vocabulary search with %s on its thread", async (_, change, thread) => {
    const answer = await dispatch().searchTerms(ANONYMOUS, { ...PAGE, ...change });
    expect(String(answer).split(" ")[0]).toBe(thread);
    const parameters = { request: { ...PAGE, ...change }, carried: [], sizeName: "size", warnings: [], result: {} };
    const search = { api: "", path: "", parameters };
    const body = await dispatch().answerTermSearch(ANONYMOUS, search);
    expect(String(body).split(" ")[0]).toBe(thread);
    const byId = { ...search, parameters: { ...parameters, ids: ["taxid:562"] } };
    expect(await dispatch().answerTermSearch(ANONYMOUS, byId)).toBe("http answerTermSearch");
  });
});
