import { openCatalog } from "../../src/app/composition/open-catalog.js";
import { run } from "../../src/cli/run.js";
import type { Config } from "../../src/config/schema.js";
import { loadConfig } from "../../src/config/settings.js";
import type { Catalog } from "../../src/core/catalog/types.js";
import type { CommandResult } from "./bindery.js";
import { builtInCatalog } from "./catalog.js";

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `bindery ...` in this process, after the commands that were begun before: starting a program for each took most
 * of the time of the tests. What a process is for (signals, pipes, an end in the middle) needs the built program.
 *
 * @param env settings, and nothing of the environment of the tests
 */
export function runCommandHere(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<CommandResult> {
  const done = last.then(() => gather(() => run(args, () => loadConfig(env), catalogOf)));
  last = done.catch(() => undefined);
  return done;
}

/** The catalog that a configuration names; the built-in one is read once. */
export async function catalogOf(config: Config): Promise<Catalog> {
  return config.catalog === "" ? builtInCatalog() : openCatalog(config);
}

/** What is printed while `work` runs. */
async function gather(work: () => Promise<number>): Promise<CommandResult> {
  const said = { stdout: "", stderr: "" };
  const restore = (["stdout", "stderr"] as const).map((name) => {
    const stream = process[name];
    const { write } = stream;
    stream.write = ((text: string | Uint8Array) => {
      said[name] += text.toString();
      return true;
    }) as typeof write;
    return () => {
      stream.write = write;
    };
  });
  try {
    return { code: await work(), ...said };
  } finally {
    for (const each of restore) each();
  }
}
