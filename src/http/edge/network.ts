import { isIPv6 } from "node:net";

/** IPv4 inside IPv6. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Groups of 16 bits that one subscriber has all of: an IPv6 network is a /64 at least. */
const NETWORK_GROUPS = 4;
const GROUPS = 8;

/** Whom an address belongs to, as far as it tells: an IPv4 address itself, of IPv6 its network of 64 bits. */
export function networkOf(address: string): string {
  const [plain = address] = address.split("%");
  const mapped = MAPPED.exec(plain)?.[1];
  if (mapped !== undefined || !isIPv6(plain)) return mapped ?? plain;
  const [head = "", tail] = plain.toLowerCase().split("::");
  const before = head.split(":").filter((group) => group !== "");
  const after = (tail ?? "").split(":").filter((group) => group !== "");
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length;
  const groups = [...before, ...Array.from({ length: zeros }, () => "0"), ...after];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.replace(/^0+(?=.)/, ""));
  return `${network.join(":")}::/64`;
}

/** An address of this machine itself. */
export function isLoopback(address: string): boolean {
  return address === "::1" || networkOf(address).startsWith("127.");
}
