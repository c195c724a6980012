import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.js";
import { Reader } from "./reader.js";
import { openStage, type Stage } from "./stage.js";
import { WALKS } from "./walks.js";

describe.skipIf(!HAS_CHROMIUM)("a reader", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it.each(WALKS)("$task: in $acts acts at most", async ({ acts, from = "/", walk }) => {
    const reader = await Reader.open(stage.browser, stage.at(from));
    await walk(reader);
    await reader.close(acts);
  });

  it("2: sends what was found as a link, which shows the same elsewhere", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=lysozyme"));
    await reader.page
      .getByLabel(/^Gallus gallus/)
      .first()
      .click();
    await reader.page.waitForURL(/organism=/);
    const [address, total] = [reader.page.url(), await reader.total()];
    const other = await Reader.open(stage.browser, address);
    expect(await other.total()).toBe(total);
    await other.close(1);
    await reader.close(1);
  });
});
