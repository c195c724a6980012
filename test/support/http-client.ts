import { type Agent, type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import type { Answer as Answered } from "../../src/core/answer.js";
import type { AnsweredRecord } from "../../src/core/answers/records.js";
import type { hitsPage } from "../../src/core/answers/searches.js";
import type { Problem } from "../../src/core/answers/service.js";
import type { Term } from "../../src/core/answers/term-answers.js";
import type { Json, JsonObject } from "../../src/core/json.js";

/** What came back. `body` is the parsed JSON, or undefined where the answer is not JSON. */
export interface Answer<Body = JsonObject> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Body;
  readonly millis: number;
}

export type { Problem };
export type RecordShape = AnsweredRecord;
/** A term; `ItemShape & Problem` would be never if its status were only "active" or "deprecated". */
export interface ItemShape extends Omit<Term, "status"> {
  readonly status?: string;
}

/** One page of hits, of a search or of a list. */
export interface SearchBody<Hit = JsonObject> extends Omit<Answered<ReturnType<typeof hitsPage>>, "hits"> {
  readonly hits: { readonly hits: readonly Hit[]; readonly total: number };
}

export interface RequestOptions {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is; with a Content-Type of JSON unless the headers say another. */
  readonly text?: string | Buffer;
  /** Sent as JSON. */
  readonly json?: unknown;
}

/** Sends requests exactly as written: no path is normalised, no redirect followed. */
export interface Client {
  send<Body = JsonObject>(method: string, path: string, options?: RequestOptions): Promise<Answer<Body>>;
  get<Body = JsonObject>(path: string, options?: RequestOptions): Promise<Answer<Body>>;
  post<Body = JsonObject>(path: string, json?: unknown, options?: RequestOptions): Promise<Answer<Body>>;
  put<Body = JsonObject>(path: string, json: unknown, options?: RequestOptions): Promise<Answer<Body>>;
  delete<Body = JsonObject>(path: string, options?: RequestOptions): Promise<Answer<Body>>;
  /** The same client with a token on every request. */
  as(token: string): Client;
}

/** Sees each answer before whoever asked; what it throws they get instead. */
export type HearAnswer = (request: { readonly method: string; readonly path: string }, answer: Answer<unknown>) => void;

/** @param url called for each request: a restarted server may listen elsewhere. */
export function makeClient(
  url: () => string,
  agent: Agent,
  token?: string,
  hear: HearAnswer = () => undefined,
): Client {
  const send = async <Body>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<Body>> => {
    const asked = token === undefined ? options : { token, ...options };
    const answer = await sendOne<Body>(new URL(url()), agent, method, path, asked);
    hear({ method, path }, answer);
    return answer;
  };
  return {
    send,
    get: (path, options) => send("GET", path, options),
    post: (path, json, options) => send("POST", path, json === undefined ? options : { json, ...options }),
    put: (path, json, options) => send("PUT", path, { json, ...options }),
    delete: (path, options) => send("DELETE", path, options),
    as: (other) => makeClient(url, agent, other, hear),
  };
}

function sendOne<Body>(base: URL, agent: Agent, method: string, path: string, options: RequestOptions) {
  const payload = options.text ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
  const headers: Record<string, string> = {
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    ...(payload === undefined ? {} : { "content-type": "application/json" }),
    ...(payload === undefined ? {} : { "content-length": String(Buffer.byteLength(payload)) }),
    ...options.headers,
  };
  const begun = performance.now();
  return new Promise<Answer<Body>>((resolve, reject) => {
    const { hostname, port } = base;
    const sent = request({ hostname, port, method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const millis = performance.now() - begun;
        const { statusCode, headers: received } = response;
        const isJson = /[/+]json/.test(received["content-type"] ?? "") && text !== "";
        const body = (isJson ? JSON.parse(text) : undefined) as Body;
        resolve({ status: statusCode ?? 0, headers: received, text, body, millis });
      });
    });
    sent.on("error", reject);
    sent.end(payload);
  });
}

/** Writes bytes to the server as they are and returns all that it answers until it closes or is silent. */
export function sendRaw(url: string, bytes: string | Buffer, silenceMs = 2_000): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const done = (): void => {
      socket.destroy();
      resolve(Buffer.concat(chunks).toString("latin1"));
    };
    socket.setTimeout(silenceMs, done);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", done);
    socket.on("close", done);
  });
}

/** The value at a path such as `metadata.results.0.type` of JSON, or undefined. */
export function at(value: unknown, path: string): Json | undefined {
  let here = value as Json | undefined;
  for (const step of path.split(".")) {
    if (typeof here !== "object" || here === null) return undefined;
    here = Object.hasOwn(here, step) ? (here as JsonObject)[step] : undefined;
  }
  return here;
}
