/**
 * The state of a site in a file.
 *
 * | offset | size | name                                       |
 * |--------|------|--------------------------------------------|
 * | 0      | 8    | key, low half first                        |
 * | 8      | 8    | head, a double                             |
 * | 16     | 8    | tail, a double                             |
 * | 24     | 8    | readyAt, a double, since the crawl began   |
 * | 32     | 4    | count                                      |
 * | 36     | 4    | pages                                      |
 * | 40     | 2    | failures                                   |
 * | 42     | 1    | phase                                      |
 * | 43     | 1    | 1: not empty                               |
 * | 44     | 4    | address, IPv4                              |
 * | 48     | 1    | bytes of the address, IPv6                 |
 * | 49     | 39   | its text                                   |
 * | 88     | 4    | vetted                                     |
 * | 92     | 2    | sitemapUse                                 |
 */
import type { SiteStates } from './site-states.js';

export const ROW_BYTES = 94;
const TAKEN = 43;

export const isTaken = (row: Buffer): boolean => row[TAKEN] === 1;
export const rowLow = (row: Buffer): number => row.readUInt32LE(0);
export const rowHigh = (row: Buffer): number => row.readUInt32LE(4);

/** `began` is what the clock showed when the crawl began. */
export function writeRow(row: Buffer, states: SiteStates, site: number, began: number): void {
  row.writeUInt32LE(states.keyLow[site]!, 0);
  row.writeUInt32LE(states.keyHigh[site]!, 4);
  row.writeDoubleLE(states.head[site]!, 8);
  row.writeDoubleLE(states.tail[site]!, 16);
  row.writeDoubleLE(states.readyAt[site]! - began, 24);
  row.writeUInt32LE(states.count[site]!, 32);
  row.writeUInt32LE(states.pages[site]!, 36);
  row.writeUInt16LE(states.failures[site]!, 40);
  row[42] = states.phase[site]!;
  row[TAKEN] = 1;
  row.writeUInt32LE(states.address[site]!, 44);
  row[48] = row.write(states.longAddresses.get(site) ?? '', 49, 'latin1');
  row.writeUInt32LE(states.vetted[site]!, 88);
  row.writeUInt16LE(states.sitemapUse[site]!, 92);
}

/** Fills the columns of `site`, but for its key. */
export function readRow(row: Buffer, states: SiteStates, site: number, began: number): void {
  states.head[site] = row.readDoubleLE(8);
  states.tail[site] = row.readDoubleLE(16);
  states.readyAt[site] = row.readDoubleLE(24) + began;
  states.count[site] = row.readUInt32LE(32);
  states.pages[site] = row.readUInt32LE(36);
  states.failures[site] = row.readUInt16LE(40);
  states.phase[site] = row[42]!;
  states.address[site] = row.readUInt32LE(44);
  const length = row[48]!;
  if (length > 0) states.longAddresses.set(site, row.toString('latin1', 49, 49 + length));
  states.vetted[site] = row.readUInt32LE(88);
  states.sitemapUse[site] = row.readUInt16LE(92);
}
