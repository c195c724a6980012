import type { ElementHandle, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.js";
import { Reader } from "./reader.js";
import { openStage, type Stage } from "./stage.js";

/** Each view, with names of controls that the walk must have used there. */
const VIEWS: readonly (readonly [template: string, used: readonly string[]])[] = [
  ["/", ["Show as a table", "Theme"]],
  ["/search?q=lysozyme", ["Units", "Export", "Table", "Advanced search", "Sort", "Molecule", "More filters", "Theme"]],
  ["/search?q=lysozyme&view=table", ["Columns", "Units", "Copy table", "List", "Select all 10"]],
  ["/search?q=results:(type:KD+AND+value:<10nM)&build=1", ["Close", "Cancel", "Kind of result", "nM", "+ text"]],
  ["/search?q=kd:<5", ["nM"]],
  ["/records/:record", ["Cite", "Download", "Compare", "DataCite", "All values", "Technical details"]],
  ["/compare?ids=:record&ids=:other", []],
  ["/molecules/uniprot:P00698", ["Show as a table"]],
  ["/vocabularies/organisms", ["Tree", "Rank", "Sort"]],
  ["/vocabularies/organisms?view=tree&at=taxid:562", ["List"]],
  ["/vocabularies/organisms/taxid:562", ["Copy"]],
  ["/models/spr", []],
  ["/help", []],
  ["/deposit", ["Copy"]],
  ["/nothing/here", ["Theme"]],
];

/**
 * Runs in the page: the controls of a view by key. Of similar links, buttons and boxes in a part of the page there is
 * the first. Links count if they lead to another state of the page.
 */
const CONTROLS = `(() => {
  const isState = ({ href }) => {
    const { origin, pathname, search } = new URL(href, location.href);
    return origin === location.origin && pathname === location.pathname && search !== location.search;
  };
  const kinds = "summary, button, select, input[type=checkbox], a[href]";
  const within = document.querySelector("dialog:modal") ?? document;
  const shown = [...within.querySelectorAll(kinds)].filter((element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.disabled
    && (element.localName !== "a" || isState(element)));
  const nameOf = (element) => (element.labels?.[0] ?? element).innerText.trim().split("\\n")[0]
    || element.getAttribute("aria-label") || "";
  const controls = new Map();
  for (const element of shown) {
    const name = nameOf(element);
    const part = element.closest("section[id], details[id], main")?.id ?? "";
    const kind = [part, element.localName, element.className, element.closest("[class]")?.className];
    const key = [...kind, element.matches("summary, select, dialog *, .bar-above a") ? name : ""].join(" ");
    if (!controls.has(key)) controls.set(key, { element, name });
  }
  return controls;
})()`;

interface Control {
  readonly key: string;
  readonly name: string;
  readonly isFold: boolean;
  /** Whether it leads to another state of the page, which has an entry of its own in the history. */
  readonly isLink: boolean;
}

const listControls = (page: Page): Promise<readonly Control[]> =>
  page.evaluate<readonly Control[]>(
    `[...${CONTROLS}].map(([key, { name, element }]) => ({
      key,
      name,
      isFold: element.localName === "summary",
      isLink: element.matches("a:not(dialog *)"),
    }))`,
  );

const findControl = async (page: Page, key: string): Promise<ElementHandle<Element> | null> =>
  (await page.evaluateHandle<Element>(`${CONTROLS}.get(${JSON.stringify(key)})?.element`)).asElement();

/** Waits until the page is whole, and no change of it is on its way. */
const settle = (page: Page): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate('document.readyState === "complete" && document.querySelector("main[aria-busy]") === null'),
    )
    .toBe(true);

/** Uses a control: a list takes its last value. */
async function use(control: ElementHandle<Element>): Promise<void> {
  if (!(await control.evaluate((element) => element.localName === "select"))) return control.click();
  const last = await control.evaluate((list) => list.querySelector("option:last-child")?.getAttribute("value") ?? "");
  await control.selectOption(last);
}

/** The place of a page in the history of its tab. */
const placeInHistory = (page: Page): Promise<number> => page.evaluate<number>("navigation.currentEntry.index");

describe.skipIf(!HAS_CHROMIUM)("each control of a view", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  it.each(VIEWS)(
    "at %s leaves everything there once, and Back leads to the view",
    async (template, used) => {
      const reader = await Reader.open(stage.browser, stage.at(template));
      const { page } = reader;
      const view = page.url();
      const names = new Set<string>();
      for (const { key, name, isFold, isLink } of await listControls(page)) {
        const control = await findControl(page, key);
        if (control === null) continue;
        names.add(name);
        const place = await placeInHistory(page);
        await use(control);
        await settle(page);
        // A menu or a fold is closed again, and one that was open is opened.
        if (isFold) await control.click();
        if (page.url() === view) continue;
        if (isLink) expect(await placeInHistory(page), `after ${name}`).toBeGreaterThan(place);
        // A ticked box or a typed text replaces the history entry, so there is no way back.
        if ((await placeInHistory(page)) === place) {
          await page.goto(view);
          continue;
        }
        while ((await placeInHistory(page)) > place) {
          await page.goBack();
          await settle(page);
        }
        expect(page.url(), `after ${name} (${key})`).toBe(view);
      }
      await page.emulateMedia({ media: "print" });
      await page.emulateMedia({ media: "screen" });
      expect([...names]).toEqual(expect.arrayContaining([...used]));
      await reader.close();
    },
    240_000,
  );
});
