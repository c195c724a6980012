import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestUser } from "../support/bindery.js";
import { deposit, publish } from "../support/deposit.js";
import type { Problem, RecordShape } from "../support/http-client.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
let ada: TestUser;
/** Of a draft at revision 3. */
let path: string;

beforeAll(async () => {
  bindery = await startService();
  ada = await bindery.user("ada");
});
afterAll(() => bindery.dispose());

beforeEach(async () => {
  path = `/api/records/mst/${(await deposit(ada.client, makeRecord(1))).id}/draft`;
  for (const n of [2, 3]) await ada.client.put(path, makeRecord(n));
});

const ifMatch = (value: string) => ({ headers: { "if-match": value } });
const replace = (value: string) => ada.client.put<RecordShape & Problem>(path, makeRecord(9), ifMatch(value));

describe("If-Match on a PUT", () => {
  it.each(['"3"', "3", 'W/"3"', ' "3" ', '"1", "3"', "2,3", "*"])("with %s changes revision 3", async (value) => {
    const { status, body } = await replace(value);
    expect([status, body.revision_id]).toEqual([200, 4]);
  });

  it.each(['"2"', "2", 'W/"4"', '"1", "2"', "0", '"03000"'])("with %s is a 412 at revision 3", async (value) => {
    const { status, body } = await replace(value);
    expect([status, body.code]).toEqual([412, "REVISION_STALE"]);
    expect(body.message).toContain("the current one is 3");
    expect((await ada.client.get<RecordShape>(path)).body.revision_id).toBe(3);
  });

  it.each(["", "abc", '"abc"', '"3', "-3", "3.0", '"3", x', "*, 3", ",", "9".repeat(30)])(
    "with %j is a 400 that names it",
    async (value) => {
      const { status, body } = await replace(value);
      expect([status, body.code]).toEqual([400, "PARAMETER_INVALID"]);
      expect(body.errors).toMatchObject([{ field: "If-Match" }]);
      expect((await ada.client.get<RecordShape>(path)).body.revision_id).toBe(3);
    },
  );

  it("on a draft that is not there is a 404, whatever it says", async () => {
    await ada.client.delete(path);
    for (const value of ["*", "3", "4"]) expect((await replace(value)).status).toBe(404);
  });

  it("is what one of two writers at once fails by", async () => {
    const writes = [4, 5].map((n) => ada.client.put<RecordShape>(path, makeRecord(n), ifMatch('"3"')));
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 412]);
    expect((await ada.client.get<RecordShape>(path)).body.revision_id).toBe(4);
  });
});

describe("If-Match on other writes", () => {
  it("is a 412 for DELETE and for publish, and changes nothing", async () => {
    const publishPath = `${path}/actions/publish`;
    expect((await ada.client.delete<Problem>(path, ifMatch("2"))).body.code).toBe("REVISION_STALE");
    expect((await ada.client.post<Problem>(publishPath, undefined, ifMatch('"2"'))).status).toBe(412);
    expect((await ada.client.get(path)).status).toBe(200);
    expect((await ada.client.post(publishPath, undefined, ifMatch('"3"'))).status).toBe(202);
  });

  it("lets a DELETE of the current revision through", async () => {
    expect((await ada.client.delete(path, ifMatch('"3"'))).status).toBe(204);
  });
});

describe("If-None-Match", () => {
  const read = (url: string, value: string, method = "GET") =>
    ada.client.send(method, url, { headers: { "if-none-match": value } });

  it.each(['"3"', "3", 'W/"3"', '"1", W/"3"', "*"])("with %s is a 304 at revision 3", async (value) => {
    for (const method of ["GET", "HEAD"]) {
      const { status, text, headers } = await read(path, value, method);
      expect([status, text, headers.etag], method).toEqual([304, "", '"3"']);
      expect(headers["cache-control"]).toContain("no-store");
    }
  });

  it.each(['"2"', "", "abc", '"3', '"1", "2"', '"33"'])("with %j is a 200 at revision 3", async (value) => {
    const { status, headers } = await read(path, value);
    expect([status, headers.etag]).toEqual([200, '"3"']);
  });

  it("works for published records and items, which may be kept", async () => {
    const { id } = await publish(ada.client, makeRecord(5));
    for (const url of [`/api/records/mst/${id}`, `/api/records/${id}`, "/api/vocabularies/organisms/taxid:562"]) {
      const { headers } = await bindery.client.get(url);
      const { status, headers: kept } = await read(url, headers.etag!);
      expect([status, kept.etag, kept["cache-control"]]).toEqual([304, headers.etag, "public, no-cache"]);
      expect((await read(url, '"999"')).status).toBe(200);
    }
  });

  it("never hides an error", async () => {
    await ada.client.delete(path);
    expect((await read(path, "*")).status).toBe(404);
  });
});
