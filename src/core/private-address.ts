import { BlockList, isIP } from "node:net";

/** Not of the public internet: this machine, its network, and what stands for nobody (RFC 6890 and its successors). */
const IPV4: readonly (readonly [network: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** `::` to `::ffff:ffff` holds the loopback, the unspecified and the old IPv4-compatible addresses. */
const IPV6: readonly (readonly [network: string, bits: number])[] = [
  ["::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];

/** IPv6 addresses that end in an IPv4 one, which they lead to: IPv4-mapped ones, and those of NAT64. */
const IPV4_INSIDE = ["::ffff:", "64:ff9b::"] as const;

function listPrivate(): BlockList {
  const list = new BlockList();
  for (const [network, bits] of IPV6) list.addSubnet(network, bits, "ipv6");
  for (const [network, bits] of IPV4) {
    list.addSubnet(network, bits, "ipv4");
    for (const prefix of IPV4_INSIDE) list.addSubnet(prefix + network, 96 + bits, "ipv6");
  }
  return list;
}

const PRIVATE = listPrivate();

/** Does an IP address lead to this machine, to its own network, or to nobody in particular? So does what is none. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, "");
  const family = isIP(bare);
  return family === 0 || PRIVATE.check(bare, family === 6 ? "ipv6" : "ipv4");
}
