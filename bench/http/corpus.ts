/** Documentation that Debian installs as HTML, or pages made for the purpose where there is none. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DOC = '/usr/share/doc';
/** From the packages postgresql-doc, python3-doc, git-doc, openjdk-17-doc. */
const INSTALLED = [/^postgresql-doc-\d+$/, /^python3(\.\d+)?$/, /^git$/, /^openjdk-17-(doc|jre-headless)$/];
const WITHIN = ['html', 'api', ''];
const MADE_SITES = 4;
const MADE_PAGES = 1500;

/** Document roots, one a site. */
export function corpusRoots(directory: string): { roots: string[]; what: string } {
  const roots = INSTALLED.flatMap((pattern) => installed(pattern).slice(0, 1));
  if (roots.length >= 2) return { roots, what: roots.join(', ') };
  const made = Array.from({ length: MADE_SITES }, (_, site) =>
    makeSite(join(directory, `site${site}`), site),
  );
  return { roots: made, what: `${MADE_SITES} made sites of ${MADE_PAGES} pages` };
}

function installed(pattern: RegExp): string[] {
  if (!existsSync(DOC)) return [];
  const places = readdirSync(DOC)
    .filter((name) => pattern.test(name))
    .flatMap((name) => WITHIN.map((folder) => join(DOC, name, folder)));
  return places.filter((place) => existsSync(join(place, 'index.html')));
}

/** Page j links to pages 4j + 1 to 4j + 4, and to some others. */
function makeSite(root: string, site: number): string {
  mkdirSync(root);
  const text =
    '<p>Words that fill a page, <b>some</b> of them &amp; others, in a paragraph of their own.</p>\n';
  for (let page = 0; page < MADE_PAGES; page++) {
    const targets = Array.from({ length: 40 }, (_, i) => {
      const target = i < 4 ? 4 * page + i + 1 : (page * 31 + i * i * 7919 + site) % MADE_PAGES;
      return target < MADE_PAGES ? target : 0;
    });
    const links = targets.map(
      (target) => `<li><a href="${fileOf(target)}">Page ${target}</a></li>\n${text.repeat(4)}`,
    );
    const head = `<!doctype html><html><head><title>Page ${page}</title></head><body><ul>\n`;
    writeFileSync(join(root, fileOf(page)), `${head}${links.join('')}</ul></body></html>\n`);
  }
  return root;
}

function fileOf(page: number): string {
  return page === 0 ? 'index.html' : `page-${page}.html`;
}
