import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

/** Groups of 16 bits that one subscriber has all of: an IPv6 network is a /64 at least. */
const NETWORK_GROUPS = 4;

/** Whom an address belongs to, as far as it tells: an IPv4 address itself, of IPv6 its network of 64 bits. */
export function networkOf(address: string): string {
  // Asked for with nearly every request: the parser is for the others.
  if (isIPv4(address)) return address;
  const parsed = parse(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed?.toString() ?? address;
  const network = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

/** An address of this machine itself. */
export function isLoopback(address: string): boolean {
  return parse(address)?.range() === "loopback";
}

/** IPv4 inside IPv6 is what it is. Only the usual notations: the parser would take 0x7f000001 and 127.1 too. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return isIP(address) === 0 ? undefined : ipaddr.process(address);
}
