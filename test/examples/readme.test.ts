import { expect, it, onTestFinished } from "vitest";
import { startBindery } from "../support/bindery.js";
import { runAsShown, shellBlocks } from "../support/shell-blocks.js";

/** Lines of the README's shell blocks, but those that install, start or test. */
function readmeScript(): string {
  const blocks = shellBlocks("README.md");
  return blocks.filter((block) => !block.startsWith("npm ")).join("\n");
}

it("has commands that all work as they stand, one after the other", async () => {
  const bindery = await startBindery();
  onTestFinished(() => bindery.dispose());
  const commands = readmeScript().replaceAll("http://127.0.0.1:8080", bindery.url);
  const { code, stdout, stderr } = await runAsShown(commands, bindery);
  expect(code, stderr.split("\n").slice(-10).join("\n") + stdout.slice(-2_000)).toBe(0);
  expect(stdout).toContain('"funder_name":"European Commission"');
  expect(stdout).toContain("mst: 1 created, 0 updated, 0 unchanged, 0 refused; 1 published");
  expect(stdout).toContain('"title":{"en":"Bacillus subtilis"}');
}, 180_000);

it("shows at least one request for each part of the interface", () => {
  const script = readmeScript();
  const parts = [
    "/api/search/",
    "/api/records/mst/",
    "/api/user/search/",
    "/api/user/records/mst/",
    "taxid:562",
    "q=%22",
  ];
  for (const part of [...parts, "suggest=", "ids=", "-X PUT", "/actions/publish"]) expect(script).toContain(part);
});
