import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

/** Groups of 16 bits that identify a subscriber: an IPv6 network is a /64 at least. */
const NETWORK_GROUPS = 4;

/** Returns the network of a subscriber: an IPv4 address itself, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  // Nearly every request calls this, so IPv4 addresses are not parsed.
  if (isIPv4(address)) return address;
  const parsed = parse(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed?.toString() ?? address;
  const network = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

/** Returns whether an address is one of this machine itself. */
export function isLoopback(address: string): boolean {
  return parse(address)?.range() === "loopback";
}

/** Parses an address; IPv4 inside IPv6 becomes IPv4. Unusual notations (0x7f000001, 127.1) are refused. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return isIP(address) === 0 ? undefined : ipaddr.process(address);
}
