/** One sequence of requests against the running service: who sends them, and what it has learned so far. */

import type { Answer, Client, RecordShape } from "../support/http-client.js";
import { type Action, type Asked, askedOf } from "../support/life/actions.js";
import { type Caller, type Content, CURATOR, USERS, type UserName, type World } from "../support/life/world.js";
import type { Service } from "../support/service.js";
import { smallRecord } from "../support/small-record.js";
import { addUsers, type KnownUser } from "../support/users.js";

export interface Play {
  readonly bindery: Service;
  /** Ends it without a warning; `restart` starts it again. */
  kill(): Promise<unknown>;
  /** A word that stands in each title of this sequence and in no other. */
  readonly word: string;
  readonly people: Readonly<Record<UserName, KnownUser>>;
  /** What was done, and what came of it: `publish 202`. */
  readonly seen: Map<string, number>;
  /** Where the change feed goes on. */
  cursor: string;
  /** The greatest `created` of any answer. */
  lastCreated: string;
  steps: number;
}

/** Gives each sequence users of its own and a word of its own; the users are made many at once. */
export function makeCasting(
  bindery: Service,
  seen: Map<string, number>,
  kill: Play["kill"] = () => Promise.reject(new Error("What runs in this process cannot be killed.")),
): () => Promise<Play> {
  const ready: KnownUser[][] = [];
  let casts = 0;
  let cursor = "0";
  const castMore = async (): Promise<void> => {
    const from = casts;
    const names = Array.from({ length: CASTS_AT_ONCE }, (_, i) => USERS.map((name) => `${name}-${from + i}`));
    const people = names.flat().map((name) => ({ name, role: roleOf(name) }));
    const made = await addUsers(bindery, people);
    for (let i = 0; i < made.length; i += USERS.length) ready.push(made.slice(i, i + USERS.length));
  };
  return async () => {
    if (ready.length === 0) await castMore();
    const cast = ready.shift()!;
    const people = Object.fromEntries(USERS.map((name, i) => [name, cast[i]!])) as Play["people"];
    cursor = await readToEnd(bindery.client, cursor);
    const word = wordOf(casts++);
    return { bindery, kill, word, people, seen, cursor, lastCreated: "", steps: 0 };
  };
}

const CASTS_AT_ONCE = 40;

const roleOf = (name: string): "curator" | "depositor" => (name.startsWith(CURATOR) ? "curator" : "depositor");

/** Letters only, so that it is one word whatever the text analysis does. */
function wordOf(n: number): string {
  const letters = [...n.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
  return `qz${letters.join("")}zq`;
}

export function clientOf({ bindery, people }: Play, caller: Caller): Client {
  return caller === "anonymous" ? bindery.client : people[caller].client;
}

/** Sends a write as the world is now. */
export function send<Body = RecordShape>(play: Play, world: World, action: Action): Promise<Answer<Body>> {
  const { method, path, body, headers } = askedOf(world, action);
  const json = bodyOf(play, world, action, body);
  const named = "user" in action ? path.replace(/\/grants\/\w+$/, `/grants/${play.people[action.user].name}`) : path;
  return clientOf(play, action.by).send<Body>(method, `/api/records/${named}`, {
    headers,
    ...(json === undefined ? {} : { json }),
  });
}

function bodyOf(play: Play, world: World, action: Action, body: Asked["body"]): object | undefined {
  if ("content" in action) {
    const model = action.kind === "create" ? action.model : world.versions[action.at]!.model;
    return smallRecord({ model, ...titled(play, action.content) });
  }
  return action.kind === "share" ? { ...body, user: play.people[action.user].name } : body;
}

export function titled({ word }: Play, content: Content): Content {
  return { ...content, title: `${word} ${content.title}` };
}

interface Changes {
  readonly changes: readonly Change[];
  readonly next: string;
}

export interface Change {
  readonly seq: number;
  readonly time: string;
  readonly kind: string;
  readonly action: string;
  readonly id: string;
  readonly model?: string;
  readonly revision_id: number;
}

/** Reads on from a cursor. */
export async function readChanges(client: Client, cursor: string): Promise<Changes> {
  const answer = await client.get<Changes>(`/api/changes?since=${encodeURIComponent(cursor)}`);
  if (answer.status !== 200) throw new Error(`/api/changes?since=${cursor}: ${answer.text}`);
  return answer.body;
}

async function readToEnd(client: Client, cursor: string): Promise<string> {
  let at = cursor;
  for (;;) {
    const { changes, next } = await readChanges(client, at);
    if (changes.length === 0) return at;
    at = String(next);
  }
}
