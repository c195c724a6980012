/** A call of each command that writes, for kills at random moments. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DATABASE_FILE, Sqlite } from "../../src/engines/sqlite/connection/database.js";
import { settings } from "../support/bindery.js";
import { type Taxon, taxdump } from "../support/dumps.js";
import { makeTar } from "../support/make-archive.js";
import { newStore } from "../support/new-store.js";
import { runCommandHere } from "../support/run-command.js";
import { smallRecord } from "../support/small-record.js";

/** The folders of one kill. */
export interface Place {
  readonly data: string;
  /** Folder that commands write files to. */
  readonly out: string;
  /** Folder of the files that commands read. */
  readonly input: string;
}

export interface KillScenario {
  /** The words of the command in the command table. */
  readonly command: string;
  readonly args: (place: Place) => readonly string[];
  /** Whether the whole effect is there: a query of the store that counts it, or a function. */
  readonly effect: string | ((place: Place) => boolean);
  /** The action in the audit log, whose entry is there if and only if the effect is. */
  readonly action?: string;
  /** The message of the command if its effect is there already; absent: it succeeds again. */
  readonly repeated?: RegExp;
  /** Lines of a dump that the command may change or remove; all others must stay as they are. */
  readonly changes?: RegExp;
  /** True: the command makes the store, in an empty folder. */
  readonly makesStore?: true;
}

/** Commands that write neither to a store nor a file. */
export const READING: readonly string[] = [
  ...["status", "audit", "config", "validate", "match affiliations", "catalog check", "catalog show"],
  ...["authority list", "authority status", "term waiting", "term history", "user list", "token list", "webhook list"],
];

/** Commands that another test interrupts. */
export const KILLED_ELSEWHERE: Readonly<Record<string, string>> = {
  // It needs OpenSearch; the test ends it in the middle, and starts it again.
  reindex: "test/engines/cluster-reindex.test.ts",
  // A repair is killed at its two long steps.
  verify: "test/faults/killed-repair.test.ts",
};

/** More terms than one transaction writes: an import of them makes a generation. */
const TAXA = 1_500;
const FIRST_TAXON = 9_000_000;
/** Records of a user. */
const OWNED = 40;
/** Records that an import adds. */
const IMPORTED = 120;

/** Fills `input` with the files of the commands, and `data` with the store that each kill begins with. */
export async function makeKilledStore({ data, input }: Pick<Place, "data" | "input">): Promise<void> {
  mkdirSync(input, { recursive: true });
  await newStore(data, "demo");
  const run = async (...args: readonly string[]): Promise<void> => {
    const { code, stderr } = await runCommandHere(args, killSettings(data));
    if (code !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  };
  const write = (name: string, lines: readonly object[]): string => {
    const path = join(input, name);
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return path;
  };
  const records = (number: number): readonly object[] =>
    Array.from({ length: number }, (_, n) =>
      smallRecord({ model: "mst", rights: "open", isValid: true, title: `No. ${n} of ${number}` }),
    );
  for (const name of ["ada", "bob", "cem", "dan"]) await run("user", "add", name);
  await run("user", "disable", "cem");
  for (const name of ["ada", "bob"]) await run("token", "create", "--user", name, "--scope", "records:write");
  await run("webhook", "add", "http://127.0.0.1:9/hook");
  const waiting = write("waiting.ndjson", [{ id: "cf:9000", title: { en: "Waiting" }, confirmed: false }]);
  await run("import", "vocabulary", "body_fluids", waiting);
  await run("import", "records", "mst", write("ada.ndjson", records(OWNED)), "--owner", "ada", "--publish");
  // Records cite the term by its former title: they are stale.
  const renamed = write("renamed.ndjson", [{ id: "ins:2", title: { en: "Renamed" } }]);
  await run("import", "vocabulary", "instruments", renamed);
  await run("backup", join(input, "whole.backup"));
  await run("dump", join(input, "whole.dump"));

  write("records.ndjson", records(IMPORTED));
  const organism = (n: number): object => ({ id: `taxid:${9_900_000 + n}`, title: { en: `Organism ${n}` } });
  write(
    "terms.ndjson",
    Array.from({ length: TAXA }, (_, n) => organism(n)),
  );
  const taxa = Array.from({ length: TAXA }, (_, i): Taxon => {
    const id = FIRST_TAXON + i;
    return { id, parent: i === 0 ? id : FIRST_TAXON + Math.floor((i - 1) / 8), rank: "species", name: `Taxon ${i}` };
  });
  writeFileSync(join(input, "taxdump.tar.gz"), gzipSync(makeTar(taxdump(taxa, { merged: [] }))));
}

/** The settings of a store that is killed. The address of its webhook refuses connections. */
export const killSettings = (data: string): NodeJS.ProcessEnv => settings(data, { BINDERY_WEBHOOK_PRIVATE: "on" });

/** Returns the number that a query counts in the store. */
export function countRows(data: string, sql: string): number {
  const raw = new Sqlite(join(data, DATABASE_FILE), { readonly: true });
  try {
    return raw.prepare<[], number | null>(sql).pluck().get() ?? 0;
  } finally {
    raw.close();
  }
}

const TERMS_OF = (vocabulary: string, number: number): string =>
  `SELECT count >= ${number} FROM generation WHERE vocabulary = '${vocabulary}' AND state = 'current'`;
const AUDITED = (action: string): string => `SELECT count(*) FROM audit WHERE action = '${action}'`;
const USER = (condition: string): string => `SELECT count(*) FROM user WHERE ${condition}`;
const RECORD_LINES = /^\{"rows":"(record|taken|stale_term|imported)"/;
const demoFile = (place: Place): boolean => existsSync(join(place.data, DATABASE_FILE));

/** Whether a new store has what the whole one has. */
const hasAll = (place: Place): boolean =>
  demoFile(place) && countRows(place.data, "SELECT count(*) FROM user") === 5 && countRows(place.data, NO_REST) === 0;
const NO_REST = "SELECT count(*) FROM meta WHERE name LIKE 'unfinished%'";

const files = (place: Place, folder: "input" | "out", name: string): string => join(place[folder], name);

const STORE_COMMANDS: readonly KillScenario[] = [
  {
    command: "import vocabulary",
    args: (place) => ["organisms", files(place, "input", "terms.ndjson")],
    effect: TERMS_OF("organisms", TAXA),
    action: "term.import",
  },
  {
    command: "import records",
    args: (place) => ["mst", files(place, "input", "records.ndjson"), "--owner", "bob"],
    effect: `SELECT count(*) = ${IMPORTED} FROM imported WHERE owner = (SELECT id FROM user WHERE name = 'bob')`,
  },
  {
    command: "authority load",
    args: (place) => ["ncbi", files(place, "input", "taxdump.tar.gz")],
    effect: TERMS_OF("organisms", TAXA),
    action: "term.import",
    changes: /^\{"rows":"dump"/,
  },
  {
    command: "refresh",
    args: () => ["--published"],
    effect: `SELECT count(*) >= ${OWNED} FROM audit WHERE action = 'record.refresh'`,
    changes: RECORD_LINES,
  },
  {
    command: "backup",
    args: (place) => [files(place, "out", "new.backup"), "--force"],
    effect: (place) => existsSync(files(place, "out", "new.backup")),
  },
  {
    command: "dump",
    args: (place) => [files(place, "out", "new.dump")],
    effect: (place) => isWholeDump(files(place, "out", "new.dump")),
    repeated: /exists/,
  },
  {
    command: "restore",
    args: (place) => [files(place, "input", "whole.backup")],
    makesStore: true,
    effect: hasAll,
    repeated: /database already|exists|--force/,
  },
  {
    command: "load",
    args: (place) => [files(place, "input", "whole.dump")],
    makesStore: true,
    effect: hasAll,
    repeated: /exists: `bindery load` makes a new store/,
  },
  {
    command: "demo",
    args: () => [],
    makesStore: true,
    effect: (place) => demoFile(place) && countRows(place.data, "SELECT count(*) >= 200 FROM doc") === 1,
  },
];

/** Whether a dump is there; a part of one must not be. @throws Error */
function isWholeDump(path: string): boolean {
  if (!existsSync(path)) return false;
  if (!readFileSync(path, "utf8").trimEnd().split("\n").at(-1)!.startsWith('{"end":true')) {
    throw new Error(`${path} is a part of a dump.`);
  }
  return true;
}

const TERM_COMMANDS: readonly KillScenario[] = [
  {
    command: "term patch",
    args: () => ["organisms", "taxid:562", '{"title":{"cs":"Bakterie"}}'],
    effect: "SELECT count(*) FROM term_history WHERE ext = 'taxid:562'",
    action: "term.put",
    changes: /^\{"rows":"term".*"taxid:562"/,
  },
  {
    command: "term deprecate",
    args: () => ["instruments", "ins:3"],
    effect: "SELECT count(*) FROM term_history WHERE ext = 'ins:3'",
    action: "term.put",
    changes: /^\{"rows":"term".*"ins:3"/,
  },
  {
    command: "term merge",
    args: () => ["instruments", "ins:4", "ins:5"],
    effect: "SELECT count(*) FROM term_history WHERE ext = 'ins:4'",
    action: "term.merge",
    changes: /^\{"rows":"term".*"ins:[45]"/,
  },
  {
    command: "term confirm",
    args: () => ["body_fluids", "cf:9000"],
    effect: "SELECT count(*) FROM term_history WHERE ext = 'cf:9000' AND action = 'confirmed'",
    action: "term.confirm",
    changes: /^\{"rows":"term".*"cf:9000"/,
  },
];

const ACCOUNT_COMMANDS: readonly KillScenario[] = [
  {
    command: "user add",
    args: () => ["eve"],
    effect: USER("name = 'eve'"),
    action: "user.add",
    repeated: /already a user eve/,
  },
  {
    command: "user role",
    args: () => ["ada", "curator"],
    effect: USER("name = 'ada' AND role = 'curator'"),
    action: "user.role",
    changes: /^\{"rows":"user".*"name":"ada"/,
  },
  {
    command: "user disable",
    args: () => ["ada"],
    effect: USER("name = 'ada' AND disabled IS NOT NULL"),
    action: "user.disable",
    changes: /^\{"rows":"user".*"name":"ada"/,
  },
  {
    command: "user enable",
    args: () => ["cem"],
    effect: USER("name = 'cem' AND disabled IS NULL"),
    action: "user.enable",
    changes: /^\{"rows":"user".*"name":"cem"/,
  },
  {
    command: "user rename",
    args: () => ["bob", "rob"],
    effect: USER("name = 'rob'"),
    action: "user.rename",
    repeated: /no user bob/i,
    changes: /^\{"rows":"user".*"name":"bob"/,
  },
  {
    command: "user delete",
    args: () => ["dan"],
    effect: `SELECT NOT EXISTS (${USER("name = 'dan'")} GROUP BY name)`,
    action: "user.delete",
    repeated: /no user dan/i,
    changes: /^\{"rows":"user".*"name":"dan"/,
  },
  {
    command: "user transfer",
    args: () => ["ada", "bob"],
    effect: `SELECT count(*) = ${OWNED} FROM audit WHERE action = 'record.transfer'`,
    changes: RECORD_LINES,
  },
  {
    command: "token create",
    args: () => ["--user", "ada", "--scope", "records:read"],
    effect: "SELECT count(*) > 3 FROM token",
    action: "token.create",
  },
  {
    command: "token revoke",
    args: () => ["--all"],
    effect: "SELECT NOT EXISTS (SELECT 1 FROM token WHERE revoked IS NULL)",
    action: "token.revoke",
    changes: /^\{"rows":"token"/,
  },
];

const OTHER_COMMANDS: readonly KillScenario[] = [
  {
    command: "webhook add",
    args: () => ["http://127.0.0.1:9/other"],
    effect: "SELECT count(*) > 1 FROM webhook",
    action: "webhook.add",
  },
  {
    command: "webhook replay",
    args: () => ["1", "--since", "0"],
    effect: AUDITED("webhook.replay"),
    changes: /^\{"rows":"webhook"/,
  },
  {
    command: "webhook secret",
    args: () => ["1"],
    effect: AUDITED("webhook.secret"),
    changes: /^\{"rows":"webhook"/,
  },
  {
    command: "webhook remove",
    args: () => ["1"],
    effect: "SELECT NOT EXISTS (SELECT 1 FROM webhook)",
    action: "webhook.remove",
    repeated: /no webhook/i,
    changes: /^\{"rows":"webhook"/,
  },
  {
    command: "catalog new model",
    args: (place) => ["nmr", "--folder", files(place, "out", "catalog")],
    effect: (place) => existsSync(files(place, "out", "catalog/models/nmr/example.json")),
    repeated: /nmr/,
  },
  {
    command: "catalog new vocabulary",
    args: (place) => ["solvents", "--folder", files(place, "out", "catalog")],
    effect: (place) => existsSync(files(place, "out", "catalog/vocabularies/solvents/vocabulary.yaml")),
    repeated: /solvents/,
  },
  { command: "serve", args: () => [], effect: () => true },
];

export const SCENARIOS: readonly KillScenario[] = [
  ...STORE_COMMANDS,
  ...TERM_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...OTHER_COMMANDS,
];
