import type { Locator, Page } from "playwright-core";

/** A way to use a page. Each call is one act. */
export interface Hands {
  press(target: Locator): Promise<void>;
  fill(target: Locator, text: string): Promise<void>;
  choose(target: Locator, option: string): Promise<void>;
  /** Absent: it takes a pointer. */
  draw?(target: Locator, from: number, to: number): Promise<void>;
}

export const POINTER: Hands = {
  press: (target) => target.click(),
  fill: (target, text) => target.fill(text),
  choose: async (target, label) => void (await target.selectOption({ label })),
  async draw(target, from, to) {
    const { mouse } = target.page();
    const at = await placesIn(target);
    await mouse.move(...at(from));
    await mouse.down();
    for (const part of [(from + to) / 2, to]) await mouse.move(...at(part), { steps: 3 });
    await mouse.up();
  },
};

export const FINGER: Hands = {
  press: (target) => target.tap(),
  fill: POINTER.fill,
  choose: POINTER.choose,
  async draw(target, from, to) {
    const session = await target.page().context().newCDPSession(target.page());
    const at = await placesIn(target);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...parts: readonly number[]) => {
      const touchPoints = parts.map((part) => ({ x: at(part)[0], y: at(part)[1] }));
      return session.send("Input.dispatchTouchEvent", { type, touchPoints });
    };
    await touch("touchStart", from);
    for (const step of [0.1, 0.4, 0.7, 1]) await touch("touchMove", from + (to - from) * step);
    await touch("touchEnd");
    await session.detach();
  },
};

/**
 * Keys and nothing else. Tab, and the arrows within a tree, only move the focus: they are to a keyboard what moving is
 * to a pointer, and no acts.
 */
export const KEYS: Hands = {
  async press(target) {
    await reach(target);
    const isBox = await target.evaluate((element) => element.matches("[type=checkbox], [role=checkbox]"));
    await target.page().keyboard.press(isBox ? "Space" : "Enter");
  },
  async fill(target, text) {
    await reach(target);
    await target.page().keyboard.type(text);
  },
  async choose(target, option) {
    await reach(target);
    const { keyboard } = target.page();
    const options = await target.locator("option").allTextContents();
    await keyboard.press("Home");
    for (let i = 0; i < options.indexOf(option); i++) await keyboard.press("ArrowDown");
  },
};

async function placesIn(target: Locator): Promise<(part: number) => [x: number, y: number]> {
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await target.boundingBox())!;
  return (part) => [x + width * part, y + height / 3];
}

/** More than any page has places for the focus. */
const TABS_MAX = 400;

/** Runs in the page. Returns whether the focus is on an element, in the tree that it is an item of, or elsewhere. */
function focusAt(target: Element): "here" | "tree" | "elsewhere" {
  const { activeElement } = target.ownerDocument;
  const item = target.closest("[role=treeitem]");
  if (activeElement === target || (item !== null && activeElement === item)) return "here";
  return item?.closest("[role=tree]")?.contains(activeElement) ? "tree" : "elsewhere";
}

/** Moves the focus to an element as the keys of the browser and of the page do it. */
async function reach(target: Locator): Promise<void> {
  await target.waitFor({ state: "attached" });
  const { keyboard } = target.page();
  for (let i = 0; i < TABS_MAX; i++) {
    const focus = await target.evaluate(focusAt);
    if (focus === "here") return;
    await (focus === "tree" ? reachInTree(target) : keyboard.press("Tab"));
  }
  throw new Error(`The focus does not come to ${target}.`);
}

async function reachInTree(target: Locator): Promise<void> {
  const { keyboard }: Page = target.page();
  await keyboard.press("Home");
  for (let i = 0; i < TABS_MAX && (await target.evaluate(focusAt)) !== "here"; i++) await keyboard.press("ArrowDown");
}
