import { describe, expect, it } from "vitest";
import { makeAnswerCheck, type SentAnswer } from "./check-answers.js";

const JSON_TYPE = "application/json; charset=utf-8";
const FILES = { enabled: false, entries: [] };

const filesAnswer = (body: unknown, more: Partial<SentAnswer> = {}): SentAnswer => ({
  method: "GET",
  path: "/api/records/mst/zv0gv-btp27/files/?x=y",
  status: 200,
  type: JSON_TYPE,
  text: JSON.stringify(body),
  ...more,
});

describe("the check of answers", () => {
  it("accepts an answer as it is documented, and remembers it", () => {
    const { check, checked } = makeAnswerCheck();
    expect(check(filesAnswer(FILES))).toEqual([]);
    expect([...checked]).toEqual(["listRecordFiles 200"]);
  });

  it.each([
    ["a member that no schema names", filesAnswer({ ...FILES, count: 0 }), "must NOT have additional properties"],
    ["no member that a schema requires", filesAnswer({ enabled: true }), "must have required property 'entries'"],
    ["a status that is not documented", filesAnswer(FILES, { status: 202 }), "documents no status 202"],
    ["another media type", filesAnswer(FILES, { type: "text/csv" }), "its type is text/csv"],
    [
      "a problem without its members",
      filesAnswer({ status: 404 }, { status: 404 }),
      "must have required property 'code'",
    ],
    [
      "a body where there is none",
      filesAnswer(FILES, { path: "/api/records/mst/a/versions/latest", status: 301 }),
      "body",
    ],
  ])("finds %s", (_, answer, problem) => {
    const { check, checked } = makeAnswerCheck();
    expect(check(answer)).toContainEqual(expect.stringContaining(problem));
    expect([...checked]).toEqual([]);
  });

  it("prefers the path that names more of its segments, and ignores paths that are not documented", () => {
    const { check } = makeAnswerCheck();
    const answer = filesAnswer({}, { path: "/api/search/fields" });
    expect(check(answer)[0]).toMatch(/^listFields 200: /);
    expect(check({ ...answer, path: "/about" })).toEqual([]);
    expect(check({ ...answer, method: "OPTIONS" })).toEqual([]);
  });

  it("checks each line of a stream of changes", () => {
    const { check } = makeAnswerCheck();
    const answer = { path: "/api/changes", type: "application/x-ndjson", text: '{"seq":1}\n{"seq":0}\n' };
    expect(check(filesAnswer({}, answer)).filter((problem) => problem.includes("'time'"))).toHaveLength(2);
  });
});
