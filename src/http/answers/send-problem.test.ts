import { errorCodes } from "fastify";
import { describe, expect, it } from "vitest";
import { ERRORS } from "../../core/errors.js";
import { problemHeaders, problemOf, toBinderyError } from "./send-problem.js";

const made = Object.entries(errorCodes).map(([name, FrameworkError]) => {
  const error = new (FrameworkError as new (...params: string[]) => Error & { statusCode?: number })("a", "b", "c");
  return { name, error, status: error.statusCode ?? 500 };
});
const refusals = made.filter(({ status }) => status >= 400 && status < 500);

describe("an error of Fastify", () => {
  it("has a status of the client's for a dozen codes", () => expect(refusals.length).toBeGreaterThan(10));

  it.each(refusals)("of a client's fault is one of the catalogue, in our shape: $name", ({ error }) => {
    const known = toBinderyError(error);
    expect(known.status).toBeGreaterThanOrEqual(400);
    expect(known.status).toBeLessThan(500);
    expect(Object.keys(ERRORS)).toContain(known.code);
    const problem = problemOf(known, "id");
    expect(problem).toEqual({
      status: known.status,
      code: known.code,
      message: expect.stringMatching(/^[A-Z].*[^.]\.$/s),
      errors: [],
      request_id: "id",
    });
    expect(problemHeaders(known)["content-type"]).toBe("application/json; charset=utf-8");
  });

  it.each(made.filter(({ status }) => status >= 500).slice(0, 10))("of ours stays ours: $name", ({ error }) => {
    expect(toBinderyError(error)).toMatchObject({ code: "INTERNAL", cause: error });
  });
});
