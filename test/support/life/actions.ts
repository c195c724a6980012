import type { SmallContent } from "../small-record.js";
import type { Caller, Content, UserName, World } from "./world.js";

/** Which revision `If-Match` names: that of what is there, or an older one. */
export type IfMatch = "right" | "bare" | "wrong";

interface About {
  readonly by: Caller;
  /** Place among `world.versions`. */
  readonly at: number;
}

interface Keyed {
  /** Idempotency-Key, within those of the user. */
  readonly key?: string | undefined;
}

interface Conditional {
  readonly ifMatch?: IfMatch | undefined;
}

/** A write, as somebody asks for it. */
export type Action =
  | ({ readonly kind: "create"; readonly by: Caller; readonly model: SmallContent["model"] } & WithContent & Keyed)
  | ({ readonly kind: "replace" } & About & WithContent & Conditional)
  | ({ readonly kind: "deleteDraft" } & About & Conditional)
  | ({ readonly kind: "publish" } & About & Conditional & Keyed)
  | ({ readonly kind: "edit" } & About & Conditional & Keyed)
  | ({ readonly kind: "newVersion" } & About & Conditional & Keyed)
  | ({ readonly kind: "retract"; readonly reason?: string | undefined } & About & Conditional)
  | ({ readonly kind: "share"; readonly user: UserName; readonly permission: "read" | "write" } & About & Keyed)
  | ({ readonly kind: "unshare"; readonly user: UserName } & About);

interface WithContent {
  readonly content: Content;
}

/** What a request says over HTTP. */
export interface Asked {
  readonly method: "POST" | "PUT" | "DELETE";
  /** From the model on. */
  readonly path: string;
  /** What is sent as JSON; of a record its content. */
  readonly body?: Content | Readonly<Record<string, string>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Their `If-Match` names the revision of the published record, that of the others the draft's. */
const OF_THE_RECORD: ReadonlySet<Action["kind"]> = new Set(["edit", "newVersion", "retract"]);

/** The request of an action. Names of users are those of the model. */
export function askedOf(world: World, action: Action): Asked {
  const key = "key" in action && action.key !== undefined ? { "idempotency-key": action.key } : {};
  if (action.kind === "create") {
    return { method: "POST", path: `${action.model}/`, body: action.content, headers: key };
  }
  const { model, id } = world.versions[action.at]!;
  const headers = { ...key, ...ifMatchOf(world, action) };
  const record = `${model}/${id}`;
  const draft = `${record}/draft`;
  switch (action.kind) {
    case "replace":
      return { method: "PUT", path: draft, body: action.content, headers };
    case "deleteDraft":
      return { method: "DELETE", path: draft, headers };
    case "publish":
      return { method: "POST", path: `${draft}/actions/publish`, headers };
    case "edit":
      return { method: "POST", path: draft, headers };
    case "newVersion":
      return { method: "POST", path: `${record}/versions`, headers };
    case "retract": {
      const body = action.reason === undefined ? undefined : { removal_reason: action.reason };
      return { method: "DELETE", path: record, body, headers };
    }
    case "share": {
      const { user, permission } = action;
      return { method: "POST", path: `${draft}/access/grants`, body: { user, permission }, headers };
    }
    case "unshare":
      return { method: "DELETE", path: `${draft}/access/grants/${action.user}`, headers };
  }
}

/** The revision that an action's `If-Match` names, if it has one. */
export function namedRevision(world: World, action: Action): number | undefined {
  if (!("ifMatch" in action) || action.ifMatch === undefined) return undefined;
  const version = world.versions[action.at]!;
  const row = OF_THE_RECORD.has(action.kind) ? version.record : version.draft;
  const revision = row?.revision ?? version.lastRevision;
  return action.ifMatch === "wrong" ? Math.max(revision - 1, 0) : revision;
}

function ifMatchOf(world: World, action: Action): Readonly<Record<string, string>> {
  const revision = namedRevision(world, action);
  if (revision === undefined) return {};
  return { "if-match": "ifMatch" in action && action.ifMatch === "bare" ? `${revision}` : `"${revision}"` };
}

/** An action as a failure shows it. */
export function describeAction({ kind, ...rest }: Action): string {
  const said = Object.entries(rest).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${typeof value === "object" ? JSON.stringify(value) : value}`],
  );
  return `${kind}(${said.join(" ")})`;
}
