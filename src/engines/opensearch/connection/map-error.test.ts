import { expect, it } from "vitest";
import { mapFailure } from "./map-error.js";

const refused = (type: string, reason: string): object => ({ error: { type, reason, root_cause: [] } });

it.each([
  ["circuit_breaking_exception", "[parent] Data too large, data for [<http_request>] would be larger"],
  [
    "task_cancelled_exception",
    "cancelled task with reason: Fatal failure during search: [parent] Data too large, data for [<reduce_aggs>]",
  ],
])("says of %s that the search engine has no memory, not that the search is too costly", (type, reason) => {
  const error = mapFailure(500, refused(type, reason));
  expect(error).toMatchObject({
    code: "SEARCH_UNAVAILABLE",
    params: { reason: "the search engine has no memory left" },
  });
});

it("says of a search that took too long that it is too costly", () => {
  const error = mapFailure(500, refused("task_cancelled_exception", "Cancellation timeout of 30s is expired"));
  expect(error).toMatchObject({ status: 500, type: "task_cancelled_exception" });
});
