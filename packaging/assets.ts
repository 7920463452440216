/** What the executable holds beside its main script, under the names that `src/model/assets.ts` asks for. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { sha256 } from '#drumline/model/unpacked-files.js';
import type { Bundles } from './bundle.js';

const require = createRequire(import.meta.url);

export type Assets = Readonly<Record<string, string>>;

/** Names and the files they are read from. `addon` names a platform as the packages of the addon do. */
export function collectAssets(root: string, bundles: Bundles, addon: string, scratch: string): Assets {
  /** What must be a file to be loaded; everything else is loaded from memory. */
  const unpacked = {
    'worker.js': bundles.worker,
    'agent-thread.js': bundles.agentThread,
    'xxhash.node': addonFile(addon),
  };
  const list = Object.entries(unpacked).map(([name, path]) => ({ name, hash: sha256(readFileSync(path)) }));
  const listFile = join(scratch, 'unpacked.json');
  writeFileSync(listFile, JSON.stringify(list));
  return {
    ...unpacked,
    'unpacked.json': listFile,
    'package.json': packageFile(root, scratch),
    'links.wasm': join(root, 'dist', 'parse', 'links.wasm'),
    'sax-wasm.wasm': require.resolve('sax-wasm/lib/sax-wasm.wasm'),
  };
}

/** Of package.json, what the program asks for. */
function packageFile(root: string, scratch: string): string {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const file = join(scratch, 'package.json');
  writeFileSync(file, JSON.stringify({ name, version }));
  return file;
}

/** The platform that this Node runs on, as the packages of the addon are named. */
export function thisPlatform(): string {
  const { platform, arch } = process;
  if (platform === 'win32') return `win32-${arch}-msvc`;
  if (platform !== 'linux') return `${platform}-${arch}`;
  const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  return `linux-${arch}-${header.glibcVersionRuntime === undefined ? 'musl' : 'gnu'}`;
}

function addonFile(platform: string): string {
  const name = `@node-rs/xxhash-${platform}`;
  try {
    return createRequire(require.resolve('@node-rs/xxhash')).resolve(name);
  } catch {
    throw new Error(`--addon takes a platform whose package is installed, got '${platform}': no ${name}`);
  }
}
