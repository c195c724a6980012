import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, makeClient } from "./http-client.js";
import type { StoreContent } from "./new-store.js";
import type { UserOptions } from "./users.js";

export interface BinderyOptions {
  /** More settings: `{ BINDERY_CATALOG: "..." }`. */
  readonly env?: Readonly<Record<string, string>>;
  /** A folder to use instead of a new temporary one; it is left there. */
  readonly data?: string;
  /** What a new folder's store holds; by default the starter items. */
  readonly content?: StoreContent;
  /** Program and arguments that run the server: `["prlimit", "--fsize=1000000"]`. */
  readonly through?: readonly string[];
  /** The `dist/main.js` of another copy of the sources; absent: of this one. */
  readonly main?: string | undefined;
}

export interface TestUser {
  readonly name: string;
  readonly token: string;
  /** Sends its requests with the token. */
  readonly client: Client;
}

export interface CommandResult {
  /** null: ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running service: the built program, on a free port, with a data folder of its own. */
export interface Bindery {
  /** Without a slash at the end; another one after a restart. */
  readonly url: string;
  readonly data: string;
  /** Without a token. */
  readonly client: Client;
  readonly pid: number;
  /** Adds a user and makes a token, by default one that deposits. */
  user(name: string, options?: UserOptions): Promise<TestUser>;
  /** Runs `bindery ...` on the same data folder, in this process. */
  cli(...args: readonly string[]): Promise<CommandResult>;
  /** Runs the built program on it, as one process more. */
  program(...args: readonly string[]): Promise<CommandResult>;
  /** All that the server has printed since its last start. */
  output(): string;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<CommandResult>;
  /** Starts it again on the same folder, which needs an ended server. */
  restart(): Promise<void>;
  /** Ends the server and removes the folder. */
  dispose(): Promise<void>;
}

/** The repository's root, from test/support as from dist-bench/test/support. */
export const ROOT = findRoot();
const START_TIMEOUT_MS = 30_000;

/** Starts the service and waits until it says its address. */
export async function startBindery(options: BinderyOptions = {}): Promise<Bindery> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), "bindery-test-"));
  const env = settings(data, options.env);
  const isShared = env.BINDERY_DATABASE_URL !== undefined;
  const { through, main = mainFile() } = options;
  if (options.data === undefined && env.BINDERY_CATALOG === undefined && !isShared) {
    // Only where it is needed: it is the larger part of the service.
    const { newStore } = await import("./new-store.js");
    await newStore(data, options.content);
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let server = await startServer(env, main, through);
  const client = makeClient(() => server.url, agent);

  return {
    data,
    client,
    cli: async (...args) => (await import("./run-command.js")).runCommandHere(args, env),
    program: (...args) => runCommand(process.execPath, [main, ...args], env),
    get url() {
      return server.url;
    },
    get pid() {
      return server.child.pid ?? 0;
    },
    output: () => server.output(),
    user: async (name, userOptions) => {
      const { addUsers } = await import("./users.js");
      const [user] = await addUsers({ client, env }, [{ ...userOptions, name }]);
      return user!;
    },
    end: (signal) => server.end(signal),
    async restart() {
      server = await startServer(env, main, through);
    },
    async dispose() {
      await server.end("SIGKILL");
      agent.destroy();
      if (options.data === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Runs a program to its end. */
export function runCommand(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<CommandResult> {
  const child = spawn(file, args, { env, cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  return collect(child).ended;
}

/** Runs the built program to its end: `bindery ...`. */
export function runProgram(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandResult> {
  return runCommand(process.execPath, [mainFile(), ...args], env);
}

/** The environment of the program: what a shell has, and our settings only. */
export function settings(data: string, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(BINDERY_|NODE_OPTIONS$|VITEST)/.test(name));
  const own = { BINDERY_PORT: "0", BINDERY_DATA: data, BINDERY_LOG_LEVEL: "warn", BINDERY_RATE_LIMITS: "off" };
  return { ...Object.fromEntries(inherited), NODE_ENV: "production", ...own, ...more };
}

/** The built program. */
export function mainFile(): string {
  return join(ROOT, "dist/main.js");
}

interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  output(): string;
  end(signal: NodeJS.Signals): Promise<CommandResult>;
}

async function startServer(env: NodeJS.ProcessEnv, main: string, through: readonly string[] = []): Promise<Running> {
  const [file, ...args] = [...through, process.execPath, main, "serve"];
  const child = spawn(file!, args, { env, cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const { ended, output } = collect(child);
  const timer = setTimeout(() => child.kill("SIGKILL"), START_TIMEOUT_MS);
  const url = await new Promise<string>((found, fail) => {
    const look = (): void => {
      const address = /serves (http:\/\/\S+)/.exec(output())?.[1];
      if (address !== undefined) found(address);
    };
    child.stdout?.on("data", look);
    void ended.then(({ code }) => fail(new Error(`The server ended with ${code}:\n${output()}`)));
  }).finally(() => clearTimeout(timer));
  const end = (signal: NodeJS.Signals): Promise<CommandResult> => {
    child.kill(signal);
    return ended;
  };
  return { url, child, output, end };
}

/** Gathers what a process prints, and how it ends. */
function collect(child: ChildProcess): { ended: Promise<CommandResult>; output: () => string } {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const ended = new Promise<CommandResult>((resolveEnd, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolveEnd({ code, stdout, stderr }));
  });
  return { ended, output: () => stdout + stderr };
}

function findRoot(): string {
  const here = fileURLToPath(new URL(".", import.meta.url));
  return resolve(here, here.includes("dist-bench") ? "../../.." : "../..");
}
