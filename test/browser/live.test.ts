import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.js";
import { Reader } from "./reader.js";
import { openStage, type Stage } from "./stage.js";

describe.skipIf(!HAS_CHROMIUM)("a reader", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("selects and compares by keys alone", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=temperature:25°C+lysozyme"));
    const { page } = reader;
    for (const count of [1, 2]) {
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.getByText(`${count} selected:`).waitFor();
    }
    await page.locator(".selection").getByRole("link", { name: "Compare" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/compare/);
    const focused = () => page.evaluate<string>("document.activeElement.innerText");
    await page.keyboard.press("n");
    const first = await focused();
    await page.keyboard.press("n");
    expect(await focused()).not.toBe(first);
    await page.keyboard.press("p");
    expect([await focused(), first]).toEqual([first, expect.stringMatching(/./)]);
    await page.keyboard.press("f");
    expect(await page.locator(".equal:not([open])").count()).toBe(0);
    expect(await page.locator(".equal[open]").count()).toBeGreaterThan(0);
    await page.keyboard.press("f");
    expect(await page.locator(".equal[open]").count()).toBe(0);
    await reader.close();
  });

  it("takes no completion from the list of an earlier text", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search"));
    const { page } = reader;
    await page.locator("#q").pressSequentially("calmod");
    await page.getByRole("option").first().waitFor();
    await page.route("**/api/query?*", () => undefined);
    await page.keyboard.type("u");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=calmodu$/);
    await reader.close();
  });

  it("completes a plain word with a molecule, whose name stands before its smaller id, each once", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search"));
    const { page } = reader;
    await page.locator("#q").pressSequentially("calmod");
    const option = page.getByRole("option").first();
    await option.waitFor();
    // On a busy machine, the list of the first letters may come before.
    await expect.poll(() => option.locator("b").innerText()).toBe("Calmodulin");
    expect(await option.locator("small").innerText()).toBe("Molecule · uniprot:P0DP23");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await page.locator("#q").inputValue()).toBe('molecule:"uniprot:P0DP23"');
    await page.locator("#q").fill("kd");
    const field = page.locator(".completions li", { hasText: "kd:" });
    await field.waitFor();
    expect(await field.innerText()).toMatch(/^KD\s+kd:>0M$/);
    await reader.close();
  });

  it("moves in the tree of terms with the keys of a tree", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/vocabularies/organisms?view=tree&at=taxid:561"));
    const { page } = reader;
    const focused = () => page.evaluate<string>("document.activeElement.innerText.trim()");
    await page.locator("[role=treeitem][tabindex='0']").focus();
    await page.keyboard.press("Home");
    expect(await focused()).toContain("root");
    await page.keyboard.press("End");
    expect(await focused()).toMatch(/Escherichia coli/);
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/taxid%3A562/);
    const strain = page.getByRole("treeitem", { name: /K-12/ });
    await strain.waitFor();
    // A closed term stays in its place, and so do all others.
    await page.keyboard.press("ArrowLeft");
    await strain.waitFor({ state: "hidden" });
    expect(await focused()).toMatch(/Escherichia coli/);
    await page.locator("#at-taxid\\:562 > .unfold").click();
    await strain.waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await focused()).toMatch(/Escherichia taxid:561/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/vocabularies\/organisms\/taxid:561/);
    await reader.close();
  });

  it("finds focus, opened filters and the way back as they were, where a filter changed the page", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=lysozyme"));
    const { page } = reader;
    await page.locator("#facet-ph summary").first().click();
    const box = page.locator("#facet-organism").getByRole("checkbox").first();
    await box.focus();
    await page.keyboard.press("Space");
    await page.waitForURL(/organism=/);
    await expect.poll(() => page.evaluate("document.activeElement.ariaChecked")).toBe("true");
    expect(await box.isChecked()).toBe(true);
    expect(await page.locator("#facet-ph").getAttribute("open")).not.toBeNull();
    await page.goBack();
    await expect.poll(() => box.isChecked()).toBe(false);
    await reader.close();
  });

  it("chooses columns, lines and units of a table, and opens a facet that is counted then", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=lysozyme&view=table"));
    const { page } = reader;
    const menu = (name: string) => page.locator(".bar-above summary", { hasText: name });
    const heads = page.locator(".wide thead th");
    await menu("Columns").click();
    await page.locator(".columns").getByLabel("kon", { exact: true }).check();
    await page.waitForURL(/cols=kon/);
    await expect.poll(() => heads.allInnerTexts()).toContainEqual(expect.stringMatching(/^kon( \(M|$)/));
    await page.getByLabel("One line for each").selectOption("results");
    await page.waitForURL(/rows=results/);
    await menu("Columns").click();
    await menu("Units").click();
    await page.locator(".units").getByLabel("KD", { exact: true }).selectOption("pM");
    await page.waitForURL(/unit\.kd=pM/);
    await expect.poll(() => page.locator("#facet-kd h3").innerText()).toBe("KD (pM)");
    const later = page.locator("#facet-temperature");
    await later.locator("summary").first().click();
    await later.locator(".bar").first().waitFor();
    await page.getByLabel("Sort").selectOption("-kd");
    await page.waitForURL(/sort=-kd/);
    await expect.poll(() => later.locator("a.counted, .counted a").first().getAttribute("href")).toContain("sort=-kd");
    await reader.close();
  }, 60_000);

  it("opens a closed filter, ticks a value, takes it back where the focus still is, and finds others", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?facet_size=4"));
    const { page } = reader;
    const facet = page.locator("#facet-country");
    await page.locator(".more-filters > summary").click();
    expect(await facet.getByRole("checkbox").count()).toBe(0);
    await facet.locator("summary").first().click();
    const box = facet.getByRole("checkbox").first();
    const value = await box.getAttribute("value");
    const focused = () => page.evaluate<string>("document.activeElement.value");
    await box.focus();
    await page.keyboard.press("Space");
    await page.waitForURL(/country=/);
    await expect.poll(focused).toBe(value);
    await page.keyboard.press("Space");
    await page.waitForURL((url) => !url.searchParams.has("country"));
    await expect.poll(focused).toBe(value);
    expect(await facet.getByRole("checkbox").count()).toBe(4);
    await facet.getByRole("searchbox").fill("s");
    await facet.getByText(/^\d+ values?$/).waitFor();
    expect(await facet.getByRole("searchbox").inputValue()).toBe("s");
    await reader.close();
  });

  it("finds values of a long facet, opens its tree and ticks what is there, by keys alone", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?facet_size=4"));
    const { page } = reader;
    const facet = page.locator("#facet-organism");
    const focused = (what: string) => page.evaluate<string>(`document.activeElement.${what}`);
    await facet.getByRole("searchbox").focus();
    await page.keyboard.insertText("bacter"); // At once, so that no list of its first letters arrives later.
    await facet.getByText(/^\d+ values?$/).waitFor();
    expect(await focused("value")).toBe("bacter");
    expect(page.url()).toMatch(/facet_size=4$/);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => focused("ariaExpanded")).toBe("true");
    await page.keyboard.press("ArrowRight");
    const ticked = await focused("querySelector('button').value");
    await page.keyboard.press("Space");
    await page.waitForURL(/organism=/);
    expect(new URL(page.url()).searchParams.getAll("organism")).toEqual([ticked]);
    // The ticked value is now in the list of cited terms, which is no tree.
    await expect.poll(() => focused("value")).toBe(ticked);
    expect(await focused("ariaChecked")).toBe("true");
    expect(await facet.getByRole("searchbox").inputValue()).toBe("");
    await reader.close();
  });

  it("is told once how a query with a mistake was read", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=kd:<10nM+lysozyme+(("));
    const { page } = reader;
    await page.locator(".read-parts").waitFor();
    expect(await page.getByText("A bracket was never closed").filter({ visible: true }).count()).toBe(1);
    await reader.close();
  });

  it("is told what fails, and tries again, and the page stays", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?q=lysozyme"));
    const { page } = reader;
    await page.route("**/search?*", (route) => route.abort(), { times: 1 });
    await page.getByRole("checkbox", { name: /^Gallus gallus/ }).click();
    await page.getByRole("alert").waitFor();
    // In sight, wherever the page is scrolled to.
    await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
    expect((await page.getByRole("alert").boundingBox())!.y).toBeGreaterThanOrEqual(0);
    expect(await page.locator(".hits > li").count()).toBeGreaterThan(0);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForURL(/organism=/);
    expect(await page.getByRole("alert").count()).toBe(0);
    await page.context().close();
  });
});

describe.skipIf(!HAS_CHROMIUM)("without scripts, by keyboard", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it("a record is found, narrowed down and read", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/"), { javaScriptEnabled: false });
    const { page } = reader;
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter"); // Skip to content.
    await page.getByRole("searchbox").focus();
    await page.keyboard.type("lysozyme");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=lysozyme/);
    const before = await page.getByRole("status").innerText();
    const box = page.getByRole("checkbox", { name: /Gallus gallus/ });
    await box.focus();
    await page.keyboard.press("Space");
    await page.waitForURL(/organism=/);
    expect(await box.isChecked()).toBe(true);
    expect(await page.getByRole("status").innerText()).not.toBe(before);
    await box.focus();
    await page.keyboard.press("Space");
    await page.waitForURL((url) => !url.searchParams.has("organism"));
    expect([await box.isChecked(), await page.getByRole("status").innerText()]).toEqual([false, before]);
    await box.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/organism=/);
    await page.getByRole("heading", { level: 2 }).getByRole("link").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/records\//);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toMatch(/lysozyme/i);
    await reader.close();
  });

  it("a value of a long facet is found and ticked beside another one", async () => {
    const reader = await Reader.open(stage.browser, stage.at("/search?organism=taxid:9031"), {
      javaScriptEnabled: false,
    });
    const { page } = reader;
    await page.getByRole("searchbox", { name: "Find in Organism" }).focus();
    await page.keyboard.type("baker's yeast");
    await page.keyboard.press("Enter");
    await page.waitForURL(/facet_text=baker/);
    await page.getByRole("checkbox", { name: /^Saccharomyces cerevisiae/ }).focus();
    await page.keyboard.press("Space");
    await page.waitForURL((url) => url.searchParams.getAll("organism").length === 2);
    expect(new URL(page.url()).search).not.toContain("facet");
    expect(await page.getByText("Saccharomyces cerevisiae").count()).toBeGreaterThan(1);
    await reader.close();
  });
});
