import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyOf, type OpenServices, openServices, refusalOf } from "../../../test/support/open-services.js";
import { makeRecord } from "../../../test/support/records.js";
import { type Actor, ANONYMOUS } from "../../core/actor.js";
import type { RecordBody } from "../../core/record.js";

let bindery: OpenServices;
let number = 0;

beforeAll(async () => {
  bindery = await openServices();
});
afterAll(() => bindery.dispose());

type User = Extract<Actor, { kind: "user" }>;

/** A new user with a token that writes. */
async function someone(prefix: string): Promise<{ name: string; token: string; actor: User }> {
  const name = `${prefix}-${++number}`;
  await bindery.addUser(name, "depositor");
  const { token } = await bindery.createToken({ user: name, scopes: ["records:write"] });
  return { name, token, actor: (await bindery.authenticate(token)) as User };
}

const codeOf = async (token: string): Promise<string> => (await refusalOf(bindery.authenticate(token))).code;
const messageOf = async (work: Promise<unknown>): Promise<string> => (await refusalOf(work)).message;

async function draftOf(actor: Actor, n = 1): Promise<RecordBody> {
  return bodyOf(await bindery.createDraft(actor, "mst", JSON.stringify(makeRecord(n))));
}
async function recordOf(actor: Actor, n = 1): Promise<RecordBody> {
  return bodyOf(await bindery.publishDraft(actor, await draftOf(actor, n)));
}

const publishedBody = async ({ id }: RecordBody): Promise<RecordBody> =>
  JSON.parse((await bindery.readRecord(ANONYMOUS, { id })).json) as RecordBody;

/** What a user's own search finds: id, state and owner, sorted. */
async function own(actor: Actor, q?: string): Promise<string[]> {
  const window = { page: 1, size: 100 };
  const request = { own: true, window, filters: {}, facetSize: 0, lang: "en", ...(q === undefined ? {} : { q }) };
  const { hits, total } = await bindery.searchRecords(actor, request);
  expect(total).toBe(hits.length);
  return hits.map(({ id, state }) => `${id} ${state}`).sort();
}

const audited = async (action: string) => (await bindery.listAudit({ action, limit: 1 }))[0];

/** Index, counters and change rows agree with the bodies. */
async function expectWhole(): Promise<void> {
  expect(await bindery.verifyStore(() => undefined)).toMatchObject({ findings: [], counts: {} });
}

describe("the name of a user", () => {
  // Composed and decomposed, in other capitals, in wide letters, with a ligature.
  const FORMS = [
    "Zo\u00eb Fink",
    "Zoe\u0308 Fink",
    "ZO\u00cb FINK",
    "zoe\u0308 fink",
    "\uff3ao\u00eb Fink",
    "Zo\u00eb \ufb01nk",
  ];

  it.each(FORMS)("is one in any capitals and normalisation: %s", async (form) => {
    const before = await bindery.listUsers();
    if (!before.some(({ name }) => name === FORMS[0])) await bindery.addUser(FORMS[1]!, "depositor");
    expect(await messageOf(bindery.addUser(form, "depositor"))).toContain(`already a user ${FORMS[0]}`);
    const other = await someone("other");
    expect(await messageOf(bindery.renameUser(other.name, form))).toContain(`already a user ${FORMS[0]}`);
    expect(await bindery.createToken({ user: form, scopes: ["records:read"] })).toBeDefined();
    expect((await bindery.setRole(form, "depositor")).name).toBe(FORMS[0]);
  });

  it("may change its capitals", async () => {
    const { name } = await someone("caps");
    expect(await bindery.renameUser(name, name.toUpperCase())).toMatchObject({ name: name.toUpperCase() });
    expect(await bindery.renameUser(name, name)).toMatchObject({ name });
  });

  it.each(["Operator", "ANONYMOUS"])("is not %s, which the audit log has in small letters", async (name) => {
    expect(await messageOf(bindery.addUser(name, "depositor"))).toContain("another user in the audit log");
  });
});

describe("a disabled user", () => {
  it("is refused with every token, and loses nothing", async () => {
    const ada = await someone("ada");
    const record = await recordOf(ada.actor);
    expect((await bindery.setDisabled(ada.name, true)).disabled).toMatch(/^2/);
    const refusal = await refusalOf(bindery.authenticate(ada.token));
    expect(refusal).toMatchObject({ code: "USER_DISABLED", status: 401, params: { actor: { user: ada.actor.user } } });
    expect(await audited("user.disable")).toMatchObject({
      who: "operator",
      target: ada.actor.user,
      whom: ada.actor.user,
    });
    expect(await publishedBody(record)).toEqual(record);
    expect(await bindery.listUsers()).toContainEqual(
      expect.objectContaining({ name: ada.name, disabled: expect.anything() }),
    );
    expect(await messageOf(bindery.createToken({ user: ada.name, scopes: ["records:read"] }))).toContain("is disabled");

    expect((await bindery.setDisabled(ada.name, false)).disabled).toBeUndefined();
    expect(await bindery.authenticate(ada.token)).toEqual(ada.actor);
    expect(await own(ada.actor)).toEqual([`${record.id} published`]);
    expect(await audited("user.enable")).toMatchObject({ whom: ada.actor.user });
  });

  it("is told of a token that was revoked meanwhile as of any other", async () => {
    const ada = await someone("ada");
    await bindery.setDisabled(ada.name, true);
    expect(await bindery.revokeTokens(ada.name)).toBe(1);
    expect(await codeOf(ada.token)).toBe("TOKEN_REVOKED");
  });

  it("is disabled once only", async () => {
    const ada = await someone("ada");
    const once = await bindery.setDisabled(ada.name, true);
    const line = await audited("user.disable");
    expect(await bindery.setDisabled(ada.name, true)).toEqual(once);
    expect(await audited("user.disable")).toEqual(line);
    expect(await messageOf(bindery.setDisabled("nobody at all", true))).toContain("There is no user nobody at all");
  });
});

describe("a renamed user", () => {
  it("keeps id, tokens and records, and the audit log tells both names", async () => {
    const ada = await someone("ada");
    const draft = await draftOf(ada.actor);
    const name = `lovelace-${number}`;
    expect(await bindery.renameUser(ada.name, name)).toMatchObject({ id: ada.actor.user, name });
    expect(await bindery.authenticate(ada.token)).toEqual({ ...ada.actor, name });
    expect(await own(ada.actor)).toEqual([`${draft.id} draft`]);
    expect(await audited("user.rename")).toMatchObject({ place: `${ada.name} -> ${name}`, target: ada.actor.user });

    const now = await bindery.listAudit({ who: name, limit: 10 });
    expect(now).toMatchObject([{ action: "draft.create", who: ada.name, user: ada.actor.user, who_now: name }]);
    const other = await bindery.addUser(ada.name, "depositor");
    expect(await bindery.listAudit({ who: ada.name, limit: 10 })).toEqual([]);
    expect(other.id).not.toBe(ada.actor.user);
  });

  it("takes no name that somebody has, nor one that is none", async () => {
    const [ada, ben] = [await someone("ada"), await someone("ben")];
    expect(await messageOf(bindery.renameUser(ada.name, ben.name))).toContain("There is already a user");
    expect(await messageOf(bindery.renameUser(ada.name, "operator"))).toContain("another user");
    expect(await messageOf(bindery.renameUser(ada.name, " x"))).toContain("no space");
    expect(await bindery.renameUser(ada.name, ada.name)).toMatchObject({ name: ada.name });
  });
});

describe("deleting a user", () => {
  it("is refused while they own something, and says what and the cure", async () => {
    const [ada, ben] = [await someone("ada"), await someone("ben")];
    await recordOf(ada.actor);
    await draftOf(ada.actor, 2);
    const message = await messageOf(bindery.deleteUser(ada.name));
    expect(message).toContain(`${ada.name} owns 1 published record and 1 draft.`);
    expect(message).toContain(`\`user transfer ${ada.name} NAME\``);
    expect(message).toContain(`\`user disable ${ada.name}\``);
    await bindery.transferRecords({ from: ada.name, to: ben.name });
    expect(await bindery.deleteUser(ada.name)).toMatchObject({ id: ada.actor.user });
    await expectWhole();
  });

  it("takes tokens and shares away, and leaves the audit log", async () => {
    const [ada, ben] = [await someone("ada"), await someone("ben")];
    const draft = await draftOf(ben.actor);
    await bindery.putGrant(ben.actor, draft, JSON.stringify({ user: ada.name, permission: "read" }));
    await bindery.readDraft(ada.actor, draft);
    await bindery.deleteUser(ada.name);
    expect(await codeOf(ada.token)).toBe("TOKEN_INVALID");
    expect(await bindery.listGrants(ben.actor, draft)).toEqual([]);
    expect(await audited("user.delete")).toMatchObject({ place: ada.name, target: ada.actor.user, who: "operator" });
    expect((await bindery.addUser(ada.name, "depositor")).id).not.toBe(ada.actor.user);
    await expectWhole();
  });
});

describe("a transfer", () => {
  it("gives all versions and drafts, and both users' searches know at once", async () => {
    const [ada, ben] = [await someone("ada"), await someone("ben")];
    const record = await recordOf(ada.actor);
    const version = bodyOf(await bindery.createVersion(ada.actor, record));
    const edit = bodyOf(await bindery.editRecord(ada.actor, record));
    const draft = await draftOf(ada.actor, 2);
    await bindery.putGrant(ada.actor, draft, JSON.stringify({ user: ben.name, permission: "read" }));
    const before = await own(ada.actor);
    expect(before).toHaveLength(3);
    expect(await own(ben.actor)).toEqual([]);

    const given = await bindery.transferRecords({ from: ada.name, to: ben.name });
    expect(given).toEqual({ published: 1, drafts: 3 });
    expect(await own(ada.actor)).toEqual([]);
    expect(await own(ben.actor)).toEqual(before);
    expect(await own(ben.actor, "state:draft")).toHaveLength(3);

    const now = await publishedBody(record);
    expect(now.parent).toEqual({ id: record.parent.id, owner: { user: ben.actor.user } });
    expect(now).toMatchObject({ metadata: record.metadata, created: record.created });
    expect(now.revision_id).toBe(edit.revision_id + 1);
    expect(await audited("record.transfer")).toMatchObject({ who: "operator", whom: ben.actor.user });
    expect(await bindery.listGrants(ben.actor, draft)).toEqual([]);
    expect((await refusalOf(bindery.readDraft(ada.actor, draft))).code).toBe("DRAFT_NOT_FOUND");
    const published = bodyOf(await bindery.publishDraft(ben.actor, version));
    expect(published.parent.owner.user).toBe(ben.actor.user);
    await expectWhole();
  });

  it("is a change of the feed with the record's new revision", async () => {
    const [ada, ben] = [await someone("ada"), await someone("ben")];
    const record = await recordOf(ada.actor);
    const { next } = await bindery.readChanges({ since: "0", size: 1_000 });
    await bindery.transferRecords({ from: ada.name, to: ben.name, record: record.id });
    const { changes } = await bindery.readChanges({ since: next, size: 10 });
    expect(changes).toMatchObject([{ action: "updated", id: record.id, revision: record.revision_id + 1 }]);
  });

  it("gives one record by any id of it, and only what its owner has", async () => {
    const [ada, ben] = [await someone("ada"), await someone("ben")];
    const [one, two, three] = [await recordOf(ada.actor, 1), await recordOf(ada.actor, 2), await draftOf(ada.actor, 3)];
    const give = (record: string, from = ada.name) => bindery.transferRecords({ from, to: ben.name, record });
    expect(await give(one.id.toUpperCase())).toEqual({ published: 1, drafts: 0 });
    expect(await give(three.parent.id)).toEqual({ published: 0, drafts: 1 });
    expect(await own(ada.actor)).toEqual([`${two.id} published`]);
    expect(await messageOf(give(one.id))).toBe(`"${one.id}" is owned by ${ben.name}, not by ${ada.name}.`);
    expect(await messageOf(give("00000-00098"))).toContain("There is no record or draft");
    expect(await messageOf(give("x"))).toContain("There is no record or draft");
  });

  it("gives only drafts that were never published, where that is asked", async () => {
    const [ada, ben] = [await someone("ada"), await someone("ben")];
    const record = await recordOf(ada.actor);
    await bindery.editRecord(ada.actor, record);
    const drafts = await Promise.all(Array.from({ length: 12 }, () => draftOf(ada.actor, 2)));
    const given = await bindery.transferRecords({ from: ada.name, to: ben.name, draftsOnly: true });
    expect(given).toEqual({ published: 0, drafts: 12 });
    expect(await own(ben.actor)).toEqual(drafts.map(({ id }) => `${id} draft`).sort());
    expect(await own(ada.actor)).toEqual([`${record.id} draft`]);
  });

  it("needs two users, of whom the second may sign in", async () => {
    const [ada, ben] = [await someone("ada"), await someone("ben")];
    const give = (from: string, to: string) => messageOf(bindery.transferRecords({ from, to }));
    expect(await give("nobody at all", ben.name)).toContain("There is no user nobody at all");
    expect(await give(ada.name, "nobody at all")).toContain("There is no user nobody at all");
    expect(await give(ada.name, ada.name)).toContain("another user");
    await bindery.setDisabled(ben.name, true);
    expect(await give(ada.name, ben.name)).toContain(`\`user enable ${ben.name}\``);
  });
});

it("revokes all tokens of one user, or of everybody, each with its line", async () => {
  const [ada, ben] = [await someone("ada"), await someone("ben")];
  await bindery.createToken({ user: ada.name, scopes: ["records:read"] });
  expect(await bindery.revokeTokens(ada.name)).toBe(2);
  expect(await bindery.revokeTokens(ada.name)).toBe(0);
  const lines = await bindery.listAudit({ action: "token.revoke", limit: 2 });
  expect(lines.map(({ whom_name }) => whom_name)).toEqual([ada.name, ada.name]);
  expect(await bindery.authenticate(ben.token)).toEqual(ben.actor);
  expect(await bindery.revokeTokens()).toBeGreaterThan(0);
  expect(await codeOf(ben.token)).toBe("TOKEN_REVOKED");
  expect(await messageOf(bindery.revokeTokens("nobody at all"))).toContain("There is no user");
});
