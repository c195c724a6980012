import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, startInProcess } from "../../test/support/in-process-server.js";
import { makeRecord } from "../../test/support/records.js";
import { rowsIn, unzip } from "../../test/support/workbook.js";

let server: InProcessServer;
let alice: Record<string, string>;
let id: string;

const KD = "Constant of dissociation KD";
const ERROR = { lower: 0.1, upper: 0.3, is_relative: false };
const RESULTS = [
  { id: "result-0", name: "=cmd()", type: KD, value: 2.5, unit: "nM", value_error: ERROR, entities_involved: [] },
  { id: "result-1", name: "second", type: KD, value: 3, unit: "µM", entities_involved: [] },
  { id: "result-2", name: "third", type: "Concentration", value: 7, unit: "mg/mL", entities_involved: [] },
];

const send = (url: string, headers: object = {}) => server.app.inject({ url, headers: { ...headers } });
const post = async (url: string, payload?: object) => {
  const answer = await server.app.inject({
    method: "POST",
    url,
    headers: alice,
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

const NO_ERROR = { value_error_lower: null, value_error_upper: null, value_error_is_relative: null };

/** Names of the columns of the error of a quantity. */
const ofError = (name: string): string => ["lower", "upper", "is_relative"].map((end) => `${name}_error_${end}`).join();

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
      `id,kd,kd_unit,${ofError("kd")},kd_derived,record_information.title`,
      `${id},2.5; 3,nM; µM,"0.1; ","0.3; ","false; ",false,"Lysozyme, ""hen"" egg"`,
    ]);
    const path = "metadata.general_parameters.results.value";
    expect(await table(`fields=${path},version`)).toEqual([
      `${path},${path}_unit,${ofError(path)},version`,
      '2.5; 3; 7,nM; µM; mg/mL,"0.1; ; ","0.3; ; ","false; ; ",1',
    ]);
  });

  it("has a line for each element of a list, with the columns of its record", async () => {
    expect(await table("rows=results&fields=id,title,type,value,name")).toEqual([
      `id,title,type,value,value_unit,${ofError("value")},name`,
      `${id},"Lysozyme, ""hen"" egg",${KD},2.5,nM,0.1,0.3,false,'=cmd()`,
      `${id},"Lysozyme, ""hen"" egg",${KD},3,µM,,,,second`,
      `${id},"Lysozyme, ""hen"" egg",Concentration,7,mg/mL,,,,third`,
    ]);
    expect((await table("rows=results"))[0]).toBe(
      `id,model,title,type,entities_involved,value,value_unit,${ofError("value")},name`,
    );
    expect(await table("rows=results&fields=results.id")).toEqual(["results.id", "result-0", "result-1", "result-2"]);
    expect((await table("rows=entities_of_interest&fields=name,type")).length).toBeGreaterThan(2);
  });

  it("has only the elements that the query asks for", async () => {
    const matched = async (q: string) => {
      const url = `/api/records/mst?format=csv&rows=results&matched=true&fields=value&q=${encodeURIComponent(q)}`;
      return (await send(url)).body
        .split("\r\n")
        .slice(1, -1)
        .map((line) => line.split(",").slice(0, 2).join(","));
    };
    expect(await matched("lysozyme kd:<10nM")).toEqual(["2.5,nM"]);
    expect(await matched(`lysozyme results:(type:"${KD}" AND value:>1µM)`)).toEqual(["3,µM"]);
    expect(await matched("lysozyme results:(name:third)")).toEqual(["7,mg/mL"]);
    expect(await matched("lysozyme (kd:<10nM OR results:(name:third))")).toEqual(["2.5,nM", "7,mg/mL"]);
    expect(await matched("lysozyme -results:(name:nothing)")).toHaveLength(3);
  });

  it("converts a column, and leaves out what is of another dimension", async () => {
    expect(await table("rows=results&fields=kd,value&unit.kd=nM&unit.value=nM")).toEqual([
      `kd,kd_unit,${ofError("kd")},kd_derived,value,value_unit,${ofError("value")}`,
      "2.5,nM,0.1,0.3,false,false,2.5,nM,0.1,0.3,false",
      "3000,nM,,,,false,3000,nM,,,",
      ",,,,,,,,,,",
    ]);
    expect((await table("rows=results&fields=value&unit.value=pM"))[1]).toBe("2500,pM,100,300,false");
    expect(await table("fields=kd&unit.kd=pM")).toEqual([
      `kd,kd_unit,${ofError("kd")},kd_derived`,
      '2500; 3000000,pM,"100; ","300; ","false; ",false',
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
    {
      id,
      kd: [2.5, 3],
      kd_unit: ["nM", "µM"],
      kd_error_lower: [0.1, null],
      kd_error_upper: [0.3, null],
      kd_error_is_relative: [false, null],
      kd_derived: [false, false],
      ph: expect.any(Number),
      publication: null,
    },
  ]);
  expect(await rows("rows=results&fields=value&unit.value=nM")).toEqual([
    { value: 2.5, value_unit: "nM", value_error_lower: 0.1, value_error_upper: 0.3, value_error_is_relative: false },
    { value: 3000, value_unit: "nM", ...NO_ERROR },
    { value: null, value_unit: null, ...NO_ERROR },
  ]);
});

describe("derived quantities in a table", () => {
  const KA = "Constant of association KA";
  const tableOf = async (parameters: string) => {
    const { body } = await send(`/api/records/mst?q=title:affine+kd:2.5nM&format=csv&${parameters}`);
    return body.split("\r\n").slice(0, -1);
  };
  beforeAll(async () => {
    const { metadata } = makeRecord(4, { title: "Affine" });
    const general = metadata.general_parameters as { results: readonly Record<string, unknown>[] };
    const [entity] = general.results[0]!.entities_involved as readonly Record<string, unknown>[];
    const results = [
      { type: KA, value: 4e8, unit: "M^-1", value_error: { lower: 0.25, upper: 0.5, is_relative: true } },
      { type: "Hill coefficient", value: 1, unit: "unitless" },
    ].map((result, i) => ({ ...result, id: `result-${i}`, name: `r${i}`, entities_involved: [entity] }));
    const body = { metadata: { ...metadata, general_parameters: { ...general, results } } };
    const draft = await post("/api/records/mst", body);
    await post(`/api/records/mst/${draft.id}/draft/actions/publish`);
  });

  it("are marked, with the errors that follow from those of their sources", async () => {
    expect(await tableOf("fields=ka,kd&unit.kd=nM")).toEqual([
      `ka,ka_unit,${ofError("ka")},ka_derived,kd,kd_unit,${ofError("kd")},kd_derived`,
      "400000000,M^-1,0.25,0.5,true,false,2.5,nM,1.25,0.625,false,true",
    ]);
  });

  it("stand in the row of their source", async () => {
    expect(await tableOf("rows=results&fields=name,kd")).toEqual([
      `name,kd,kd_unit,${ofError("kd")},kd_derived`,
      "r0,2.5e-9,M,1.25e-9,6.25e-10,false,true",
      "r1,,,,,,",
    ]);
    expect(await tableOf("rows=results&matched=true&fields=name")).toEqual(["name", "r0"]);
    expect(await tableOf("rows=entities_of_interest&fields=kd")).toContain("2.5e-9,M,1.25e-9,6.25e-10,false,true");
  });
});

describe("people and objects in a table", () => {
  const person = (family_name: string, given_name: string) => ({ family_name, given_name });
  beforeAll(async () => {
    const { metadata } = makeRecord(3, { title: "Peopled" });
    const general = metadata.general_parameters as Record<string, unknown>;
    const ann = person("Roe", "Ann");
    const depositors = {
      depositor: person("Doe", "Jane M."),
      principal_contact: person("Doe", "Jane M."),
      contributors: [ann, person("王", "小明"), ann],
    };
    const body = {
      metadata: { ...metadata, general_parameters: { ...general, depositors } },
    };
    const record = await post("/api/records/mst", body);
    await post(`/api/records/mst/${record.id}/draft/actions/publish`);
  });
  const cells = async (fields: string, format = "csv") => {
    const { body } = await send(`/api/records/mst?q=peopled&format=${format}&fields=${fields}`);
    return body.split(/\r?\n/);
  };

  it.each([
    ["depositor", '"Doe, Jane M."'],
    ["contact", '"Doe, Jane M."'],
    ["contributor", '"Roe, Ann; 王, 小明"'],
    ["depositors", '"Doe, Jane M.; Roe, Ann; 王, 小明"'],
    ["general_parameters.depositors.contributors", '"Roe, Ann; 王, 小明"'],
  ])("shows %s by family name and given name", async (field, text) => {
    expect((await cells(field))[1]).toBe(text);
  });

  it("lists people in NDJSON", async () => {
    expect(JSON.parse((await cells("contributor,depositor", "ndjson"))[0]!)).toEqual({
      contributor: ["Roe, Ann", "王, 小明"],
      depositor: "Doe, Jane M.",
    });
  });

  it("leaves no column empty whose field has something in the record", async () => {
    const { errors } = (await send("/api/records/mst?format=csv&fields=nothing-of-this-name")).json();
    const offered = errors[0].allowed as string[];
    expect(offered.length).toBeGreaterThan(20);
    const [found] = (await send("/api/records/mst?q=peopled")).json().hits.hits;
    const { fields } = (await send("/api/fields?model=mst")).json();
    const pathOf = new Map<string, string>(
      (fields ?? []).flatMap((each: { name: string; path?: string }) => (each.path ? [[each.name, each.path]] : [])),
    );
    for (const name of offered) {
      const [row] = (await cells(name, "ndjson")).map((line) => (line === "" ? {} : JSON.parse(line)));
      const path = pathOf.get(name);
      const value = path
        ?.split(".")
        .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], found);
      if (value !== undefined) expect(row[name], name).not.toBeNull();
    }
  });
});

describe("CSV for Excel", () => {
  const RECORD = "/api/records/mst/:id";
  const TABLES: readonly (readonly [url: string, number: string])[] = [
    ["/api/records/mst?q=lysozyme&format=csv", "2.5; 3"],
    ["/api/records/mst?q=lysozyme&format=csv&fields=id,kd,ph", "2.5; 3"],
    ["/api/records/mst?q=lysozyme&format=csv&rows=results&fields=type,name,value&unit.value=pM", "2500"],
    ["/api/records/mst?q=lysozyme&format=csv&rows=results&fields=type,name,value", "2.5"],
    ["/api/search?q=lysozyme&format=results", "2.5"],
    [`${RECORD}?format=results`, "2.5"],
    ["/records/:id/export/results?", "2.5"],
    ["/api/vocabularies/chemicals?q=water&format=csv", "18.015"],
    ["/api/vocabularies/chemicals?q=water&format=csv&fields=title,molecular_weight", "18.015"],
  ];
  const DIALECTS = [
    ["true", ";", ","],
    ["semicolon", ";", ","],
    ["comma", ",", "."],
  ] as const;
  const cases = TABLES.flatMap(([url, number]) => DIALECTS.map((dialect) => [url, number, ...dialect] as const));
  const read = async (url: string, accept?: string): Promise<string> => {
    const answer = await send(url.replace(":id", id), accept === undefined ? {} : { accept });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
    return answer.body;
  };
  const cellsIn = (body: string, separator: string): readonly (readonly string[])[] =>
    body.split("\r\n").map((row) => {
      const cells = [
        ...`${row}${separator}`.matchAll(new RegExp(`("(?:[^"]|"")*"|[^"${separator}]*)${separator}`, "g")),
      ];
      return cells.map(([, cell]) => (cell!.startsWith('"') ? cell!.slice(1, -1).replaceAll('""', '"') : cell!));
    });

  it.each(cases)("%s has %s in cells that Excel reads: excel=%s", async (url, number, excel, separator, decimal) => {
    const plain = await read(url);
    const body = await read(`${url}&excel=${excel}`);
    expect(body.startsWith("\ufeff")).toBe(true);
    expect(plain.startsWith("\ufeff")).toBe(false);
    const numbers = /^[-\d.e+; ]+$/;
    const localised = (cell: string): string => (numbers.test(cell) ? cell.replaceAll(".", decimal) : cell);
    const cells = cellsIn(plain, ",");
    expect(cells.flat()).toContain(number);
    expect(cellsIn(body.slice(1), separator)).toEqual(cells.map((row) => row.map(localised)));
  });

  it("is there for a type in Accept, and for drafts", async () => {
    const body = await read(`${RECORD}?format=results&excel=comma`);
    expect(await read(`${RECORD}?excel=comma`, "text/csv")).toBe(body);
    await post(`/api/records/mst/${id}/draft`);
    const draft = await send(`/api/records/mst/${id}/draft?format=results&excel=comma`, alice);
    expect(draft.body).toBe(body);
    expect(await read("/api/search?q=lysozyme&excel=false", "text/csv")).not.toContain("\ufeff");
  });

  it.each([
    "/api/records/mst?excel=true",
    "/api/records/mst?format=ndjson&excel=true",
    "/api/records/mst?format=bibtex&excel=semicolon",
    "/api/records/mst?format=csv&excel=tab",
    "/api/vocabularies/chemicals?format=turtle&excel=comma",
    `${RECORD}?excel=comma`,
    "/records/:id/export/bibtex?excel=comma",
    "/records/:id/export/results?excel=tab",
  ])("is refused for what is not CSV: %s", async (url) => {
    const answer = (await send(url.replace(":id", id))).json();
    expect(answer).toMatchObject({ status: 400, code: "PARAMETER_INVALID", errors: [{ field: "excel" }] });
  });

  it("has columns of a table, but not of the results of a search", async () => {
    expect((await send("/api/search?format=results&excel=comma&fields=id")).statusCode).toBe(400);
  });
});

it("names the kind and the partners of results alike in all tables", async () => {
  const [head = ""] = (await send(`/records/${id}/export/results`)).body.split("\r\n");
  const [other = ""] = await table("rows=results");
  for (const name of ["type", "entities_involved"]) {
    expect(head.split(",")).toContain(name);
    expect(other.split(",")).toContain(name);
  }
});

it("is there for the items of a vocabulary", async () => {
  const answer = await send("/api/vocabularies/chemicals?q=water&format=csv&fields=id,title,molecular_weight");
  expect(answer.body.split("\r\n")[0]).toBe("id,title,molecular_weight,molecular_weight_unit");
  expect(answer.body).toContain("inchikey:XLYOFNOQVPJJNP-UHFFFAOYSA-N,Water,18.015,g/mol\r\n");
  expect((await send("/api/vocabularies/chemicals?format=csv")).body.split("\r\n")[0]).toMatch(/^id,title,status,/);
  expect((await send("/api/vocabularies/chemicals?format=csv&fields=colour")).json().errors[0].field).toBe("fields");
  expect((await send("/api/vocabularies/chemicals?format=csv&rows=results")).statusCode).toBe(200);
});

describe("a workbook of Excel", () => {
  const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  const workbook = async (url: string, headers: object = {}) => {
    const { statusCode, headers: answered, rawPayload } = await send(url, headers);
    expect([statusCode, answered["content-type"]]).toEqual([200, XLSX]);
    const files = unzip(rawPayload);
    const [data = [], about = []] = [1, 2].map((number) => rowsIn(files.get(`xl/worksheets/sheet${number}.xml`)!));
    const lines = about.map((row) => row.map(([, content]) => content) as [string, string]);
    return { data, about: new Map(lines), name: answered["content-disposition"] };
  };

  it.each([
    "rows=results&fields=id,title,name,value",
    "fields=id,title,kd&unit.kd=nM",
    "rows=results&matched=true",
    "",
  ])("has the cells of CSV, numbers as numbers and texts as they are: %s", async (parameters) => {
    const { data, name } = await workbook(`/api/records/mst?q=lysozyme&format=xlsx&${parameters}`);
    expect(name).toBe('attachment; filename="mst.xlsx"');
    const csv = (await table(parameters)).map((line) => cellsOf(line));
    expect(data.map((row) => row.map(([, content]) => content))).toEqual(
      csv.map((row) => row.map((cell) => ({ true: "1", false: "0" })[cell] ?? cell.replace(/^'(?==)/, ""))),
    );
    for (const [type, content] of data.slice(1).flat()) {
      if (/^-?[\d.]+(e[+-]?\d+)?$/.test(content) && type !== "b") expect([type, content]).toEqual(["n", content]);
    }
  });

  it("is what a media type asks for, and says what it has, from where and when, under which license", async () => {
    const { about } = await workbook("/api/search?q=lysozyme&kd=1e-9..1e-8", { accept: XLSX });
    expect([...about.keys()]).toEqual(["Source", "Query", "Filter kd", "Address", "Date", "License"]);
    expect(about.get("Query")).toBe("lysozyme");
    expect(about.get("Address")).toBe(`${about.get("Source")}/api/search?q=lysozyme&kd=1e-9..1e-8`);
    expect(about.get("Date")).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(about.get("License")).toMatch(/./);
  });

  it("also has the terms of a vocabulary", async () => {
    const { data, about } = await workbook("/api/vocabularies/organisms?q=homo&format=xlsx&fields=id,title");
    expect(data[0]!.map(([, content]) => content)).toEqual(["id", "title"]);
    expect(data.length).toBeGreaterThan(1);
    expect(about.get("Query")).toBe("homo");
  });
});

/** The cells of a line of CSV. */
function cellsOf(line: string): readonly string[] {
  const cells = [...`${line},`.matchAll(/("(?:[^"]|"")*"|[^",]*),/g)].map(([, cell]) => cell!);
  return cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}
