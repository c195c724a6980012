import { existsSync } from "node:fs";
import { type Browser, type BrowserServer, chromium } from "playwright-core";

/** Where distributions put it; no browser is downloaded. */
const PLACES = [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const executablePath = PLACES.find((place) => place !== undefined && existsSync(place));

/** Whether there is a browser. Without one its tests are skipped; TEST_REQUIRE=chromium makes that a failure. */
export const HAS_CHROMIUM = executablePath !== undefined;

if (!HAS_CHROMIUM) {
  const required = (process.env.TEST_REQUIRE ?? "").split(",").includes("chromium");
  if (required) throw new Error("TEST_REQUIRE names chromium, and there is none; set CHROMIUM_PATH.");
  process.stderr.write("Skipped: the tests in a browser. Install chromium, or set CHROMIUM_PATH.\n");
}

/** Its sandbox needs rights that containers and root do not have. */
const options = { executablePath: executablePath!, args: ["--no-sandbox"] };

/** A browser without a window. */
export const startChromium = (): Promise<Browser> => chromium.launch(options);

/** One that several processes use. */
export const serveChromium = (): Promise<BrowserServer> => chromium.launchServer(options);

/** @param endpoint of a browser that another process has started */
export const connectChromium = (endpoint: string): Promise<Browser> => chromium.connect(endpoint);
