import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { Registry } from "prom-client";
import type { RunnerTestCase } from "vitest";
import { getCurrentTest } from "vitest/suite";
import { type Composition, compose } from "../../src/app/composition/compose.js";
import type { EngineRole } from "../../src/app/composition/engine-role.js";
import { lockData } from "../../src/app/composition/store-files.js";
import { makeReporter } from "../../src/app/monitoring/background-reports.js";
import { keepState } from "../../src/app/monitoring/keep-state.js";
import { serveHttp } from "../../src/app/processes/serve-http.js";
import { runWhileLeading } from "../../src/app/relay/while-leading.js";
import { makeCaller } from "../../src/app/rpc/caller.js";
import { type Handlers, makeAnswerer, runHandlers } from "../../src/app/rpc/rpc.js";
import type { Setup, WorkerThreads } from "../../src/app/threads/start-threads.js";
import { isShared } from "../../src/config/derived.js";
import { loadConfig } from "../../src/config/settings.js";
import { WARNING_REPORTER } from "../../src/core/background.js";
import { LIMITS } from "../../src/core/limits.js";
import { hideSecrets } from "../../src/core/printing/safe-text.js";
import { makeOnDemand } from "../../src/services/index.js";
import type { OperatorServices } from "../../src/services/use-cases.js";
import { largePages } from "../../src/web/large-pages.js";
import { type Bindery, type BinderyOptions, runProgram, settings, type TestUser } from "./bindery.js";
import { BUILT_IN_ON_DEMAND } from "./catalog.js";
import { type AnswerCheck, makeAnswerCheck } from "./check-answers.js";
import { type HearAnswer, makeClient } from "./http-client.js";
import { newStore } from "./new-store.js";
import { startPrefixProxy } from "./prefix-proxy.js";
import { catalogOf, runCommandHere } from "./run-command.js";
import { newSharedStore } from "./services/shared-store.js";
import type { UserOptions } from "./users.js";

/**
 * TEST_STORE=postgres runs the tests of services on PostgreSQL, each by two nodes on a database of its own behind a
 * proxy that gives them the requests in turn.
 */
export const ON_POSTGRES = process.env.TEST_STORE === "postgres";

/** What only an index answers: searches, their streams and pages, and lists of terms and of what cites them. */
const SEARCHES = [
  /^\/$|^\/(api\/)?((user\/)?search|facets|compare)\b/,
  /^\/(api\/)?(user\/)?records(\/[a-z]+)?\/?(\?|$)/,
  /^\/(api\/)?vocabularies\/[a-z]+(\/?(\?|$)|\/.*\/citations)/,
];

/** A test that searches is left out where there is nothing to search; anything else has to be answered. */
const leaveOutSearches: HearAnswer = ({ path }, { status, text }) => {
  if (status === 503 && text.includes("SEARCH_UNAVAILABLE") && SEARCHES.some((search) => search.test(path))) {
    getCurrentTest<RunnerTestCase | undefined>()?.context.skip(`${path} needs a search index`);
  }
};

/** Fails a request whose answer the OpenAPI document does not describe. */
const checkAnswer = ({ check }: AnswerCheck): HearAnswer => {
  return (request, { status, headers, text }) => {
    const isText = headers["content-encoding"] === undefined;
    const problems = check({ ...request, status, type: headers["content-type"], text: isText ? text : undefined });
    if (problems.length > 0) throw new Error(`${request.method} ${request.path}: ${problems.slice(0, 10).join("; ")}`);
  };
};

/** A service that runs in this process and listens. */
export interface Service extends Omit<Bindery, "pid" | "end"> {
  /** With what else uses its store; absent: with its data folder. */
  readonly env?: NodeJS.ProcessEnv;
  /** As `AnswerCheck.checked`; absent: answers are not checked. */
  readonly checkedAnswers?: ReadonlySet<string>;
}

interface Running {
  readonly url: string;
  readonly operator: OperatorServices;
  close(): Promise<void>;
}

/**
 * Starts the service in this process: what `bindery serve` is made of, with an engine of its own for what is written,
 * searched and read by id, as there; what is asked of another of them is cloned on its way, as there. Only the threads
 * are missing, and what looks after them: see `startBindery`.
 */
export async function startService({
  env = {},
  data: given,
  content,
}: Omit<BinderyOptions, "through"> = {}): Promise<Service> {
  const data = given ?? mkdtempSync(join(tmpdir(), "bindery-service-"));
  const shared = ON_POSTGRES ? await newSharedStore(data) : undefined;
  const variables = settings(data, { ...shared?.env, ...env });
  const isNew = given === undefined && env.BINDERY_CATALOG === undefined;
  if (isNew && shared === undefined) await newStore(data, content);
  const open = shared === undefined ? start : startNodes;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const log: string[] = [];
  let running = await open(variables, log);
  const answerCheck = makeAnswerCheck();
  const heard = [...(shared === undefined ? [] : [leaveOutSearches]), checkAnswer(answerCheck)];
  const client = makeClient(
    () => running.url,
    agent,
    undefined,
    (...answer) => {
      for (const hear of heard) hear(...answer);
    },
  );
  return {
    data,
    env: variables,
    client,
    checkedAnswers: answerCheck.checked,
    get url() {
      return running.url;
    },
    cli: (...args) => runCommandHere(args, variables),
    program: (...args) => runProgram(args, variables),
    user: (name, options) => addUser(running.operator, client, name, options),
    output: () => log.join(""),
    async restart() {
      await running.close();
      log.length = 0;
      running = await open(variables, log);
    },
    async dispose() {
      agent.destroy();
      await running.close();
      await shared?.remove();
      if (given === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}

async function addUser(
  operator: OperatorServices,
  client: Bindery["client"],
  name: string,
  { role = "depositor", scopes = ["records:write"], ...rest }: UserOptions = {},
): Promise<TestUser> {
  const known = await operator.listUsers();
  if (!known.some((user) => user.name === name)) await operator.addUser(name, role);
  const { token } = await operator.createToken({ user: name, scopes, ...rest });
  return { name, token, client: client.as(token) };
}

/** Two nodes on one database without an index, each with an address of its own. */
export interface TwoNodes {
  /** Clients without a token. */
  readonly nodes: readonly [Bindery["client"], Bindery["client"]];
  /** Adds a user; the client asks the first node. */
  user(name: string, options?: UserOptions): Promise<TestUser>;
  cli: Bindery["cli"];
  /** Of their database. */
  readonly databaseUrl: string;
  dispose(): Promise<void>;
}

/** @param env more settings, of both nodes */
export async function startTwoNodes(env: Readonly<Record<string, string>> = {}): Promise<TwoNodes> {
  const data = mkdtempSync(join(tmpdir(), "bindery-nodes-"));
  const shared = await newSharedStore(data, false);
  // As clients reach both, so that both make the same links.
  const variables = settings(data, { ...shared.env, BINDERY_PUBLIC_URL: "http://bindery.example", ...env });
  const running = [await start(variables, []), await start(variables, [])] as const;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const [first, second] = running.map(({ url }) => makeClient(() => url, agent));
  return {
    nodes: [first!, second!],
    cli: (...args) => runCommandHere(args, variables),
    databaseUrl: variables.BINDERY_DATABASE_URL!,
    user: (name, options) => addUser(running[0].operator, first!, name, options),
    async dispose() {
      agent.destroy();
      await Promise.all(running.map((node) => node.close()));
      await shared.remove();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Two nodes behind a proxy that gives them the requests in turn. */
async function startNodes(variables: NodeJS.ProcessEnv, log: string[]): Promise<Running> {
  const proxy = await startPrefixProxy("");
  const behind = { BINDERY_PUBLIC_URL: proxy.url, BINDERY_METRICS: "everyone", ...variables };
  const nodes = [await start(behind, log), await start(behind, log)];
  proxy.passTo(...nodes.map(({ url }) => url));
  return {
    url: proxy.url,
    operator: nodes[0]!.operator,
    close: async () => {
      await proxy.close();
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
}

async function start(variables: NodeJS.ProcessEnv, log: string[]): Promise<Running> {
  const config = loadConfig(variables);
  const logger = pino(
    { level: config.logLevel, base: null, hooks: { streamWrite: hideSecrets } },
    { write: (line: string) => void log.push(line) },
  );
  const catalog = await catalogOf(config);
  const onDemand = config.catalog === "" ? BUILT_IN_ON_DEMAND : makeOnDemand();
  const registry = new Registry();
  const keeper = keepState(logger, registry);
  const closers: (() => unknown)[] = [];
  const setup: Setup = { config, catalog, logger, reports: keeper.report, closers };
  const open = async (role: EngineRole) => {
    const background = makeReporter((report) => keeper.report(role, report));
    const composition = await compose(config, catalog, { role, background, onDemand });
    closers.push(() => composition.close());
    return composition;
  };
  try {
    if (!isShared(config)) closers.push(await lockData(config));
    const { services: writer } = await open("writer");
    await writer.loadStarters();
    const local = await open("http");
    const { services: search, caches } = await open("search");
    const threads = {
      writer: remoteOf(writer),
      search: remoteOf(search),
      pages: remoteOf({ ...search, makeLargePage: largePages(search, catalog, caches) }),
      loader: remoteOf((await open("loader")).services),
    };
    if (config.searchUrl !== "") await feedIndex(await open("indexer"), closers);
    const port = await serveHttp(setup, { local, threads, registry, state: async () => keeper.state() });
    return { url: `http://127.0.0.1:${port}`, operator: writer, close: () => closeAll(closers) };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

/** What the thread of the index relay does. Searches are answered when there is an index: until then it waits. */
async function feedIndex({ search, leadership, services }: Composition, closers: (() => unknown)[]): Promise<void> {
  const relay = runWhileLeading("search-index", leadership, WARNING_REPORTER, () =>
    search!.startRelay(WARNING_REPORTER),
  );
  closers.push(() => relay.stop());
  while (!(await services.listIndexes()).some(({ isCurrent }) => isCurrent)) await sleep(10);
}

async function closeAll(closers: (() => unknown)[]): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

/** Calls of services as they go to another thread and come back. */
function remoteOf(services: object): WorkerThreads["writer"] {
  const answerer = makeAnswerer(runHandlers(services as Handlers), (message, transfer) =>
    caller.receive(structuredClone(message, { transfer })),
  );
  const caller = makeCaller((message) => answerer.receive(structuredClone(message)), {
    name: "the thread",
    callMs: () => LIMITS.callMsMax,
  });
  return caller;
}
