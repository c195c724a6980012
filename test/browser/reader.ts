import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { type Hands, POINTER } from "./hands.js";
import { DUPLICATES_WATCH, findDuplicates } from "./page-checks.js";

interface ReaderOptions extends BrowserContextOptions {
  /** How the page is used; by default with a pointer. */
  readonly hands?: Hands;
}

/** Somebody who reads pages in a browser, and whose acts are counted: clicks, fields filled, keys beside typing. */
export class Reader {
  acts = 0;
  readonly hasScripts: boolean;

  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    private readonly hands: Hands,
    /**
     * Messages of the console, duplicates after a change of a page, and requests to other hosts. A test passes only if
     * there are none.
     */
    private readonly wrong: readonly string[],
    options: BrowserContextOptions,
  ) {
    this.hasScripts = options.javaScriptEnabled !== false;
  }

  static async open(browser: Browser, address: string, options: ReaderOptions = {}): Promise<Reader> {
    const { hands = POINTER, ...others } = options;
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...others });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.addInitScript(DUPLICATES_WATCH);
    const wrong = watch(page, new URL(address).origin);
    await page.goto(address);
    return new Reader(page, context, hands, wrong, others);
  }

  /** Follows a link, presses a button, ticks a box, opens what is folded. */
  async press(target: Locator): Promise<void> {
    this.acts += 1;
    await this.hands.press(target);
  }

  async fill(target: Locator, text: string): Promise<void> {
    this.acts += 1;
    await this.hands.fill(target, text);
  }

  /** @param option its text */
  async choose(target: Locator, option: string): Promise<void> {
    this.acts += 1;
    await this.hands.choose(target, option);
  }

  /** Presses a key where the focus is. */
  async key(name: string): Promise<void> {
    this.acts += 1;
    await this.page.keyboard.press(name);
  }

  /** Draws a range over a part of a histogram's width, both ends from 0 to 1. @returns whether that is possible */
  async draw(target: Locator, from: number, to: number): Promise<boolean> {
    if (this.hands.draw === undefined) return false;
    this.acts += 1;
    await this.hands.draw(target, from, to);
    return true;
  }

  /** Opens the address of the page in a browser that knows nothing of it. Copying the address is the act. */
  async moveElsewhere(): Promise<void> {
    this.acts += 1;
    const address = this.page.url();
    await this.context.clearCookies();
    await this.page.goto("about:blank");
    await this.page.goto(address);
  }

  /** Resets the number of acts. */
  forgetActs(): void {
    this.acts = 0;
  }

  /** The number that the page says it has found. */
  async total(): Promise<number> {
    return Number((await this.page.locator(".total").innerText()).replaceAll(/\D/g, ""));
  }

  /** @param acts more fail */
  async close(acts = this.acts): Promise<void> {
    const duplicates = await findDuplicates(this.page);
    await this.context.close();
    expect([...this.wrong, ...duplicates]).toEqual([]);
    expect(this.acts, "acts").toBeLessThanOrEqual(acts);
  }
}

/** Gathers what a page should not do: say something to the console, and ask for anything at another place. */
function watch(page: Page, origin: string): readonly string[] {
  const wrong: string[] = [];
  const opened = new Set<string>();
  page.on("request", (request) => {
    const url = request.url();
    if (request.isNavigationRequest()) opened.add(url);
    if (new URL(url).origin !== origin && !url.startsWith("data:")) wrong.push(`asked for ${url}`);
  });
  page.on("console", (message) => {
    // Chromium says of each page of an error which status it has.
    if (!opened.has(message.location().url)) wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(error.message));
  return wrong;
}
