import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.js";
import { FINGER, KEYS } from "./hands.js";
import { sidewaysScroll, violationsOf } from "./page-checks.js";
import { Reader } from "./reader.js";
import { openStage, type Stage } from "./stage.js";
import { TASKS } from "./tasks.js";

/** Ways to read the same pages. */
const MODES = [
  { mode: "with a pointer", options: {} },
  { mode: "by keys alone", options: { hands: KEYS } },
  { mode: "without scripts", options: { javaScriptEnabled: false } },
  {
    mode: "on a phone",
    options: { hands: FINGER, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  },
  { mode: "in the dark", options: { colorScheme: "dark" } },
] as const satisfies { readonly mode: string; readonly options: Parameters<typeof Reader.open>[2] }[];

describe.skipIf(!HAS_CHROMIUM).each(MODES)("$mode", ({ mode, options }) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const isChecked = mode === "on a phone" || mode === "in the dark";

  it.each(TASKS)("$task", async ({ acts, more, given = [], steps, result }) => {
    const reader = await Reader.open(stage.browser, stage.at("/"), options);
    for (const step of given) await step(reader);
    reader.forgetActs();
    for (const step of steps) await step(reader);
    await result(reader);
    const widths = mode === "on a phone" ? [390, 320] : [1280];
    for (const width of widths) {
      await reader.page.setViewportSize({ width, height: 844 });
      expect(await sidewaysScroll(reader.page), `at ${width} px`).toBe(0);
    }
    if (isChecked) expect(await violationsOf(reader.page)).toEqual([]);
    await reader.close(more?.[mode] ?? acts);
  });
});
