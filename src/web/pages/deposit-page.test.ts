import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { type InProcessServer, startInProcess } from "../../../test/support/in-process-server.js";
import { fieldTree } from "../../core/catalog/field-tree.js";
import { leastRecord } from "../pages/deposit-page.js";

let server: InProcessServer;
let token: string;
beforeAll(async () => {
  server = await startInProcess();
  token = await server.token("ada");
}, 120_000);
afterAll(() => server.close());

const leastOf = (name: string) => {
  const { example, schema } = builtInCatalog().models.get(name)!;
  return { example: example!, least: leastRecord(example!, fieldTree(schema)) };
};

async function errorsOf(model: string, body: object): Promise<readonly { readonly code: string }[]> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const url = `/api/records/${model}/?validate=only`;
  const answer = await server.app.inject({ method: "POST", url, headers, payload: JSON.stringify(body) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().errors;
}

describe.each([...builtInCatalog().models.keys()])("the least record of %s", (model) => {
  it("is valid, and shorter than the example", async () => {
    const { example, least } = leastOf(model);
    expect(await errorsOf(model, least)).toEqual([]);
    expect(JSON.stringify(least).length).toBeLessThan(JSON.stringify(example).length / 2);
  });

  it("has no field that could be left out", async () => {
    const { least } = leastOf(model);
    const metadata = least.metadata as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    for (const [part, values] of Object.entries(metadata)) {
      for (const name of Object.keys(values)) {
        const { [name]: _, ...rest } = values;
        const errors = await errorsOf(model, { metadata: { ...metadata, [part]: rest } });
        expect(errors.length, `${part}.${name}`).toBeGreaterThan(0);
      }
    }
  });
});
