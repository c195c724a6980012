import { lookupUrlsOf } from "../../config/derived.js";
import type { Config } from "../../config/schema.js";
import type { BackgroundReporter } from "../../core/background.js";
import type { LiveAuthorities } from "../../ports/authorities.js";
import { asksAuthorities, type EngineRole } from "./engine-role.js";
import { readVersion } from "./package-root.js";

/** Opens the authorities that the settings enable. Returns none for roles that do not ask authorities. */
export async function openLiveAuthorities(
  config: Config,
  role: EngineRole,
  background: BackgroundReporter,
): Promise<LiveAuthorities> {
  const urls = lookupUrlsOf(config);
  if (urls.size === 0 || !asksAuthorities(role)) return new Map();
  // Imported on demand, so that unused authorities cost nothing.
  const [{ askAuthority, PATIENCE }, { LIVE_SOURCES }] = await Promise.all([
    import("../../authorities/live/ask-authority.js"),
    import("../../authorities/live/live-sources.js"),
  ]);
  const { lookupTimeoutMs: timeoutMs, lookupEmail: email, lookupRorClient: client } = config;
  const contact = email === "" ? "" : ` (mailto:${email})`;
  const common = { accept: "application/json", "user-agent": `Bindery/${readVersion()}${contact}` };
  const authorities = [...urls].map(([name, url]) => {
    const headers = name === "ror" && client !== "" ? { ...common, "client-id": client } : common;
    const options = { url, email, headers, background, patience: { ...PATIENCE, timeoutMs } };
    return [name, askAuthority(LIVE_SOURCES[name], options)] as const;
  });
  return new Map(authorities);
}
