import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** Somebody who reads pages in a browser, and whose acts are counted: clicks, fields filled, keys beside typing. */
export class Reader {
  acts = 0;

  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    /** What the console has said: nothing, if all is well. */
    private readonly said: string[],
  ) {}

  static async open(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Reader> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const said: string[] = [];
    const opened = new Set<string>();
    page.on("request", (request) => request.isNavigationRequest() && opened.add(request.url()));
    page.on("console", (message) => {
      // Chromium says of each page of an error which status it has.
      if (!opened.has(message.location().url)) said.push(message.text());
    });
    page.on("pageerror", (error) => said.push(error.message));
    await page.goto(address);
    return new Reader(page, context, said);
  }

  async click(target: Locator): Promise<void> {
    this.acts += 1;
    await target.click();
  }

  async fill(target: Locator, text: string): Promise<void> {
    this.acts += 1;
    await target.fill(text);
  }

  async choose(target: Locator, value: string): Promise<void> {
    this.acts += 1;
    await target.selectOption(value);
  }

  async press(key: string): Promise<void> {
    this.acts += 1;
    await this.page.keyboard.press(key);
  }

  /** Draws with the pointer over a part of an element's width, both ends from 0 to 1. */
  async drag(target: Locator, from: number, to: number): Promise<void> {
    this.acts += 1;
    await target.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await target.boundingBox())!;
    const { mouse } = this.page;
    await mouse.move(x + width * from, y + height / 3);
    await mouse.down();
    await mouse.move(x + width * ((from + to) / 2), y + height / 3, { steps: 3 });
    await mouse.move(x + width * to, y + height / 3, { steps: 3 });
    await mouse.up();
  }

  /** The number that the page says it has found. */
  async total(): Promise<number> {
    return Number((await this.page.locator(".total").innerText()).replaceAll(/\D/g, ""));
  }

  /** @param acts more fail */
  async close(acts = this.acts): Promise<void> {
    const { acts: done, said } = this;
    await this.context.close();
    expect(said).toEqual([]);
    expect(done, "acts").toBeLessThanOrEqual(acts);
  }
}
