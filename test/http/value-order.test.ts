import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, recordWith } from "../support/deposit.js";
import type { Problem, RecordShape, SearchBody } from "../support/http-client.js";
import { publishKds } from "../support/kd-records.js";
import { retract } from "../support/life.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
let alice: TestUser;
let ids: readonly string[];

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
  ids = await publishKds(alice.client, [
    ["taxid:562", 5, "µM"],
    ["taxid:562", undefined, ""],
    ["taxid:562", 0.001, "nM"],
    ["taxid:9606", 0.005, "mM"],
    ["taxid:9606", 2, "nM"],
    ["taxid:9606", undefined, ""],
  ]);
});
afterAll(() => bindery.dispose());

const search = async (query: string, path = "/api/search", client = bindery.client) => {
  const { status, body, text } = await client.get<SearchBody<RecordShape>>(`${path}?${query}`);
  expect(status, text.slice(0, 300)).toBe(200);
  return body;
};
const numbersOf = ({ hits }: SearchBody<RecordShape>) => hits.hits.map(({ id }) => ids.indexOf(id));

describe("hits in the order of a number", () => {
  it("begin with the smallest or the largest in any unit; equal ones by age, those without one last", async () => {
    const smallest = await search("sort=kd&facets=none");
    expect(smallest.sortBy).toBe("kd");
    expect(smallest.links.self).toContain("sort=kd");
    expect(numbersOf(smallest)).toEqual([2, 4, 3, 0, 5, 1]);
    const largest = await search("sort=-affinity&facets=none", "/api/records/mst");
    expect(largest.sortBy).toBe("-kd");
    expect(numbersOf(largest)).toEqual([3, 0, 4, 2, 5, 1]);
  });

  it("are filtered as others are, also in the user scopes", async () => {
    expect(numbersOf(await search("sort=kd&organism=taxid:9606"))).toEqual([4, 3, 5]);
    expect(numbersOf(await search("sort=-kd&q=kd:*", "/api/user/search", alice.client))).toEqual([3, 0, 4, 2]);
    expect(numbersOf(await search("sort=-created&size=2"))).toEqual([5, 4]);
  });

  it("are read to the end with cursors", async () => {
    for (const sort of ["kd", "-kd"]) {
      const whole = numbersOf(await search(`sort=${sort}`));
      const walked: number[] = [];
      let query: string | undefined = `sort=${sort}&size=1&cursor=*`;
      while (query !== undefined) {
        const page: SearchBody<RecordShape> = await search(query);
        walked.push(...numbersOf(page));
        query = page.links.next?.split("?")[1];
      }
      expect(walked).toEqual(whole);
      const second = await search(`sort=${sort}&size=2&page=2`);
      expect(numbersOf(second)).toEqual(whole.slice(2, 4));
    }
    const { links } = await search("sort=kd&size=1&cursor=*");
    const cursor = new URL(links.next!).searchParams.get("cursor");
    const { status } = await bindery.client.get(`/api/search?sort=-kd&cursor=${cursor}`);
    expect(status).toBe(400);
  });

  it("follow a change at once", async () => {
    const [best] = await publishKds(alice.client, [["taxid:562", 0.000001, "nM"]]);
    expect((await search("sort=kd&size=1")).hits.hits[0]!.id).toBe(best);
    await retract(alice.client, best!, "a mistake");
    expect(numbersOf(await search("sort=kd&size=1"))).toEqual([2]);
  });

  it("have no other names", async () => {
    const { status, body } = await bindery.client.get<Problem>("/api/search?sort=title");
    expect(status).toBe(400);
    expect(body.errors![0]).toMatchObject({ field: "sort", value: "title" });
    expect(body.errors![0]!.allowed).toEqual(expect.arrayContaining(["newest", "kd", "molecular_weight"]));
  });
});

describe("records by id", () => {
  it("come in the order asked, each once; unknown ones are named", async () => {
    const asked = [ids[3], ids[0], "zv0gv-btp27", ids[3], ids[2]!.toUpperCase(), "what"];
    const found = await search(`${asked.map((id) => `ids=${id}`).join("&")}`);
    expect(numbersOf(found)).toEqual([3, 0, 2]);
    expect(found).toMatchObject({ sortBy: "ids", hits: { total: 3 } });
    expect(found.aggregations).toBeUndefined();
    expect(found.warnings!.map(({ code, value }) => [code, value])).toEqual([
      ["UNKNOWN_ID", "zv0gv-btp27"],
      ["UNKNOWN_ID", "what"],
    ]);
    expect(found.links.self).toContain(`ids=${ids[3]}`);
  });

  it("and hits in the order of a number come in other formats too", async () => {
    const linesOf = async (query: string) => {
      const { text } = await bindery.client.get(`/api/search?${query}&format=ndjson`);
      return text
        .trim()
        .split("\n")
        .map((line) => ids.indexOf((JSON.parse(line) as RecordShape).id));
    };
    expect(await linesOf(`ids=${ids[4]}&ids=${ids[1]}`)).toEqual([4, 1]);
    expect(await linesOf("sort=kd")).toEqual([2, 4, 3, 0, 5, 1]);
  });

  it("are those of the scope: drafts only of the caller, records only of the model", async () => {
    const { id } = await deposit(alice.client, recordWith(9, {}));
    const one = async (path: string, client = bindery.client) =>
      (await search(`ids=${id}&ids=${ids[0]}`, path, client)).hits.hits.map((hit) => hit.id);
    expect(await one("/api/search")).toEqual([ids[0]]);
    expect(await one("/api/user/search", alice.client)).toEqual([id, ids[0]]);
    expect(await one("/api/records/itc")).toEqual([]);
  });

  it("are at most 200, and no search", async () => {
    for (const query of [Array(201).fill(`ids=${ids[0]}`).join("&"), `ids=${ids[0]}&q=a`]) {
      expect((await bindery.client.get(`/api/search?${query}`)).status).toBe(400);
    }
  });
});
