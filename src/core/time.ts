/** Formats microseconds since 1970 UTC as `2026-11-21T10:00:00.123456+00:00`. */
export function formatInstant(micros: number): string {
  const whole = new Date(Math.floor(micros / 1000)).toISOString();
  const rest = String(((micros % 1000) + 1000) % 1000).padStart(3, "0");
  return `${whole.slice(0, -1)}${rest}+00:00`;
}

/** Parses a text of `formatInstant` to microseconds since 1970 UTC. */
export function parseInstant(instant: string): number {
  return Date.parse(`${instant.slice(0, 23)}Z`) * 1000 + Number(instant.slice(23, 26));
}
