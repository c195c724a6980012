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
