import { expect, it, onTestFinished } from "vitest";
import { startBindery } from "../support/bindery.js";
import { runAsShown, shellBlocks } from "../support/shell-blocks.js";

it("has commands that all work as they stand, one after the other", async () => {
  const bindery = await startBindery();
  onTestFinished(() => bindery.dispose());
  const { token } = await bindery.user("ada");
  const given = `BASE="${bindery.url}"\nAUTH="Authorization: Bearer ${token}"\n`;
  const { code, stdout, stderr } = await runAsShown(given + shellBlocks("docs/depositing.md").join("\n"), bindery);
  expect(code, stderr.split("\n").slice(-10).join("\n") + stdout.slice(-2_000)).toBe(0);
  expect(stdout).toContain('{"valid":true,"errors":[],"warnings":[]');
  expect(stdout).toContain("mst: 1 record, 1 valid\n");
});

it("has a page with lines that, pasted one after the other, check and publish a record", async () => {
  const bindery = await startBindery();
  onTestFinished(() => bindery.dispose());
  const { token } = await bindery.user("ada");
  const page = await (await fetch(`${bindery.url}/deposit?model=spr`, { headers: { accept: "text/html" } })).text();
  const blocks = [...page.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>/gs)].map(([, html]) =>
    html!.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  );
  const [addUser = "", variables = "", ...others] = blocks;
  expect(addUser).toContain("npx bindery token create");
  expect(variables).toContain(`BASE=${bindery.url}`);
  const lines = [variables.replace("bnd_...", token), ...others].join("\n");
  const { code, stdout, stderr } = await runAsShown(lines, bindery);
  expect(code, stderr.split("\n").slice(-10).join("\n") + stdout.slice(-2_000)).toBe(0);
  expect(stdout).toContain('{"valid":true,"errors":[],"warnings":[]');
  const found = (await (await fetch(`${bindery.url}/api/records/spr`)).json()) as { hits: { total: number } };
  expect(found.hits.total).toBe(1);
});
