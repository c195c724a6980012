import { describe, expect, it } from "vitest";
import {
  explainState,
  isPossible,
  LIFE_STATES,
  type LifeState,
  permits,
  STANDINGS,
  stateAfter,
  TRANSITIONS,
} from "./lifecycle.js";

const states = Object.keys(LIFE_STATES) as LifeState[];

describe("the table of the life of a record", () => {
  it("lets nobody do more than the owner, and strangers nothing but make drafts of their own", () => {
    for (const [action, { who }] of TRANSITIONS) {
      expect(who, action).toContain("owner");
      expect(permits(action, "stranger"), action).toBe(action === "create");
    }
  });

  it("lets a share read, or read and replace, and nothing else", () => {
    const allowed = (standing: "reader" | "writer") =>
      TRANSITIONS.map(([action]) => action).filter((action) => permits(action, standing) && action !== "create");
    expect(allowed("reader")).toEqual(["read"]);
    expect(allowed("writer")).toEqual(["read", "replace"]);
  });

  it("lets curators do all that owners do, but share", () => {
    const denied = TRANSITIONS.filter(([action]) => !permits(action, "curator")).map(([action]) => action);
    expect(denied).toEqual(["listGrants", "share"]);
    for (const [action] of TRANSITIONS) expect(permits(action, "admin")).toBe(true);
  });

  it("leads from every state but one to another, and never out of retraction", () => {
    for (const state of states) {
      const ways = TRANSITIONS.filter(([action]) => isPossible(action, state) && stateAfter(action, state) !== state);
      expect(ways.length > 0, state).toBe(state !== "retracted");
    }
    const afterwards = (action: "deleteDraft" | "publish" | "read", state: LifeState) => stateAfter(action, state);
    expect([afterwards("deleteDraft", "draft"), afterwards("deleteDraft", "edited")]).toEqual(["none", "published"]);
    expect([afterwards("publish", "draft"), afterwards("read", "edited")]).toEqual(["published", "edited"]);
  });
});

describe("what is said of a state", () => {
  it("names what the caller can do with it", () => {
    expect(explainState("published", "owner")).toBe(
      "It is published and has no open draft: POST .../draft opens a draft for an edit, " +
        "POST .../versions makes the draft of a new version, DELETE ... retracts it.",
    );
    expect(explainState("draft", "reader")).toBe(
      "It is a draft that was never published: GET .../draft reads the draft.",
    );
    expect(explainState("retracted", "owner")).toBe("It was retracted; only its tombstone is left.");
  });

  it("is one sentence for all who may do something and for all who may not", () => {
    for (const state of states) {
      for (const standing of STANDINGS) expect(explainState(state, standing)).toMatch(/^[A-Z].*[^.]\.$/);
    }
    expect(explainState("published", "stranger")).toBe("It is published and has no open draft.");
  });
});
