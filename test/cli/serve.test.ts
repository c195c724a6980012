import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runCli, runProgram, type Served, serveCli } from "./run-cli.js";

let folder: string;
let running: Served[] = [];

const data = () => ({ BINDERY_DATA: join(folder, "data") });

function makeFolder(): void {
  folder = mkdtempSync(join(tmpdir(), "bindery-serve-"));
}

async function endAll(): Promise<void> {
  for (const server of running) server.process.kill("SIGKILL");
  await Promise.all(running.map((server) => server.ended));
  running = [];
  rmSync(folder, { recursive: true, force: true });
}

async function serve(env: Record<string, string> = {}): Promise<Served> {
  const server = await serveCli({ ...data(), ...env });
  running.push(server);
  return server;
}

describe("bindery serve, again and again on one folder", () => {
  let server: Served;
  beforeAll(async () => {
    makeFolder();
    server = await serve();
  });
  afterAll(endAll);

  it("takes a free port, prints it, answers, and makes links with it", async () => {
    const { url } = server;
    const response = await fetch(`${url}/api/vocabularies/organisms/taxid:562`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      id: "taxid:562",
      links: { self: `${url}/api/vocabularies/organisms/taxid:562` },
    });
  });

  it("finds what the command line did beside it, and logs no token", async () => {
    const { url, process, ended } = server;
    await runCli(["user", "add", "alice"], data());
    const created = await runCli(["token", "create", "--user", "alice", "--scope", "records:write"], data());
    const token = created.stdout.trim();
    const headers = { authorization: `Bearer ${token}` };
    const mine = `${url}/api/user/search/`;
    expect((await fetch(mine, { headers })).status).toBe(200);
    expect((await fetch(`${url}/api/search/?q=${token}`)).status).toBe(200);

    const [row] = JSON.parse((await runCli(["token", "list", "--json"], data())).stdout) as { id: string }[];
    await runCli(["token", "revoke", row!.id], data());
    expect((await fetch(mine, { headers })).status).toBe(401);

    process.kill("SIGTERM");
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(stdout + stderr).not.toContain(token);
  });
});

describe("bindery serve", () => {
  beforeEach(makeFolder);
  afterEach(endAll);

  it("takes the rights of others from a data folder that an older version left, and warns", async () => {
    mkdirSync(join(folder, "data"), { mode: 0o755 });
    const { output } = await serve();
    expect(output()).toMatch(/data was readable by others \(0755\); now only its owner can read it\./);
    expect(statSync(join(folder, "data")).mode & 0o777).toBe(0o700);
  });

  it("says so when the port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { port: number };
    const { code, stderr } = await runProgram(["serve"], { ...data(), BINDERY_PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^Port ${port} on 127.0.0.1 is in use.*BINDERY_PORT.*\n$`));
  });

  it.each(["203.0.113.7", "no-such-host.invalid"])("says so when %s is no address of this machine", async (host) => {
    const { code, stderr } = await runProgram(["serve"], { ...data(), BINDERY_PORT: "0", BINDERY_HOST: host });
    expect(code).toBe(1);
    expect(stderr).toBe(`${host} is not an address of this machine; set BINDERY_HOST to one of its addresses.\n`);
  });

  it("says all that is wrong with the folder of the site, before it touches the data", async () => {
    const site = join(folder, "site");
    mkdirSync(site);
    writeFileSync(join(site, "site.yaml"), 'title: Data\naccent: "#f5d90a"\n');
    writeFileSync(join(site, "imprint.md"), "Street 1\n");
    const { code, stderr } = await runProgram(["serve"], { ...data(), BINDERY_PORT: "0", BINDERY_SITE: site });
    expect(code).toBe(1);
    expect(stderr).toContain(
      `The folder of BINDERY_SITE (${site}) has mistakes:\n  site.yaml:2: "accent" has a contrast`,
    );
    expect(stderr).toContain("\n  imprint.md:1: the page has no title");
    expect(existsSync(join(folder, "data"))).toBe(false);
  });
});
