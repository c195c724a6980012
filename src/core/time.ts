/** `2026-11-21T10:00:00.123456+00:00` of microseconds since 1970 UTC. */
export function formatInstant(micros: number): string {
  const whole = new Date(Math.floor(micros / 1000)).toISOString();
  const rest = String(((micros % 1000) + 1000) % 1000).padStart(3, "0");
  return `${whole.slice(0, -1)}${rest}+00:00`;
}

/** Microseconds since 1970 UTC of an instant that `formatInstant` wrote. */
export function parseInstant(instant: string): number {
  return Date.parse(`${instant.slice(0, 23)}Z`) * 1000 + Number(instant.slice(23, 26));
}
