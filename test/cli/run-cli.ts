/** Runs commands as an operator does. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { CommandResult } from "../support/bindery.js";
import { runCommandHere } from "../support/run-command.js";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

type Env = Readonly<Record<string, string>>;

/** Only the settings that a test names; what the machine sets beside them does not reach the program. */
function environment(env: Env): NodeJS.ProcessEnv {
  const rest = Object.entries(process.env).filter(([name]) => !name.startsWith("BINDERY_"));
  return { ...Object.fromEntries(rest), ...env };
}

/** Runs one command to its end, in this process; what serves, and what is to be a process, is `runProgram`. */
export function runCli(args: readonly string[], env: Env = {}): Promise<CommandResult> {
  return runCommandHere(args, env);
}

/** Runs the built program to its end. */
export function runProgram(args: readonly string[], env: Env = {}): Promise<CommandResult> {
  return watch(spawn(process.execPath, [MAIN, ...args], { env: environment(env) })).ended;
}

export interface Served {
  readonly url: string;
  readonly process: ChildProcess;
  readonly ended: Promise<CommandResult>;
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
  const ended = new Promise<CommandResult>((resolve) => child.once("close", (code) => resolve({ code, ...said })));
  return { ended, output: () => said.stdout + said.stderr };
}
