/**
 * State of the program that is kept as JSON: one codec for all of it.
 *
 * ```
 * {"version":1,"checksum":"9f0c1a22","state":{...}}     CRC-32 of the state's text
 * ```
 */
import { crc32 } from 'node:zlib';
import { defect } from './assert.js';
import { type Disk, readWhole, replaceFile } from './disk.js';
import { DamagedFileError, DrumlineError } from './errors.js';
import { type Shape, ShapeError } from './shape.js';

const VERSION = '1';
const HEAD = /^\{"version":(\d+),"checksum":"([0-9a-f]{8})","state":/;
const END = '}\n';

/** Writes a state durably. */
export function saveJson<T>(disk: Disk, path: string, shape: Shape<T>, value: T): void {
  try {
    shape(value, 'it');
  } catch (error) {
    if (error instanceof ShapeError) defect(`what is written to ${path} can be read: ${error.message}`);
    throw error;
  }
  const text = JSON.stringify(value);
  replaceFile(disk, path, `{"version":${VERSION},"checksum":"${checksum(text)}","state":${text}${END}`);
}

/** Reads what `saveJson` wrote. */
export function loadJson<T>(disk: Disk, path: string, shape: Shape<T>): T {
  const whole = new TextDecoder().decode(readWhole(disk, path));
  const [head, version, sum] = HEAD.exec(whole) ?? [];
  if (head === undefined) throw new DamagedFileError(path, 0, 'no state with a checksum');
  if (version !== VERSION)
    throw new DrumlineError(
      'FORMAT',
      `${path}: a state of version ${version}, this program reads version ${VERSION}; go on with the program that made it`,
    );
  const text = whole.slice(head.length, -END.length);
  if (!whole.endsWith(END) || checksum(text) !== sum) throw new DamagedFileError(path, 0, 'its checksum');
  return parse(path, text, shape);
}

/** Reads JSON that is there for others, and has no checksum. */
export function readJson<T>(disk: Disk, path: string, shape: Shape<T>): T {
  return parse(path, new TextDecoder().decode(readWhole(disk, path)), shape);
}

function parse<T>(path: string, text: string, shape: Shape<T>): T {
  try {
    return shape(JSON.parse(text), 'it');
  } catch (error) {
    if (error instanceof SyntaxError) throw new DamagedFileError(path, 0, 'no JSON');
    if (error instanceof ShapeError) throw new DamagedFileError(path, 0, error.message);
    throw error;
  }
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');
