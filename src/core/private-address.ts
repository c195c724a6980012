import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Of IPv6 only these addresses are given out for the public internet (RFC 4291, 2.4). */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/** The well-known prefix of NAT64 (RFC 6052): what stands after it is an IPv4 address, to which it leads. */
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96");

/**
 * Does an IP address lead to this machine, to its own network, or to nobody in particular? All that is no unicast
 * address of the public internet does, and so does what is no address. IPv4 inside IPv6 is checked as what it is.
 */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, "");
  // Only the usual notations: the parser would take 0x7f000001 and 127.1 too.
  return isIP(bare) === 0 || !isPublic(ipaddr.process(bare));
}

/** The address that stands in a URL in place of a host name, where it is a private one. */
export function privateAddressIn({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && isPrivateAddress(host) ? host : undefined;
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.kind() === "ipv4") return address.range() === "unicast";
  if (address.match(NAT64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(-4)));
  return address.range() === "unicast" && address.match(GLOBAL_UNICAST);
}
