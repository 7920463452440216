/**
 * Which IP addresses a crawl may connect to: public ones. What lies behind them is someone's web server; what lies
 * behind the others is this machine, its network or its cloud provider, and no link on the Web may lead there.
 */

/** Prefixes of the IPv4 space that are not public, as the registry of special-purpose addresses lists them. */
const SPECIAL_4: readonly (readonly [address: string, bits: number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carriers' own; a cloud's metadata at 100.100.100.200
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // a cloud's own services at a public address
  ['169.254.0.0', 16], // link-local, and clouds' metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments; a cloud's metadata at 192.0.0.192
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4, given up
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];
const MASKS = Uint32Array.from(SPECIAL_4, ([, bits]) => -(2 ** (32 - bits)));
const VALUES = Uint32Array.from(SPECIAL_4, ([address]) => parseIpv4(address));

/** An IPv4 address in dotted decimal as an unsigned number, or -1. */
export function parseIpv4(text: string): number {
  let value = 0;
  let parts = 0;
  for (let at = 0; at <= text.length; parts++) {
    let octet = 0;
    const start = at;
    for (; at < text.length && text[at] !== '.'; at++) {
      const digit = text.charCodeAt(at) - 0x30;
      // A leading zero reads as octal elsewhere, so it is no address here.
      if (digit < 0 || digit > 9 || at - start > 2 || (at > start && octet === 0)) return -1;
      octet = 10 * octet + digit;
    }
    if (at === start || octet > 255 || parts > 3) return -1;
    value = 256 * value + octet;
    at++;
  }
  return parts === 4 ? value : -1;
}

/** The eight groups of an IPv6 address, or null. Zones are not understood: they name links of this machine. */
export function parseIpv6(text: string): Uint16Array | null {
  const groups = new Uint16Array(8);
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const head = readGroups(halves[0]!);
  const tail = halves.length === 2 ? readGroups(halves[1]!) : [];
  if (head === null || tail === null) return null;
  const length = head.length + tail.length;
  // `::` stands for one group of zeros at least.
  if (halves.length === 2 ? length > 7 : length !== 8) return null;
  groups.set(head);
  groups.set(tail, 8 - tail.length);
  // An IPv4 tail may stand at the very end alone.
  return halves.length === 2 && halves[0]!.includes('.') ? null : groups;
}

function readGroups(text: string): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [i, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const tail = i === parts.length - 1 ? parseIpv4(part) : -1;
    if (tail < 0) return null;
    groups.push(tail >>> 16, tail & 0xffff);
  }
  return groups;
}

/** The host of a canonical URL if it is an IP address, without the brackets of IPv6; else ''. */
export function literalAddress(host: string): string {
  if (host.startsWith('[')) {
    const inner = host.slice(1, -1);
    return host.endsWith(']') && parseIpv6(inner) !== null ? inner : '';
  }
  return parseIpv4(host) >= 0 || parseIpv6(host) !== null ? host : '';
}

/** May a crawl of the public Web connect there? False also for what is no address. */
export function isPublicAddress(address: string): boolean {
  const value = parseIpv4(address);
  if (value >= 0) return isPublicIpv4(value);
  const groups = parseIpv6(address);
  return groups !== null && isPublicIpv6(groups);
}

function isPublicIpv4(value: number): boolean {
  for (let i = 0; i < VALUES.length; i++) if ((value & MASKS[i]!) >>> 0 === VALUES[i]) return false;
  return true;
}

function isPublicIpv6(groups: Uint16Array): boolean {
  const a = groups[0]!;
  const b = groups[1]!;
  const isZero = (from: number, to: number): boolean =>
    groups.subarray(from, to).every((group) => group === 0);
  const embedded = (at: number): boolean => isPublicIpv4(groups[at]! * 0x1_0000 + groups[at + 1]!);
  // ::ffff:0:0/96 is IPv4 in other clothes; 64:ff9b::/96 and 2002::/16 carry an IPv4 address to a translator.
  if (isZero(0, 5) && groups[5] === 0xffff) return embedded(6);
  if (a === 0x64 && b === 0xff9b && isZero(2, 6)) return embedded(6);
  if (a === 0x2002) return embedded(1);
  // All else that is public is global unicast, 2000::/3 ...
  if ((a & 0xe000) !== 0x2000) return false;
  // ... without protocol assignments (2001::/23: Teredo, benchmarks, ORCHID) and documentation.
  if (a === 0x2001 && (b & 0xfe00) === 0) return false;
  if (a === 0x2001 && b === 0x0db8) return false;
  if (a === 0x3fff && (b & 0xf000) === 0) return false;
  // Interface identifiers of ISATAP (0:5efe or 200:5efe) carry an IPv4 address too.
  const isIsatap = (groups[4]! & 0xfdff) === 0 && groups[5] === 0x5efe;
  return !isIsatap || embedded(6);
}
