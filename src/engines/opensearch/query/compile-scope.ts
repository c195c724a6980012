import type { RecordScope } from "../../../ports/search-index.js";
import { allOf, anyOf, EVERYTHING, hasToken, notOf, type Query } from "./dsl.js";

const DRAFT = hasToken("state", ["draft"]);
const PUBLISHED = hasToken("state", ["published"]);
/** Has the id the other state too? */
const HAS_TWIN = hasToken("twin", [true]);

/** What a caller may find. */
export function compileScope(scope: RecordScope): Query {
  const models = hasToken("model", scope.models);
  switch (scope.kind) {
    case "public":
      return allOf([models, shown(scope.allVersions)]);
    case "readable": {
      const { user } = scope;
      const theirs = user === undefined ? EVERYTHING : anyOf([hasToken("owner", [user]), hasToken("share", [user])]);
      return allOf([models, anyOf([shown(scope.allVersions), allOf([DRAFT, theirs])])]);
    }
    case "owner": {
      const withoutDraft = allOf([shown(scope.allVersions), notOf(HAS_TWIN)]);
      return allOf([
        ...[models, hasToken("owner", [scope.owner]), anyOf([DRAFT, withoutDraft])],
        whetherPublished(scope.isPublished),
      ]);
    }
    case "shared":
      return allOf([models, DRAFT, hasToken("share", [scope.user]), whetherPublished(scope.isPublished)]);
    case "drafts":
      return allOf([models, DRAFT, whetherPublished(scope.isPublished)]);
  }
}

const shown = (allVersions = false): Query =>
  allVersions ? PUBLISHED : allOf([PUBLISHED, hasToken("latest", [true])]);

/** Has its id a published record, where that matters? */
function whetherPublished(wanted: boolean | undefined): Query {
  if (wanted === undefined) return EVERYTHING;
  const isPublished = anyOf([PUBLISHED, HAS_TWIN]);
  return wanted ? isPublished : notOf(isPublished);
}
