/** X.509 certificates made for a test, so that none in the repository can expire: just enough of DER for TLS. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly name: string;
  readonly privateKey: KeyObject;
}

interface Request {
  readonly name: string;
  /** Names and IPv4 addresses it is for. */
  readonly hosts?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** Signs itself otherwise. */
  readonly issuer?: Certificate;
}

const DAY = 86_400_000;
let serial = 1;

function der(tag: number, ...parts: (Uint8Array | number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: (Uint8Array | number[])[]): Buffer => der(0x30, ...parts);
const COMMON_NAME = [0x06, 3, 0x55, 4, 3];
const ECDSA_SHA256 = sequence([0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]);
const ALTERNATIVE_NAMES = [0x06, 3, 0x55, 0x1d, 17];
const BASIC_CONSTRAINTS = [0x06, 3, 0x55, 0x1d, 19];
const TRUE = [0x01, 1, 0xff];

function nameOf(name: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(name)))));
}

function timeOf(date: Date): Buffer {
  return der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));
}

function alternativeName(host: string): Buffer {
  const octets = host.split('.').map(Number);
  return octets.every((octet) => octet >= 0) ? der(0x87, octets) : der(0x82, Buffer.from(host));
}

export function makeCertificate({ name, hosts = [], notBefore, notAfter, issuer }: Request): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [
    sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(issuer === undefined ? TRUE : []))),
    sequence(ALTERNATIVE_NAMES, der(0x04, sequence(...hosts.map(alternativeName)))),
  ];
  const from = notBefore ?? new Date(Date.now() - DAY);
  const to = notAfter ?? new Date(Date.now() + DAY);
  const content = sequence(
    der(0xa0, [0x02, 1, 2]),
    [0x02, 2, 0x10, serial++],
    ECDSA_SHA256,
    nameOf(issuer?.name ?? name),
    sequence(timeOf(from), timeOf(to)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...(hosts.length > 0 ? extensions : extensions.slice(0, 1)))),
  );
  const signature = sign('sha256', content, issuer?.privateKey ?? privateKey);
  const whole = sequence(content, ECDSA_SHA256, der(0x03, [0], signature));
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    name,
    privateKey,
  };
}
