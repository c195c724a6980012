import { describe, expect, it } from "vitest";
import type { Action } from "./actions.js";
import { apply } from "./rules.js";
import { hitsOf, readDraft, readLatest, readParent, readRecord, readVersions } from "./views.js";
import { type Content, type Expected, emptyWorld, type World } from "./world.js";

const content = (title: string, isValid = true): Content => ({ title, rights: "open", isValid });
const first = { at: 0, by: "alice" } as const;
const second = { at: 1, by: "alice" } as const;

/** Does one after the other. @returns what the last one answers */
function run(world: World, ...actions: readonly Action[]): Expected {
  let answer: Expected | undefined;
  for (const action of actions) {
    const n = world.versions.length;
    answer = apply(world, action, { id: `v${n}`, parent: `p${n}` });
  }
  return answer!;
}

const CREATE: Action = { kind: "create", by: "alice", model: "mst", content: content("one") };
const PUBLISH: Action = { kind: "publish", ...first };
const EDIT: Action = { kind: "edit", ...first };
const NEW_VERSION: Action = { kind: "newVersion", ...first };

const idsOf = (world: World, scope: Parameters<typeof hitsOf>[1]): string[] =>
  hitsOf(world, scope).map(({ id, state }) => `${id} ${state}`);

describe("the life of a record in the model", () => {
  it("raises the revision of an id by each change, whatever row it changes", () => {
    const world = emptyWorld();
    expect(run(world, CREATE, PUBLISH).shown).toMatchObject({ revision: 2, isLatest: true, isLatestDraft: true });
    expect(run(world, EDIT).shown).toMatchObject({ revision: 3, isDraft: true, isPublished: true, isLatest: true });
    expect(run(world, { kind: "replace", ...first, content: content("two") }).shown?.revision).toBe(4);
    expect(run(world, { kind: "replace", ...first, content: content("two") }).shown?.revision).toBe(4);
    expect(run(world, PUBLISH).feed).toEqual([{ id: "v0", action: "updated", revision: 5 }]);
    run(world, EDIT, { kind: "deleteDraft", ...first });
    expect(run(world, EDIT).shown?.revision).toBe(7);
  });

  it("turns the latest version's flags with a new version, its end, and its publication", () => {
    const world = emptyWorld();
    run(world, CREATE, PUBLISH);
    const made = run(world, NEW_VERSION);
    expect(made.feed).toEqual([{ id: "v0", action: "updated", revision: 3 }]);
    expect(made.shown).toMatchObject({ id: "v1", parent: "p0", index: 2, revision: 1 });
    expect(run(world, NEW_VERSION).status).toBe(200);
    expect(readRecord(world.versions[0]!).shown).toMatchObject({ isLatest: true, isLatestDraft: false });
    run(world, { kind: "deleteDraft", ...second });
    expect(readRecord(world.versions[0]!).shown).toMatchObject({ isLatestDraft: true, revision: 4 });
    run(world, NEW_VERSION);
    expect(world.versions[2]?.index).toBe(2);
    run(world, { kind: "publish", by: "alice", at: 2 });
    expect(readRecord(world.versions[0]!).shown).toMatchObject({ isLatest: false, isLatestDraft: false, revision: 6 });
    expect(readLatest(world, world.versions[0]!)).toEqual({ status: 301, target: "v2" });
    expect(readVersions(world, world.versions[0]!).hits?.map(({ id }) => id)).toEqual(["v2", "v0"]);
  });

  it("makes the version before the latest when the latest is retracted", () => {
    const world = emptyWorld();
    run(world, CREATE, PUBLISH, NEW_VERSION, { kind: "publish", ...second }, { ...EDIT });
    const gone = run(world, { kind: "retract", at: 1, by: "carol", reason: "wrong" });
    expect(gone.feed).toEqual([
      { id: "v1", action: "removed", revision: 3 },
      { id: "v0", action: "updated", revision: 6 },
    ]);
    expect(readDraft(world.versions[0]!, "alice").shown).toMatchObject({ revision: 6, isLatest: true });
    expect(readRecord(world.versions[1]!)).toMatchObject({ status: 410, tombstone: { by: "carol", reason: "wrong" } });
    expect(readParent(world, "p0").target).toBe("v0");
    expect(run(world, { kind: "retract", at: 1, by: "bob" }).status).toBe(410);
    run(world, { kind: "retract", ...first });
    expect(readParent(world, "p0").tombstone).toMatchObject({ by: "carol" });
  });

  it("shows one entry per id in the user scope, and the latest version in the public one", () => {
    const world = emptyWorld();
    run(world, CREATE, PUBLISH, NEW_VERSION, { kind: "publish", ...second }, { ...EDIT, at: 1 });
    expect(idsOf(world, {})).toEqual(["v1 published"]);
    expect(idsOf(world, { allVersions: true })).toEqual(["v0 published", "v1 published"]);
    expect(idsOf(world, { user: "alice" })).toEqual(["v1 draft"]);
    expect(idsOf(world, { user: "alice", allVersions: true })).toEqual(["v0 published", "v1 draft"]);
    expect(idsOf(world, { user: "alice", isPublished: true })).toEqual(["v1 draft"]);
    expect(idsOf(world, { user: "carol" })).toEqual([]);
  });
});

describe("rights in the model", () => {
  it("hide a draft from those it is not shared with, and let a share do no more than it says", () => {
    const world = emptyWorld();
    const asBob = { at: 0, by: "bob" } as const;
    run(world, CREATE);
    expect(run(world, { kind: "replace", ...asBob, content: content("two") }).status).toBe(404);
    expect(run(world, { kind: "share", ...first, user: "bob", permission: "read" }).status).toBe(201);
    expect(run(world, { kind: "replace", ...asBob, content: content("two") }).status).toBe(403);
    expect(run(world, { kind: "share", ...first, user: "bob", permission: "write" }).status).toBe(200);
    expect(run(world, { kind: "replace", ...asBob, content: content("two") }).status).toBe(200);
    expect(run(world, { kind: "publish", ...asBob }).status).toBe(403);
    expect(idsOf(world, { user: "bob", shared: true })).toEqual(["v0 draft"]);
    expect(run(world, PUBLISH).status).toBe(202);
    expect(idsOf(world, { user: "bob", shared: true })).toEqual([]);
    run(world, EDIT);
    expect(readDraft(world.versions[0]!, "bob").status).toBe(404);
  });

  it("let a curator do all but share, and nobody without a token anything", () => {
    const world = emptyWorld();
    const asCarol = { at: 0, by: "carol" } as const;
    run(world, CREATE);
    expect(run(world, { kind: "share", ...asCarol, user: "bob", permission: "read" }).status).toBe(403);
    expect(run(world, { kind: "publish", ...asCarol }).status).toBe(202);
    expect(run(world, { kind: "newVersion", ...asCarol }).shown?.owner).toBe("alice");
    expect(run(world, { kind: "edit", at: 0, by: "bob" }).status).toBe(403);
    expect(run(world, { kind: "edit", at: 0, by: "anonymous" }).status).toBe(401);
  });
});

describe("conditions in the model", () => {
  it("refuse what names another revision", () => {
    const world = emptyWorld();
    run(world, CREATE);
    expect(run(world, { ...PUBLISH, ifMatch: "wrong" } as Action).status).toBe(412);
    expect(run(world, { ...PUBLISH, ifMatch: "bare" } as Action).status).toBe(202);
  });

  it("give the first answer again to the same Idempotency-Key, and a conflict to another request", () => {
    const world = emptyWorld();
    const keyed = { ...CREATE, key: "k" } as Action;
    const made = run(world, keyed);
    run(world, { kind: "replace", ...first, content: content("two") });
    expect(run(world, keyed)).toEqual({ ...made, feed: [], isRepeat: true });
    expect(world.versions).toHaveLength(1);
    expect(run(world, { ...PUBLISH, key: "k" } as Action).code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(run(world, { ...keyed, by: "bob" } as Action).status).toBe(201);
  });
});
