/** The version of this program, as its package says. */
import { packageText } from './assets.js';

export function version(): string {
  return (JSON.parse(packageText()) as { version: string }).version;
}
