import { type Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "./command-context.js";
import { withStoreAdmin } from "./operator.js";
import { writeOut } from "./output.js";
import { withStages } from "./progress.js";

/** As many as OpenSearch lets an index have. */
const SHARDS_MAX = 1_024;

/** `bindery reindex [--shards N]` */
export function addReindexCommand(program: Command, context: CommandContext): void {
  program
    .command("reindex")
    .description(
      "make the search index beside a database anew, while services go on; what was interrupted goes on with the next",
    )
    .option("--shards <number>", "parts of the index, without it as many as it has", readShards)
    .action(async ({ shards }: { shards?: number }) => {
      const { name, wasResumed } = await withStages((onProgress) =>
        withStoreAdmin(context, (services) => services.reindexStore(shards, onProgress)),
      );
      writeOut(`Searches ask ${name} now${wasResumed ? ", which an earlier reindex had begun" : ""}.`);
    });
}

function readShards(text: string): number {
  const shards = /^\d+$/.test(text) ? Number(text) : 0;
  if (shards >= 1 && shards <= SHARDS_MAX) return shards;
  throw new InvalidArgumentError(`It is a whole number from 1 to ${SHARDS_MAX}.`);
}
