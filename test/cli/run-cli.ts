/** Runs the built program as an operator does. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Env = Readonly<Record<string, string>>;

/** Only the settings that a test names; what the machine sets beside them does not reach the program. */
function environment(env: Env): NodeJS.ProcessEnv {
  const rest = Object.entries(process.env).filter(([name]) => !name.startsWith("BINDERY_"));
  return { ...Object.fromEntries(rest), ...env };
}

/** Runs one command to its end. */
export async function runCli(args: readonly string[], env: Env = {}): Promise<Outcome> {
  return await watch(spawn(process.execPath, [MAIN, ...args], { env: environment(env) })).ended;
}

export interface Served {
  readonly url: string;
  readonly process: ChildProcess;
  readonly ended: Promise<Outcome>;
  /** All that it has printed, on both streams. */
  output(): string;
}

/** Starts `bindery serve` on a free port and waits until it says where. */
export async function serveCli(env: Env): Promise<Served> {
  const child = spawn(process.execPath, [MAIN, "serve"], { env: environment({ BINDERY_PORT: "0", ...env }) });
  const { ended, output } = watch(child);
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /^Bindery serves (http\S+) \(data in /.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    ended.then(({ code, stderr }) => reject(new Error(`The server ended with ${code}: ${stderr}`)));
  });
  return { url, process: child, ended, output };
}

function watch(child: ChildProcess): Pick<Served, "ended" | "output"> {
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.setEncoding("utf8").on("data", (text: string) => {
      said[stream] += text;
    });
  }
  const ended = new Promise<Outcome>((resolve) => child.once("close", (code) => resolve({ code, ...said })));
  return { ended, output: () => said.stdout + said.stderr };
}
