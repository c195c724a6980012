import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Where distributions put it; no browser is downloaded. */
const PLACES = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const executablePath = PLACES.find((place) => place !== undefined && existsSync(place));

/** Is there a browser? Without one its tests are skipped; TEST_REQUIRE=chromium makes that a failure. */
export const HAS_CHROMIUM = executablePath !== undefined;

if (!HAS_CHROMIUM) {
  const required = (process.env.TEST_REQUIRE ?? "").split(",").includes("chromium");
  if (required) throw new Error("TEST_REQUIRE names chromium, and there is none; set CHROMIUM_PATH.");
  process.stderr.write("Skipped: the tests in a browser. Install chromium, or set CHROMIUM_PATH.\n");
}

/** A browser without a window. Its sandbox needs rights that containers and root do not have. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath!, args: ["--no-sandbox"] });
}
