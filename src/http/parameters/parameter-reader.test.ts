import { type TSchema, Type } from "typebox";
import { describe, expect, it } from "vitest";
import { BinderyError } from "../../core/errors.js";
import { ListQuery, PageQuery } from "./list-parameters.js";
import { declareQuery, parameter, type QueryDeclaration } from "./parameter.js";
import { readParameters } from "./parameter-reader.js";
import { ChangesQuery, CreateQuery, SchemaQuery, SingleQuery } from "./requests.js";
import { OwnSearchQuery, RecordSearchQuery, TermSearchQuery } from "./search-parameters.js";
import { parseQueryString } from "./url-encoding.js";

const QUERIES: Readonly<Record<string, QueryDeclaration>> = {
  SingleQuery,
  CreateQuery,
  SchemaQuery,
  ChangesQuery,
  PageQuery,
  ListQuery,
  RecordSearchQuery,
  OwnSearchQuery,
  TermSearchQuery,
};

/** What OpenAPI shows of a parameter. */
interface Shown {
  readonly type: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

const CASES = Object.entries(QUERIES).flatMap(([query, declared]) => {
  const { properties } = declared.schema as TSchema as unknown as { readonly properties: Record<string, Shown> };
  return Object.entries(properties).map(([name, shown]) => ({ query, declared, name, shown }));
});

const read = (declared: QueryDeclaration, text: string) => readParameters(declared, parseQueryString(text));

function issuesOf(declared: QueryDeclaration, text: string) {
  try {
    read(declared, text);
  } catch (error) {
    if (error instanceof BinderyError) return error.issues;
    throw error;
  }
  return [];
}

/** Those whose values are read by what is shown; facets are read by their kind. */
const READ = CASES.filter(
  ({ declared, name }) =>
    declared.parameters[name]?.isFacet !== true && declared.parameters[name]?.prefix === undefined,
);

describe("a query string is read as it is shown", () => {
  it.each(CASES.filter(({ declared, name }) => name in declared.parameters))(
    "$query: the default of $name",
    ({ declared, name, shown }) => expect(read(declared, "").values[name]).toEqual(shown.default),
  );

  it.each(READ.filter(({ shown }) => shown.enum !== undefined))(
    "$query: the words of $name",
    ({ declared, name, shown }) => {
      for (const word of shown.enum!) expect(issuesOf(declared, `${name}=${word}`)).toEqual([]);
      expect(issuesOf(declared, `${name}=other`)).toMatchObject([{ field: name, value: "other", allowed: shown.enum }]);
    },
  );

  it.each(READ.filter(({ shown }) => shown.type === "boolean"))("$query: $name is true or false", (each) => {
    const { declared, name } = each;
    expect(read(declared, `${name}=true`).values[name]).toBe(true);
    expect(read(declared, `${name}=0`).values[name]).toBe(false);
    expect(issuesOf(declared, `${name}=no`)).toMatchObject([{ field: name, value: "no" }]);
  });

  it.each(READ.filter(({ shown }) => shown.minimum !== undefined))("$query: the limits of $name", (each) => {
    const { declared, name } = each;
    const { minimum = 0, maximum } = each.shown;
    expect(issuesOf(declared, `${name}=${minimum}`)).toEqual([]);
    expect(issuesOf(declared, `${name}=${minimum - 1}`)).toMatchObject([{ field: name }]);
    if (maximum === undefined) return;
    expect(issuesOf(declared, `${name}=${maximum}`)).toEqual([]);
    expect(issuesOf(declared, `${name}=${maximum + 1}`)).toMatchObject([{ field: name }]);
  });

  it.each(READ.filter(({ shown }) => shown.maxItems !== undefined))("$query: how many of $name", (each) => {
    const { declared, name, shown } = each;
    const values = Array.from({ length: shown.maxItems! + 1 }, () => `${name}=a`);
    expect(issuesOf(declared, values.slice(1).join("&"))).toEqual([]);
    expect(issuesOf(declared, values.join("&"))).toMatchObject([{ field: name }]);
  });

  it.each(READ.filter(({ shown }) => shown.type !== "array"))("$query: $name is sent once", ({ declared, name }) => {
    expect(issuesOf(declared, `${name}=1&${name}=1`).map(({ code }) => code)).toContain("PARAMETER_REPEATED");
  });
});

describe("a parameter that is declared", () => {
  const tint = parameter(Type.String({ pattern: "^[a-z]+$" }), {
    alias: "t",
    elsewhere: ["color"],
    hint: "Send tint.",
  });
  const Query = declareQuery({
    tint,
    depth: parameter(Type.Number({ minimum: 0, maximum: 1 }), { default: 0.5 }),
    tags: parameter(Type.Array(Type.String(), { maxItems: 2 }), { conflicts: { tint: "Not both." } }),
  });
  const Flags = declareQuery({
    all: parameter(Type.Boolean(), { default: false }),
    own: parameter(Type.Boolean(), { default: false, conflicts: { all: "Not both." } }),
  });

  it("conflicts with another flag only if both are true", () => {
    for (const query of ["all=false&own=true", "all=1&own=0", "all=0&own=false"]) read(Flags, query);
    expect(issuesOf(Flags, "all=1&own=true")).toMatchObject([{ field: "own", code: "PARAMETERS_CONFLICT" }]);
  });

  it.each([
    ["0.95873228705791", 0.95873228705791],
    ["1e-05", 1e-5],
    ["0.5e-1", 0.05],
  ])("reads %s", (text, depth) => {
    expect(read(Query, `depth=${text}`).values).toMatchObject({ depth });
  });

  it("is shown, checked and read, without another word", () => {
    expect(Object.keys((Query.schema as TSchema as unknown as { properties: object }).properties)).toEqual([
      "tint",
      "t",
      "depth",
      "tags",
    ]);
    expect(read(Query, "t=red&depth=0.25")).toMatchObject({ values: { tint: "red", depth: 0.25 }, warnings: [] });
    expect(read(Query, "tags=a&tags=b").values).toEqual({ tint: undefined, depth: 0.5, tags: ["a", "b"] });
    expect(issuesOf(Query, "t=RED&depth=2").map(({ messages }) => messages[0])).toEqual([
      'The parameter "t" must be a text like ^[a-z]+$, not "RED".',
      'The parameter "depth" must be a number from 0 to 1, not "2".',
    ]);
    expect(issuesOf(Query, "tags=a&t=red")).toMatchObject([
      { field: "tags", code: "PARAMETERS_CONFLICT", messages: ["Not both."] },
    ]);
    expect(read(Query, "Color=red").warnings).toMatchObject([
      { parameter: "Color", nearest: ["tint"], message: expect.stringContaining("Send tint.") },
    ]);
  });
});
