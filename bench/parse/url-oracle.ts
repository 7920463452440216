/** `url-oracle [PAIRS] [SEED]`: the oracle test of canonical URLs, on a million pairs of base and link. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TEST = fileURLToPath(new URL('../../test/parse/url-canonicaliser-oracle.test.js', import.meta.url));

export async function run(args: string[]): Promise<void> {
  const [pairs = '1000000', seed = '1'] = args;
  const env = { ...process.env, DRUMLINE_URL_PAIRS: pairs, DRUMLINE_SEED: seed };
  console.log(`seed ${seed}`);
  const { status } = spawnSync(process.execPath, ['--test', TEST], { env, stdio: 'inherit' });
  if (status !== 0) throw new Error('the fast way and the URL class disagree');
}
