import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Targets of 24 pixels at least are a rule that is off where nobody asks for it. */
const OPTIONS = JSON.stringify({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } });

/**
 * What axe finds fault with: its rules for WCAG 2.2 AA and good practice. The window is made as high as the page, for
 * a bar that stays in sight covers what is below it only until somebody scrolls.
 */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  await page.setViewportSize({ ...page.viewportSize()!, height });
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${OPTIONS})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** By how many pixels a page is wider than its window. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate<number>(
    "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)",
  );
}

/**
 * Runs in a page and lists its duplicates: ids, landmarks with the same name, first headings, open dialogs, and
 * elements that a script added next to an equal one.
 */
const DUPLICATES = `(() => {
  const repeated = (keys) => keys.filter((key, i) => keys.indexOf(key) !== i);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const label = (element) =>
    element.ariaLabel ?? document.getElementById(element.getAttribute("aria-labelledby"))?.textContent ?? "";
  const landmarks = all("main, body > header, body > footer, nav, search, [role=search], [role=region]");
  const beside = (element) => {
    for (let next = element.nextElementSibling; next !== null; next = next.nextElementSibling) {
      if (next.outerHTML === element.outerHTML) return true;
    }
    return false;
  };
  return [
    ...repeated(all("[id]").map(({ id }) => "#" + id)),
    ...repeated(landmarks.map((element) => "landmark " + element.localName + " " + label(element))),
    ...repeated(all("h1").map(({ localName }) => localName)),
    ...repeated(all("dialog[open]").map(({ localName }) => localName)),
    ...all("[data-added]").filter(beside).map((element) => "added " + element.outerHTML.slice(0, 200)),
  ];
})()`;

/** Returns the duplicates on a page; see `DUPLICATES`. */
export const findDuplicates = (page: Page): Promise<readonly string[]> => page.evaluate<readonly string[]>(DUPLICATES);

/** Runs in each page before its own scripts. Reports duplicates on the console after each change of the document. */
export const DUPLICATES_WATCH = `(() => {
  const reported = new Set();
  const look = () => {
    pending = false;
    for (const duplicate of ${DUPLICATES}) {
      if (!reported.has(duplicate)) console.error("duplicate: " + duplicate);
      reported.add(duplicate);
    }
  };
  let pending = false;
  new MutationObserver(() => {
    if (pending || document.readyState === "loading") return;
    pending = true;
    setTimeout(look);
  }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["id", "open"] });
})()`;
