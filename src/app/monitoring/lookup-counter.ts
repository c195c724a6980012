import { Counter, Gauge, type Registry } from "prom-client";
import {
  LIVE_AUTHORITIES,
  type LiveAuthorityName,
  LOOKUP_OUTCOMES,
  type LookupOutcome,
} from "../../core/background.js";

/**
 * Makes a counter of requests to authorities by all threads and processes.
 * @param isUnavailable did the last request of any thread to the authority fail?
 */
export function makeLookupCounter(
  registry: Registry,
  isUnavailable: (authority: LiveAuthorityName) => boolean,
): (authority: LiveAuthorityName, outcome: LookupOutcome) => void {
  const counter = new Counter({
    name: "bindery_lookups_total",
    help: "Requests to authorities for terms that are not loaded, by authority and outcome.",
    labelNames: ["authority", "outcome"],
    registers: [registry],
  });
  // Starts at 0, so that an alert on its growth sees the first request.
  for (const authority of LIVE_AUTHORITIES) {
    for (const outcome of LOOKUP_OUTCOMES) counter.labels(authority, outcome).inc(0);
  }
  new Gauge({
    name: "bindery_lookup_away",
    help: "1 if the last request to an authority got no answer, else 0, by authority.",
    labelNames: ["authority"],
    registers: [registry],
    collect() {
      for (const authority of LIVE_AUTHORITIES) this.labels(authority).set(isUnavailable(authority) ? 1 : 0);
    },
  });
  return (authority, outcome) => counter.labels(authority, outcome).inc();
}
