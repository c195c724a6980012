import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { describeData } from "../config/derived.js";
import type { CommandContext } from "./command-context.js";
import { withStoreAdmin } from "./operator.js";
import { writeError, writeOut } from "./output.js";

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
        // Digests of tokens, drafts and addresses stand in it.
        await pipeline(lines, createWriteStream(file, { flags: "wx", mode: 0o600 }));
        writeError(`Wrote ${file}`);
      });
    });
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
