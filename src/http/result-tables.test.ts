import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, startInProcess } from "../../test/support/in-process-server.js";
import { makeRecord } from "../../test/support/records.js";

let server: InProcessServer;
let alice: Record<string, string>;
let id: string;

const KD = "Constant of dissociation KD";
const RESULTS = [
  { id: "result-0", name: "=cmd()", type: KD, value: 2.5, unit: "nM", entities_involved: [] },
  { id: "result-1", name: "second", type: KD, value: 3, unit: "µM", entities_involved: [] },
  { id: "result-2", name: "third", type: "Concentration", value: 7, unit: "mg/mL", entities_involved: [] },
];

const send = (url: string, headers: object = {}) => server.app.inject({ url, headers: { ...headers } });
const post = async (url: string, payload?: object) => {
  const answer = await server.app.inject({
    ...{ method: "POST", url, headers: alice },
    ...(payload === undefined ? {} : { payload }),
  });
  expect(answer.statusCode, answer.body.slice(0, 500)).toBeLessThan(300);
  return answer.json();
};

beforeAll(async () => {
  server = await startInProcess();
  alice = { authorization: `Bearer ${await server.token("alice")}` };
  const { metadata } = makeRecord(1, { title: 'Lysozyme, "hen" egg' });
  const general = metadata.general_parameters as object;
  const entity = { entity: { id: "entity-serum" }, copy_number: 1 };
  const results = RESULTS.map((result) => ({ ...result, entities_involved: [entity] }));
  const body = {
    metadata: {
      general_parameters: { ...general, results },
      method_specific_parameters: metadata.method_specific_parameters,
    },
  };
  ({ id } = await post("/api/records/mst", body));
  await post(`/api/records/mst/${id}/draft/actions/publish`);
  const other = await post("/api/records/mst", makeRecord(2, { title: "Albumin" }));
  await post(`/api/records/mst/${other.id}/draft/actions/publish`);
});
afterAll(() => server.close());

/** The lines of a table of the first record, without their ends. */
async function table(parameters: string): Promise<readonly string[]> {
  const answer = await send(`/api/records/mst?q=lysozyme&format=csv&${parameters}`);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(answer.body.endsWith("\r\n")).toBe(true);
  return answer.body.split("\r\n").slice(0, -1);
}
const rows = async (parameters: string) => {
  const { body } = await send(`/api/records/mst?q=lysozyme&format=ndjson&${parameters}`);
  return body
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
};

describe("a result as CSV", () => {
  it("has a header and a line for each record, with the columns that a list of hits shows", async () => {
    const [header, line, ...rest] = await table("");
    expect(header).toMatch(/^id,model,title,created,organism,instrument,/);
    expect(header!.split(",")).toEqual(expect.arrayContaining(["ph", "kd", "kd_unit", "temperature"]));
    expect(line!.startsWith(`${id},mst,"Lysozyme, ""hen"" egg",20`)).toBe(true);
    expect(rest).toEqual([]);
    const negotiated = await send("/api/search", { accept: "text/csv" });
    expect(negotiated.headers["content-disposition"]).toBe('attachment; filename="records.csv"');
    expect(negotiated.body.split("\r\n")).toHaveLength(4);
  });

  it("has the columns asked for, by name or path, several values in one", async () => {
    expect(await table("fields=id,kd&fields=record_information.title")).toEqual([
      "id,kd,kd_unit,record_information.title",
      `${id},2.5; 3,nM; µM,"Lysozyme, ""hen"" egg"`,
    ]);
    const path = "metadata.general_parameters.results.value";
    expect(await table(`fields=${path},version`)).toEqual([
      `${path},${path}_unit,version`,
      "2.5; 3; 7,nM; µM; mg/mL,1",
    ]);
  });

  it("has a line for each element of a list, with the columns of its record", async () => {
    expect(await table("rows=results&fields=id,title,type,value,name")).toEqual([
      "id,title,type,value,value_unit,name",
      `${id},"Lysozyme, ""hen"" egg",${KD},2.5,nM,'=cmd()`,
      `${id},"Lysozyme, ""hen"" egg",${KD},3,µM,second`,
      `${id},"Lysozyme, ""hen"" egg",Concentration,7,mg/mL,third`,
    ]);
    expect((await table("rows=results"))[0]).toBe("id,model,title,type,entities_involved,value,value_unit,name");
    expect(await table("rows=results&fields=results.id")).toEqual(["results.id", "result-0", "result-1", "result-2"]);
    expect((await table("rows=entities_of_interest&fields=name,type")).length).toBeGreaterThan(2);
  });

  it("has only the elements that the query asks for", async () => {
    const matched = async (q: string) => {
      const url = `/api/records/mst?format=csv&rows=results&matched=true&fields=value&q=${encodeURIComponent(q)}`;
      return (await send(url)).body.split("\r\n").slice(1, -1);
    };
    expect(await matched("lysozyme kd:<10nM")).toEqual(["2.5,nM"]);
    expect(await matched(`lysozyme results:(type:"${KD}" AND value:>1µM)`)).toEqual(["3,µM"]);
    expect(await matched("lysozyme results:(name:third)")).toEqual(["7,mg/mL"]);
    expect(await matched("lysozyme (kd:<10nM OR results:(name:third))")).toEqual(["2.5,nM", "7,mg/mL"]);
    expect(await matched("lysozyme -results:(name:nothing)")).toHaveLength(3);
  });

  it("converts a column, and leaves out what is of another dimension", async () => {
    expect(await table("rows=results&fields=kd,value&unit.kd=nM&unit.value=nM")).toEqual([
      "kd,kd_unit,value,value_unit",
      "2.5,nM,2.5,nM",
      "3000,nM,3000,nM",
      ",,,",
    ]);
  });

  it.each([
    ["fields=colour", "fields", "organism"],
    ["rows=colours", "rows", "results"],
    ["fields=id&unit.kd=nM", "unit.kd", "id"],
    ["fields=kd&unit.kd=furlong", "unit.kd", "nM"],
  ])("refuses %s, and lists what there is", async (parameters, field, known) => {
    const answer = (await send(`/api/records/mst?format=csv&${parameters}`)).json();
    expect(answer).toMatchObject({ status: 400, code: "PARAMETER_INVALID", errors: [{ field }] });
    expect(answer.errors[0].allowed).toContain(known);
  });

  it("refuses columns of what is no table", async () => {
    for (const parameters of ["fields=id", "rows=results", "unit.kd=nM", "format=bibtex&fields=id", "matched=true"]) {
      expect((await send(`/api/records/mst?${parameters}`)).json(), parameters).toMatchObject({ status: 400 });
    }
  });
});

it("has the same columns as NDJSON, with numbers and lists", async () => {
  expect(await rows("fields=id,kd,ph,publication")).toEqual([
    { id, kd: [2.5, 3], kd_unit: ["nM", "µM"], ph: expect.any(Number), publication: null },
  ]);
  expect(await rows("rows=results&fields=value&unit.value=nM")).toEqual([
    { value: 2.5, value_unit: "nM" },
    { value: 3000, value_unit: "nM" },
    { value: null, value_unit: null },
  ]);
});

it("is there for the items of a vocabulary", async () => {
  const answer = await send("/api/vocabularies/chemicals?q=water&format=csv&fields=id,title,molecular_weight");
  expect(answer.body.split("\r\n")[0]).toBe("id,title,molecular_weight,molecular_weight_unit");
  expect(answer.body).toContain("inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N,Water,18.015,g/mol\r\n");
  expect((await send("/api/vocabularies/chemicals?format=csv")).body.split("\r\n")[0]).toMatch(/^id,title,status,/);
  expect((await send("/api/vocabularies/chemicals?format=csv&fields=colour")).json().errors[0].field).toBe("fields");
  expect((await send("/api/vocabularies/chemicals?format=csv&rows=results")).statusCode).toBe(200);
});
