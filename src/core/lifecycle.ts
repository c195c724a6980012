/** The life cycle of a record: all transitions. docs/life.md is generated from this table. */
import type { Scope } from "./actor.js";

/** States of an id, with the explanation if an action is not possible. */
export const LIFE_STATES = {
  none: "No record or draft has this id.",
  draft: "It is a draft that was never published",
  published: "It is published and has no open draft",
  edited: "It is published and has an open draft",
  retracted: "It was retracted; only its tombstone is left.",
} as const;
export type LifeState = keyof typeof LIFE_STATES;

/** The relations of a user to a record or draft; the first one that applies counts. */
export const STANDINGS = ["owner", "admin", "curator", "writer", "reader", "stranger"] as const;
export type Standing = (typeof STANDINGS)[number];

interface Transition {
  /** Method and path; `...` is `/api/records/<model>/<id>`. */
  readonly request: string;
  /** The effect of the request as a verb: "GET .../draft reads the draft". */
  readonly verb: string;
  readonly from: readonly LifeState[];
  /** The state afterwards; absent: unchanged. */
  readonly to?: LifeState | Readonly<Partial<Record<LifeState, LifeState>>>;
  readonly who: readonly Standing[];
  readonly scope: Scope;
  /** Completes the error message "You are not allowed to ...". */
  readonly denied: string;
  readonly does: string;
}

const KEEPERS = ["owner", "admin", "curator"] as const;

/**
 * All actions on a record, from the creation of its first draft to its retraction: who may do them, in which states,
 * and the state afterwards.
 */
export const LIFE_ACTIONS = {
  create: {
    request: "POST /api/records/<model>",
    verb: "makes a draft",
    from: ["none"],
    to: "draft",
    who: STANDINGS,
    scope: "records:write",
    denied: "create drafts",
    does: "Creates the first draft of a new record, with a new id and a new parent. The caller owns both.",
  },
  read: {
    request: "GET .../draft",
    verb: "reads the draft",
    from: ["draft", "edited"],
    who: [...KEEPERS, "writer", "reader"],
    scope: "records:read",
    denied: "read drafts of others",
    does: "Returns the draft.",
  },
  replace: {
    request: "PUT .../draft",
    verb: "replaces the draft",
    from: ["draft", "edited"],
    who: [...KEEPERS, "writer"],
    scope: "records:write",
    denied: "change a draft that is shared with you for reading",
    does: "Replaces the metadata and increments the revision. Identical metadata changes nothing.",
  },
  listGrants: {
    request: "GET .../draft/access/grants",
    verb: "lists with whom it is shared",
    from: ["draft", "edited"],
    who: ["owner", "admin"],
    scope: "records:read",
    denied: "see with whom drafts of others are shared",
    does: "Lists the shares of the draft.",
  },
  share: {
    request: "POST, DELETE .../draft/access/grants",
    verb: "shares the draft",
    from: ["draft", "edited"],
    who: ["owner", "admin"],
    scope: "records:write",
    denied: "share drafts of others",
    does: "Allows named users to read the draft, or to read and replace it. A share ends with its draft.",
  },
  deleteDraft: {
    request: "DELETE .../draft",
    verb: "deletes the draft",
    from: ["draft", "edited"],
    to: { draft: "none", edited: "published" },
    who: KEEPERS,
    scope: "records:write",
    denied: "delete drafts of others",
    does:
      "Deletes the draft and its shares. A published record with the same id is not changed. If this was the draft " +
      "of a new version, `is_latest_draft` of the latest version becomes true again.",
  },
  publish: {
    request: "POST .../draft/actions/publish",
    verb: "publishes it",
    from: ["draft", "edited"],
    to: "published",
    who: KEEPERS,
    scope: "records:write",
    denied: "publish drafts of others",
    does:
      "Publishes a valid draft as the record with the same id. The first publication sets `created`; publishing an " +
      "edit keeps it. If this is a new version, `is_latest` of the previous version becomes false.",
  },
  edit: {
    request: "POST .../draft",
    verb: "opens a draft for an edit",
    from: ["published", "edited"],
    to: "edited",
    who: KEEPERS,
    scope: "records:write",
    denied: "edit records of others",
    does:
      "Opens a draft that is a copy of the published record; the record stays public. If the draft is already open, " +
      "returns it.",
  },
  newVersion: {
    request: "POST .../versions",
    verb: "makes the draft of a new version",
    from: ["published", "edited"],
    who: KEEPERS,
    scope: "records:write",
    denied: "create new versions of records of others",
    does:
      "Creates a draft with a new id under the same parent, as a copy of the latest published version; " +
      "`is_latest_draft` of that version becomes false. If such a draft exists, returns it, whichever version of the " +
      "record was named in the request.",
  },
  retract: {
    request: "DELETE ...",
    verb: "retracts it",
    from: ["published", "edited"],
    to: "retracted",
    who: KEEPERS,
    scope: "records:write",
    denied: "retract records of others",
    does:
      "Replaces the record with a permanent tombstone and deletes its open draft. The previous version becomes the " +
      "latest. The draft of a new version is kept.",
  },
} as const satisfies Readonly<Record<string, Transition>>;

export type LifeAction = keyof typeof LIFE_ACTIONS;

/** All actions in their order, with the types of the table's columns. */
export const TRANSITIONS = Object.entries(LIFE_ACTIONS) as readonly (readonly [LifeAction, Transition])[];

/** Returns whether a user with this standing may do this action. */
export function permits(action: LifeAction, standing: Standing): boolean {
  return (LIFE_ACTIONS[action] as Transition).who.includes(standing);
}

/** Returns whether an action is possible in a state. */
export function isPossible(action: LifeAction, state: LifeState): boolean {
  return (LIFE_ACTIONS[action] as Transition).from.includes(state);
}

/** Returns the state after an action. */
export function stateAfter(action: LifeAction, state: LifeState): LifeState {
  const { to = state } = LIFE_ACTIONS[action] as Transition;
  return typeof to === "string" ? to : (to[state] ?? state);
}

/** Explains in a sentence the state of an id, and what the caller can do with it. */
export function explainState(state: LifeState, standing: Standing): string {
  const possible = TRANSITIONS.filter(([action]) => isPossible(action, state) && permits(action, standing));
  const explanation = LIFE_STATES[state];
  if (explanation.endsWith(".")) return explanation;
  if (possible.length === 0) return `${explanation}.`;
  return `${explanation}: ${possible.map(([, { request, verb }]) => `${request} ${verb}`).join(", ")}.`;
}
