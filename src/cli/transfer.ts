import { createReadStream, createWriteStream, rmSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { describeData } from "../config/derived.js";
import type { CommandContext } from "./command-context.js";
import { withStoreAdmin } from "./operator.js";
import { formatCount, writeError, writeOut } from "./output.js";

/** `bindery dump [FILE]` */
export function addDumpCommand(program: Command, context: CommandContext): void {
  program
    .command("dump")
    .description(
      "write all of the store, as it is at one moment, into a file that `bindery load` reads, on a data folder as on " +
        "PostgreSQL; the service may be running",
    )
    .argument("[file]", "a new file; without it, or with -, the dump is printed", "-")
    .action(async (file: string) => {
      await withStoreAdmin(context, async (services) => {
        const lines = Readable.from(await services.dumpStore());
        if (file === "-") return await pipeline(lines, process.stdout, { end: false });
        await writeNewFile(file, lines);
        writeError(`Wrote ${file}: ${formatCount(statSync(file).size, "byte")}`);
      });
    });
}

/** Digests of tokens, drafts and addresses stand in it: it is for its owner alone. A part of it is removed. */
async function writeNewFile(file: string, lines: Readable): Promise<void> {
  let isOurs = false;
  const target = createWriteStream(file, { flags: "wx", mode: 0o600, flush: true });
  target.once("open", () => {
    isOurs = true;
  });
  try {
    await pipeline(lines, target);
  } catch (error) {
    if (isOurs) rmSync(file, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`${file} cannot be written: ${code === "EEXIST" ? "it is there already" : message}.`, {
      cause: error,
    });
  }
}

/** `bindery load FILE` */
export function addLoadCommand(program: Command, { config, catalog }: CommandContext): void {
  program
    .command("load")
    .description("fill a store that has nothing yet, a new data folder or an empty PostgreSQL database, from a dump")
    .argument("<file>", "what `bindery dump` wrote; - reads it from the standard input")
    .action(async (file: string) => {
      const { loadStore } = await import("../app/composition/load-store.js");
      const { readStoreDump } = await import("../services/admin/store-dump.js");
      const values = config();
      const text = (file === "-" ? process.stdin : createReadStream(file)).setEncoding("utf8");
      await loadStore(values, await catalog(values), readStoreDump(text));
      writeOut(`Loaded ${file} into ${describeData(values)}`);
    });
}
