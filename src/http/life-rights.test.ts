/** The table of the life of a record against the service: every action, from every state, by everybody. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessServer, startInProcess } from "../../test/support/in-process-server.js";
import { makeRecord } from "../../test/support/records.js";
import type { Scope } from "../core/actor.js";
import {
  isPossible,
  type LifeAction,
  type LifeState,
  permits,
  STANDINGS,
  type Standing,
  stateAfter,
  TRANSITIONS,
} from "../core/lifecycle.js";

type Action = Exclude<LifeAction, "create">;
type Headers = Readonly<Record<string, string>>;

let server: InProcessServer;
let headers: Readonly<Record<Standing, Headers>>;
let shared: Readonly<Record<"reader" | "writer", string>>;

beforeAll(async () => {
  server = await startInProcess();
  const users = STANDINGS.map(async (name) => {
    const role = name === "admin" || name === "curator" ? name : "depositor";
    return [name, { authorization: `Bearer ${await server.token(name, { role })}` }] as [Standing, Headers];
  });
  headers = Object.fromEntries(await Promise.all(users)) as Record<Standing, Headers>;
  const idOf = async (name: string): Promise<string> => (await server.store.users.findUser(name))!.id;
  shared = { reader: await idOf("reader"), writer: await idOf("writer") };
});
afterAll(() => server.close());

const BASE = "/api/records/mst";
let made = 0;

/** How each action is asked for, below the record, and the status when it is done. */
const REQUESTS: Readonly<
  Record<Action, readonly [method: "GET" | "POST" | "PUT" | "DELETE", path: string, done: number]>
> = {
  read: ["GET", "/draft", 200],
  replace: ["PUT", "/draft", 200],
  deleteDraft: ["DELETE", "/draft", 204],
  publish: ["POST", "/draft/actions/publish", 202],
  edit: ["POST", "/draft", 201],
  newVersion: ["POST", "/versions", 201],
  retract: ["DELETE", "", 204],
  listGrants: ["GET", "/draft/access/grants", 200],
  share: ["POST", "/draft/access/grants", 201],
};
const ON_RECORD: readonly Action[] = ["edit", "newVersion", "retract"];

async function send(
  method: "GET" | "POST" | "PUT" | "DELETE",
  url: string,
  who: Headers = headers.owner,
  body?: object,
) {
  return server.app.inject({ method, url, headers: who, ...(body === undefined ? {} : { payload: body }) });
}

/** A record of the owner's in a state; its draft is, or was, shared. */
async function subject(state: LifeState): Promise<string> {
  made += 1;
  const { id } = (await send("POST", BASE, headers.owner, makeRecord(made))).json() as { id: string };
  const share = () =>
    server.store.transaction(async (tx) => {
      await tx.shares.put(id, shared.reader, "read");
      await tx.shares.put(id, shared.writer, "write");
    });
  await share();
  if (state === "none") await send("DELETE", `${BASE}/${id}/draft`);
  if (state !== "none" && state !== "draft") await send("POST", `${BASE}/${id}/draft/actions/publish`);
  if (state === "edited") {
    await send("POST", `${BASE}/${id}/draft`);
    await share();
  }
  if (state === "retracted") await send("DELETE", `${BASE}/${id}`);
  return id;
}

async function stateOf(id: string): Promise<LifeState> {
  const record = (await send("GET", `${BASE}/${id}`)).statusCode;
  const draft = (await send("GET", `${BASE}/${id}/draft`)).statusCode === 200;
  if (record === 410) return draft ? "none" : "retracted";
  if (record === 200) return draft ? "edited" : "published";
  return draft ? "draft" : "none";
}

function act(action: Action, id: string, who: Headers) {
  const [method, path] = REQUESTS[action];
  return send(method, `${BASE}/${id}${path}`, who, bodyOf(action));
}

function bodyOf(action: Action): object | undefined {
  if (action === "replace") return makeRecord(90_000);
  return action === "share" ? { user: "stranger", permission: "read" } : undefined;
}

/** What the rules say of an action, before the table of transitions is asked. */
function expectedStatus(action: Action, state: LifeState, standing: Standing): number {
  const [, , done] = REQUESTS[action];
  const isShare = standing === "reader" || standing === "writer";
  if (ON_RECORD.includes(action)) {
    if (state === "retracted") return 410;
    if (!isPossible(action, state)) return 404;
    if (!permits(action, standing)) return 403;
    return action === "edit" && state === "edited" ? 200 : done;
  }
  const seen = standing !== "stranger" && !(isShare && state !== "draft" && state !== "edited");
  if (!isPossible(action, state) || !seen) return 404;
  return permits(action, standing) ? done : 403;
}

const STATES: readonly LifeState[] = ["none", "draft", "published", "edited", "retracted"];

describe.each(Object.keys(REQUESTS) as Action[])("%s", (action) => {
  it.each(STATES)("of what is %s is done for those whom the table names, and for nobody else", async (state) => {
    const untouched = await subject(state);
    for (const standing of STANDINGS) {
      const status = expectedStatus(action, state, standing);
      const id = status < 300 ? await subject(state) : untouched;
      const answer = await act(action, id, headers[standing]);
      expect(answer.statusCode, `${standing}: ${answer.body.slice(0, 300)}`).toBe(status);
      if (status < 300) expect(await stateOf(id), standing).toBe(stateAfter(action, state));
    }
    expect(await stateOf(untouched)).toBe(state);
  });
});

describe("a refusal", () => {
  const messageOf = async (action: Action, id: string, standing: Standing): Promise<string> => {
    return (await act(action, id, headers[standing])).json().message as string;
  };

  it("says what is possible to those who may do it", async () => {
    const published = await subject("published");
    for (const standing of ["owner", "curator", "admin"] as const) {
      expect(await messageOf("publish", published, standing)).toBe(
        `There is no draft "${published}" that you may read. It is published and has no open draft: ` +
          "POST .../draft opens a draft for an edit, POST .../versions makes the draft of a new version, " +
          "DELETE ... retracts it.",
      );
    }
    const draft = await subject("draft");
    expect(await messageOf("newVersion", draft, "owner")).toMatch(
      /was never published: .*actions\/publish publishes it/,
    );
    expect(await messageOf("edit", draft, "reader")).toMatch(
      /was never published: GET \.\.\.\/draft reads the draft\.$/,
    );
    expect(await messageOf("replace", await subject("retracted"), "owner")).toContain("only its tombstone is left");
  });

  it("tells strangers the same of a record with an open draft and of one without", async () => {
    const ids = [await subject("published"), await subject("edited"), await subject("none"), await subject("draft")];
    for (const action of ["read", "replace", "deleteDraft", "publish"] as const) {
      const said = await Promise.all(ids.map(async (id) => (await messageOf(action, id, "stranger")).replace(id, "")));
      expect(new Set(said).size, action).toBe(1);
    }
    const hidden = [ids[2]!, ids[3]!];
    for (const action of ON_RECORD) {
      const said = await Promise.all(
        hidden.map(async (id) => (await messageOf(action, id, "stranger")).replace(id, "")),
      );
      expect(new Set(said).size, action).toBe(1);
    }
  });

  it("comes before the revision is looked at", async () => {
    const stale = { ...headers.stranger, "if-match": "99" };
    const id = await subject("edited");
    expect((await act("replace", id, stale)).statusCode).toBe(404);
    expect((await act("retract", id, stale)).statusCode).toBe(403);
  });

  it.each(TRANSITIONS)("asks for the scope that the table names, and for no other: %s", async (action, { scope }) => {
    const from = action === "create" ? "none" : STATES.find((state) => isPossible(action, state))!;
    const id = await subject(from);
    const attempt = async (scopes: readonly Scope[]) => {
      const who = { authorization: `Bearer ${await server.token("owner", { scopes })}` };
      return action === "create" ? send("POST", BASE, who, makeRecord(made)) : act(action, id, who);
    };
    const lacking: readonly Scope[] = scope === "records:read" ? ["vocabularies:write"] : ["records:read"];
    const refused = await attempt(lacking);
    expect(refused.json()).toMatchObject({ status: 403, code: "SCOPE_MISSING" });
    expect(refused.json().message).toContain(scope);
    expect((await attempt([scope])).statusCode).toBe(action === "create" ? 201 : REQUESTS[action][2]);
  });

  it("asks for the scope, whatever the role", async () => {
    const id = await subject("edited");
    for (const user of ["owner", "curator", "admin"] as const) {
      const who = { authorization: `Bearer ${await server.token(user, { scopes: ["records:read"] })}` };
      expect((await act("read", id, who)).statusCode).toBe(200);
      for (const action of ["replace", "publish", "edit", "newVersion", "deleteDraft", "retract"] as const) {
        expect((await act(action, id, who)).json(), action).toMatchObject({ status: 403, code: "SCOPE_MISSING" });
      }
    }
    for (const action of ON_RECORD) expect((await act(action, id, {})).statusCode).toBe(401);
    expect(await stateOf(id)).toBe("edited");
  });
});
