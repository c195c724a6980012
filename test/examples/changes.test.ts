import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type Bindery, ROOT, runCommand, startBindery, type TestUser } from "../support/bindery.js";
import { deposit, eventually, publish } from "../support/deposit.js";
import type { RecordShape } from "../support/http-client.js";
import { type Receiver, startReceiver } from "../support/receiver.js";
import { makeRecord } from "../support/records.js";

const TEXT = readFileSync(join(ROOT, "docs/changes.md"), "utf8");

/** The code block of a language that begins with a text. */
function block(language: string, begin: string): string {
  const blocks = [...TEXT.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map((match) => [match[1]!, match[2]!] as const);
  return blocks.find(([name, text]) => name === language && text.startsWith(begin))![1];
}

let bindery: Bindery;
let alice: TestUser;
let receiver: Receiver;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bindery-changes-"));
  receiver = await startReceiver();
  bindery = await startBindery({ env: { BINDERY_WEBHOOK_PRIVATE: "on" } });
  alice = await bindery.user("alice");
});
afterAll(async () => {
  await receiver.close();
  await bindery.dispose();
  rmSync(folder, { recursive: true, force: true });
});

it("has a mirror that keeps a copy of what is published", async () => {
  const script = join(folder, "mirror.mjs");
  writeFileSync(script, block("js", "// mirror.mjs"));
  const copy = join(folder, "copy");
  const start = () => spawn(process.execPath, [script, bindery.url, copy], { stdio: ["ignore", "ignore", "inherit"] });
  const isThere = (id: string) => existsSync(join(copy, `${id}.json`));
  const one = await publish(alice.client, makeRecord(1));
  const draft = await deposit(alice.client, makeRecord(2));
  let mirror = start();
  onTestFinished(() => void mirror.kill());
  await eventually(async () => expect(isThere(one.id)).toBe(true));

  const published: RecordShape[] = [one];
  for (let n = 3; n < 13; n++) published.push(await publish(alice.client, makeRecord(n)));
  mirror.kill("SIGKILL");
  for (let n = 13; n < 23; n++) published.push(await publish(alice.client, makeRecord(n)));
  mirror = start();
  await eventually(async () => expect(published.filter(({ id }) => !isThere(id))).toEqual([]));
  expect(isThere(draft.id)).toBe(false);
  for (const { id } of published) {
    const live = await bindery.client.get<RecordShape>(`/api/records/mst/${id}`);
    expect(JSON.parse(readFileSync(join(copy, `${id}.json`), "utf8"))).toEqual(live.body);
  }
});

it("has receivers that know what is genuine, in Node and in Python", async () => {
  const added = await bindery.cli("webhook", "add", receiver.url, "--kind", "record");
  expect(added.code, added.stderr).toBe(0);
  const secret = added.stdout.trim();
  await publish(alice.client, makeRecord(100));
  await eventually(async () => expect(receiver.received).toHaveLength(1));
  const [{ headers, body }] = receiver.received as [Receiver["received"][number]];

  const module = join(folder, "genuine.mjs");
  writeFileSync(module, block("js", "// Node"));
  const { isGenuine } = (await import(/* @vite-ignore */ pathToFileURL(module).href)) as {
    isGenuine(headers: object, body: string, secret: string, now?: number): boolean;
  };
  expect(isGenuine(headers, body, secret)).toBe(true);
  expect(isGenuine(headers, `${body} `, secret)).toBe(false);
  expect(isGenuine({ ...headers, "webhook-signature": `v1,x ${headers["webhook-signature"]}` }, body, secret)).toBe(
    true,
  );
  expect(isGenuine(headers, body, `whsec_x${secret.slice(7)}`)).toBe(false);
  expect(isGenuine(headers, body, secret, Date.now() / 1_000 + 1_000)).toBe(false);

  const python = await runCommand("python3", ["--version"]).catch(() => undefined);
  if (python?.code !== 0) return;
  const file = join(folder, "genuine.py");
  const asked = JSON.stringify({ headers, body, secret });
  const main = `import json, sys
q = json.loads(sys.argv[1])
print(is_genuine(q["headers"], q["body"].encode(), q["secret"]), is_genuine(q["headers"], b"x", q["secret"]))`;
  writeFileSync(file, `${block("python", "# Python")}\n${main}\n`);
  const { stdout, stderr } = await runCommand("python3", [file, asked]);
  expect(stdout.trim(), stderr).toBe("True False");
});

it("names commands that there are", async () => {
  const commands = [...block("sh", "npx").matchAll(/npx bindery webhook (\w+)/g)].map((match) => match[1]!);
  for (const command of new Set(commands)) expect((await bindery.cli("webhook", command, "--help")).code).toBe(0);
});
