import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.js";
import type { TestUser } from "../support/bindery.js";
import { deposit, publish } from "../support/deposit.js";
import { makeRecord } from "../support/records.js";
import { type Service, startService } from "../support/service.js";

let bindery: Service;
let alice: TestUser;

beforeAll(async () => {
  bindery = await startService();
  alice = await bindery.user("alice");
});
afterAll(() => bindery.dispose());

interface Checked {
  readonly checks?: readonly Readonly<Record<string, unknown>>[];
  readonly expanded?: object;
}

/** Returns a valid body whose KD is 1,000 times too large for its KA. */
function contradictory(n: number): { readonly metadata: JsonObject } {
  const body = structuredClone(makeRecord(n)) as { metadata: { general_parameters: { results: JsonObject[] } } };
  const [first, second] = body.metadata.general_parameters.results;
  const results = [
    { ...first, type: "Constant of dissociation KD", value: 2, unit: "µM" },
    { ...second, type: "Constant of association KA", value: 0.5, unit: "nM^-1" },
  ];
  return { metadata: { ...body.metadata, general_parameters: { ...body.metadata.general_parameters, results } } };
}

const KD_AND_KA = {
  check: "kd_from_ka",
  result: "metadata.general_parameters.results.0",
  status: "differs",
  factor: 1000,
  text: "1 / KA is 0.002 µM; the KD of 2 µM differs by × 1000. The ratio is near a power of 1,000: a unit may be wrong",
  formula: "KD = 1 / KA",
};

describe("checks of a record", () => {
  it("are in a published record with expand=checks, for everybody, and not stored", async () => {
    const { id } = await publish(alice.client, contradictory(1));
    const path = `/api/records/mst/${id}`;
    const { body, headers } = await bindery.client.get<Checked>(`${path}?expand=checks`);
    expect(body.checks).toContainEqual(KD_AND_KA);
    expect(body).not.toHaveProperty("expanded");
    const plain = await bindery.client.get<Checked>(path);
    expect(plain.body).toEqual({ ...body, checks: undefined });
    expect(plain.headers.etag).toBe(headers.etag);
    expect((await bindery.client.get(`${path}?expand=checks&format=csv`)).text).not.toContain("kd_from_ka");
  });

  it("are in a draft, for those who may read it", async () => {
    const { id } = await deposit(alice.client, contradictory(2));
    const path = `/api/records/mst/${id}/draft?expand=checks`;
    expect((await alice.client.get<Checked>(path)).body.checks).toContainEqual(KD_AND_KA);
    expect((await bindery.client.get(path)).status).toBe(401);
    const empty = await deposit(alice.client, { metadata: {} });
    const { body } = await alice.client.get<Checked>(`/api/records/mst/${empty.id}/draft?expand=checks`);
    expect(body.checks?.map(({ status }) => status)).toEqual(["note", "note"]);
  });

  it("go with the other value, in any order", async () => {
    const { id } = await publish(alice.client, contradictory(3));
    for (const value of ["true,checks", "checks,1", "checks,,true"]) {
      const { body } = await alice.client.get<Checked>(`/api/records/mst/${id}?expand=${value}`);
      expect(body.checks).toContainEqual(KD_AND_KA);
      expect(body.expanded).toEqual({ requests: [] });
    }
    const without = await alice.client.get<Checked>(`/api/records/mst/${id}?expand=false`);
    expect(without.body).not.toHaveProperty("checks");
  });

  it("are refused with an unknown value", async () => {
    const { id } = await publish(alice.client, contradictory(4));
    for (const value of ["x", "checks,x", "TRUE"]) {
      const { status, body } = await alice.client.get(`/api/records/mst/${id}?expand=${value}`);
      expect(status).toBe(400);
      const allowed = ["true", "1", "false", "0", "checks"];
      const message = `The parameter "expand" must be true, 1, false, 0 or checks, not "${value}".`;
      expect(body).toMatchObject({ code: "PARAMETER_INVALID", message, errors: [{ field: "expand", allowed }] });
    }
  });

  it("are computed for large records too", async () => {
    const body = contradictory(5) as { metadata: { method_specific_parameters: { measurements: JsonObject[] } } };
    const [first] = body.metadata.method_specific_parameters.measurements;
    const measurements = Array.from({ length: 400 }, (_, i) => ({ ...first, id: `m-${i}`, name: "a".repeat(300) }));
    const method = { ...body.metadata.method_specific_parameters, measurements, data_analysis: [] };
    const { id } = await deposit(alice.client, { metadata: { ...body.metadata, method_specific_parameters: method } });
    const answer = await alice.client.get<Checked>(`/api/records/mst/${id}/draft?expand=checks`);
    expect(answer.text.length).toBeGreaterThan(131_072);
    expect(answer.body.checks).toContainEqual(KD_AND_KA);
  });
});
