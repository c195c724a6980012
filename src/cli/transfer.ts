import { existsSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { describeDataPlace } from "../config/derived.js";
import { openText } from "../services/input/open-import.js";
import type { OperatorServices } from "../services/use-cases.js";
import { type CommandContext, withStoreAdmin } from "./operator.js";
import { endingOnSignals, formatCount, formatNumber, writeError, writeJson, writeOut } from "./output.js";
import { withProgress } from "./progress.js";

/** Adds `bindery backup FILE [--force]`. */
export function addBackupCommand(program: Command, context: CommandContext): void {
  program
    .command("backup")
    .description("copy a consistent snapshot of the whole store into one file; the service may be running")
    .argument("<file>", "the copy; its folder must exist")
    .option("--force", "overwrite an existing file", false)
    .option("--json", "print JSON")
    .action(async (file: string, { force, json }: { force: boolean; json?: boolean }) => {
      const summary = await endingOnSignals(() =>
        withStoreAdmin(context, (services) => services.backupStore(file, force)),
      );
      if (summary.damaged.length > 0) context.failed();
      if (json) return writeJson(summary);
      const { bytes, records, terms, lastChange, unnoted } = summary;
      const content = `${formatCount(records, "record")}, ${formatCount(terms, "term")}, last change ${lastChange}`;
      reportDamaged(summary.damaged, "Keep the backups before this one");
      writeOut(`${summary.file}: ${formatNumber(bytes)} bytes, ${content}`);
      if (unnoted !== undefined) writeError(`\`bindery status\` will not know of this backup: ${unnoted}`);
    });
}

/** Maximum number of printed ids. */
const NAMED_MAX = 20;

/** Reports damaged records of a copy. @param cure advice for the operator */
function reportDamaged(ids: readonly string[], cure: string): void {
  if (ids.length === 0) return;
  writeError(`The copy has ${formatCount(ids.length, "record")} with a wrong checksum: ${shorten(ids)}. ${cure}.`);
}

/** Adds `bindery restore FILE [--force]`. */
export function addRestoreCommand(program: Command, { config }: CommandContext): void {
  program
    .command("restore")
    .description("restore a backup into the data folder; the service must be stopped")
    .argument("<file>", "a file that `bindery backup` wrote")
    .option("--force", "if there is a database already: rename it and continue", false)
    .option(
      "--as-in-backup",
      "restore users, tokens and shares exactly as in the backup, including rights that were withdrawn since",
      false,
    )
    .option("--json", "print JSON")
    .action(async (file: string, { json, ...options }: RestoreFlags) => {
      const { restoreData } = await import("../app/composition/store-files.js");
      const summary = await endingOnSignals(() => restoreData(config(), file, options));
      reportRights(summary);
      if (json) return writeJson(summary);
      const { bytes, records, terms, lastChange, kept } = summary;
      const content = `${formatCount(records, "record")}, ${formatCount(terms, "term")}, last change ${lastChange}`;
      writeOut(`Restored ${file}: ${formatNumber(bytes)} bytes, ${content}`);
      reportDamaged(summary.damaged, "An older backup may have it as it was");
      if (kept !== undefined) writeOut(`The previous database was renamed to ${kept}`);
    });
}

interface RestoreFlags {
  readonly force: boolean;
  readonly asInBackup: boolean;
  readonly json?: boolean;
}

/** Reports on stderr which rights withdrawn after the backup stay withdrawn. */
function reportRights({ carriedOver: carried, live }: Pick<Restored, "carriedOver" | "live">): void {
  const rights = `${formatCount(live.users, "enabled user")} and ${formatCount(live.tokens, "valid token")}`;
  if (carried === undefined) {
    writeError(`Users, tokens and shares are as they were in the backup (${rights}): ${UNCARRIED}`);
    return;
  }
  const withdrawn = [
    [carried.revokedTokens, "revoked token"],
    [carried.disabledUsers.length, "disabled user"],
    [carried.loweredRoles, "lowered role"],
    [carried.removedShares, "removed share"],
    [carried.removedWebhooks, "removed webhook"],
  ] as const;
  const counts = withdrawn.filter(([count]) => count > 0).map(([count, noun]) => formatCount(count, noun));
  const names = carried.disabledUsers.length === 0 ? "" : ` (${shorten(carried.disabledUsers)})`;
  if (counts.length > 0) writeError(`Carried over from the replaced database: ${counts.join(", ")}${names}.`);
  if (!carried.isLater) writeError(`The replaced database is not a later state of the backup: ${UNCARRIED}`);
  const lost = [formatCount(carried.lostUsers, "user"), formatCount(carried.lostTokens, "valid token")].join(" and ");
  if (carried.lostUsers + carried.lostTokens > 0) writeError(`The backup does not have ${lost} of it: they are gone.`);
  const { otherOwners, republished: shownAgain } = carried;
  if (otherOwners.length > 0) {
    writeError(
      `Transferred after the backup, and with their former owner again: ${formatCount(otherOwners.length, "record")}:`,
    );
    writeError(`  ${shorten(otherOwners)}. Transfer them again (\`bindery user transfer\`).`);
  }
  if (shownAgain.length === 0) return;
  writeError(`Retracted after the backup, and public again: ${formatCount(shownAgain.length, "record")}:`);
  writeError(`  ${shorten(shownAgain)}. Retract them again if they must not be shown.`);
}

type Restored = Awaited<ReturnType<typeof import("../app/composition/store-files.js").restoreData>>;

const UNCARRIED =
  "what was revoked, disabled or removed since it was made may be valid again. See `bindery user list` and `bindery " +
  "token list`; `bindery token revoke --all` ends all tokens.";

/** Lists the first names. */
const shorten = (names: readonly string[]): string =>
  names.slice(0, NAMED_MAX).join(", ") + (names.length > NAMED_MAX ? " ..." : "");

/** Adds `bindery dump [FILE]`. */
export function addDumpCommand(program: Command, context: CommandContext): void {
  program
    .command("dump")
    .description(
      "write a consistent copy of the whole store into a file for `bindery load`, from a data folder or " +
        "PostgreSQL; the service may be running",
    )
    .argument("[file]", "a new file; without it, or with -, the dump is printed", "-")
    .action(async (file: string) => {
      const dump = async (services: OperatorServices): Promise<void> => {
        const lines = Readable.from(await services.dumpStore());
        if (file === "-") return await pipeline(lines, process.stdout, { end: false });
        const { writeDumpFile } = await import("../app/composition/store-files.js");
        await writeDumpFile(file, lines);
        writeError(`Wrote ${file}: ${formatCount(statSync(file).size, "byte")}`);
      };
      await endingOnSignals(() => withStoreAdmin(context, dump));
    });
}

/** Adds `bindery load FILE`. */
export function addLoadCommand(program: Command, { config, catalog }: CommandContext): void {
  program
    .command("load")
    .description("load a dump into an unused store: a new data folder or an empty PostgreSQL database")
    .argument("<file>", "a file from `bindery dump`, gzipped or not; - reads the standard input")
    .action(async (file: string) => {
      if (file !== "-" && !existsSync(file)) throw new Error(`${file} does not exist.`);
      const { loadStore } = await import("../app/composition/store-files.js");
      const { readStoreDump } = await import("../services/admin/store-dump.js");
      const values = config();
      const openedCatalog = await catalog(values);
      const load = (onProgress: (bytesRead: number) => void): Promise<unknown> => {
        const text = file === "-" ? process.stdin.setEncoding("utf8") : openText(file, onProgress);
        return endingOnSignals(() => loadStore(values, openedCatalog, readStoreDump(text)));
      };
      if (file === "-") await load(() => undefined);
      else await withProgress(file, ({ onProgress }) => load(onProgress));
      writeError(`Users, tokens and shares are as they were when the dump was written: ${UNCARRIED}`);
      writeOut(`Loaded ${file} into ${describeDataPlace(values)}`);
    });
}
