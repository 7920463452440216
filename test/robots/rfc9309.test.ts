/** RFC 9309 case by case, and at random against the oracle. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalUrl } from '#drumline/model/canonical-url.js';
import { Random } from '#drumline/simulate/random.js';
import { decide } from './rfc-matcher.js';
import { originLength, Site } from './site.js';

const ORIGIN = 'http://site.example';
const ALL = 'User-agent: *\n';

/** Each: a file, and paths with what is said about them. */
const CASES: readonly [
  what: string,
  file: string,
  allowed: readonly string[],
  disallowed: readonly string[],
][] = [
  [
    'the longest match decides',
    `${ALL}Disallow: /a\nAllow: /a/b\nDisallow: /a/b/c`,
    ['/', '/a/b', '/a/b/d'],
    ['/a', '/ab', '/a/b/c'],
  ],
  ['of equal length, Allow', `${ALL}Disallow: /a\nAllow: /a`, ['/a', '/a/b'], []],
  ['$ ends a path', `${ALL}Disallow: /*.php$`, ['/a.php5', '/a.php?x'], ['/a.php', '/b/a.php']],
  ['$ elsewhere is a character', `${ALL}Disallow: /a$b`, ['/a', '/a$'], ['/a$b', '/a$bc']],
  ['* is any characters', `${ALL}Disallow: /a*/c`, ['/a', '/ac'], ['/a/c', '/ab/x/c/d']],
  [
    'a literal * and $ are escaped',
    `${ALL}Disallow: /f-%2A.html\nDisallow: /p-%24`,
    ['/f-x.html', '/p-'],
    ['/f-*.html', '/p-$', '/p-%24x'],
  ],
  [
    'escaped unreserved characters stand for themselves',
    `${ALL}Disallow: /%7ejoe/b%61z`,
    ['/%7Ejo'],
    ['/~joe/baz', '/%7Ejoe/baz', '/~joe/b%61z'],
  ],
  [
    'escaped reserved characters do not',
    `${ALL}Disallow: /a%2fb\nDisallow: /c/d`,
    ['/a/b', '/c%2Fd'],
    ['/a%2Fb', '/a%2fb'],
  ],
  [
    'octets beyond ASCII are escaped',
    `${ALL}Disallow: /foo/bar/ツ`,
    ['/foo/bar'],
    ['/foo/bar/%E3%83%84', '/foo/bar/%e3%83%84'],
  ],
  [
    'characters that URLs escape',
    `${ALL}Disallow: /a b\nDisallow: /c[1]\nDisallow: /d|e\nDisallow: /q?x='y'`,
    ['/a'],
    ['/a%20b', '/c[1]', '/c%5B1%5D', '/d|e', "/q?x='y'"],
  ],
  ['an empty query is one', `${ALL}Disallow: /*?`, ['/a'], ['/a?', '/a?b']],
  ['dots in a query are no segments', `${ALL}Disallow: /b`, ['/a?x=/../../b'], ['/b?x=/..']],
  [
    'groups of one name are one',
    'User-agent: drumline\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nUser-agent: drumline\nDisallow: /b',
    ['/', '/c'],
    ['/a', '/b'],
  ],
  [
    'without a group of its own, that for all',
    'User-agent: other\nDisallow: /\n\nUser-agent: *\nDisallow: /b',
    ['/a'],
    ['/b'],
  ],
  [
    'an empty group of its own',
    'User-agent: *\nDisallow: /\n\nUser-agent: drumline\nDisallow:',
    ['/', '/a'],
    [],
  ],
  ['names in any case', 'USER-AGENT: DrumLine\nDISALLOW: /a', ['/b'], ['/a']],
  ['a version behind the name', 'User-agent: drumline/2.0\nDisallow: /a', ['/b'], ['/a']],
  ['text behind the name', 'User-agent: drumline the crawler\nDisallow: /a', ['/b'], ['/a']],
  [
    'another name with the same beginning',
    'User-agent: drumline-news\nDisallow: /\n\nUser-agent: drum\nDisallow: /',
    ['/', '/a'],
    [],
  ],
  [
    'several names for a group',
    'User-agent: other\nUser-agent: drumline\nUser-agent: third\nDisallow: /a',
    ['/b'],
    ['/a'],
  ],
  [
    'other lines do not end the names of a group',
    'User-agent: drumline\nSitemap: /s.xml\nCrawl-delay: 3\n\n# so\nNoise: 1\nUser-agent: other\nDisallow: /a',
    ['/b'],
    ['/a'],
  ],
  ['rules before a group are ignored', 'Disallow: /\nUser-agent: *\nDisallow: /a', ['/', '/b'], ['/a']],
  [
    'line ends of all kinds',
    'User-agent: *\rDisallow: /a\r\nDisallow: /b\nDisallow: /c',
    ['/d'],
    ['/a', '/b', '/c'],
  ],
  [
    'comments',
    'User-agent: * # all\nDisallow: /a # not this\n#Disallow: /b\nDisallow: /c#d',
    ['/b', '/d'],
    ['/a', '/a%20', '/c'],
  ],
  ['blanks', ' \tUser-agent\t :\t*  \n  Disallow  :  /a \t', ['/b'], ['/a']],
  ['a byte order mark', '\uFEFFUser-agent: *\nDisallow: /a', ['/b'], ['/a']],
  ['a pattern that begins with *', `${ALL}Disallow: *.gif$`, ['/a.gif?b'], ['/a.gif']],
  ['a pattern without a slash matches nothing', `${ALL}Disallow: a`, ['/a', '/'], []],
  ['a blank in place of the colon', `User-agent *\nDisallow /a\nDisallow\t/b # c`, ['/'], ['/a', '/b']],
  ['more words without a colon say nothing', `${ALL}Disallow /a /b\nDisallow`, ['/a', '/b'], []],
  [
    "typos that Google's parser knows",
    'useragent: *\ndissallow: /a\ndissalow: /b\ndisalow: /c\ndiasllow: /d\ndisallaw: /e\nDisallowed: /f',
    ['/'],
    ['/a', '/b', '/c', '/d', '/e', '/f'],
  ],
  ['other typos say nothing', `${ALL}Disalllow: /a\nxDisallow: /b`, ['/a', '/b'], []],
  ['a name of two words', 'User agent: drumline\nDisallow: /a', ['/b'], ['/a']],
  ['rules behind a comment of markup', '<!-- robots -->\nUser-agent: *\nDisallow: /a', ['/b'], ['/a']],
  ['rules inside a page of HTML', '\n <!DOCTYPE html>\n<p>\nUser-agent: *\nDisallow: /a\n', ['/b'], ['/a']],
  ['a page of HTML without rules', '<html>\n<p>Disallow: /a</p>\n<p>User-agent: *</p>', ['/', '/a'], []],
];

for (const [what, file, allowed, disallowed] of CASES) {
  test(what, () => {
    const site = new Site();
    site.learn(ORIGIN, file);
    for (const path of allowed) assert.ok(site.allows(canonicalUrl(ORIGIN + path)!), `${path} is allowed`);
    for (const path of disallowed)
      assert.ok(!site.allows(canonicalUrl(ORIGIN + path)!), `${path} is disallowed`);
  });
}

const PIECES = [
  '/',
  '/',
  '/',
  'a',
  'b',
  '*',
  '$',
  '?',
  '.',
  '..',
  '%61',
  '%2F',
  '%2f',
  '%2e',
  '%2a',
  '%24',
  '%3F',
  '~',
  '%7E',
  '!',
  "'",
  '%27',
  '[',
  '|',
  '%',
  '%zz',
  'é',
  '%C3%A9',
  '\\',
  '&',
  '=',
  '+',
  ' ',
];
const AGENTS = [
  '*',
  '*',
  'drumline',
  'Drumline',
  'DRUMLINE/1.0',
  'drumline x',
  'drumlines',
  'other',
  '',
  '* x',
  '*x',
];
const NOISE = [
  '',
  '# drumline',
  'Sitemap: http://a.example/s',
  'Crawl-delay: 2',
  'Disallow',
  'Foo: /',
  'Host: x',
  ': /',
  'Allow:',
];

function randomPath(random: Random, most: number): string {
  let path = '/';
  for (let i = random.below(most); i > 0; i--) path += random.pick(PIECES);
  return path;
}

function randomFile(random: Random): string {
  let file = random.chance(0.1) ? 'Disallow: /a\n' : '';
  for (let i = 3 + random.below(14); i > 0; i--) {
    const blank = random.chance(0.1) ? ' \t' : '';
    const rule = random.chance(0.06) ? randomPath(random, 4).slice(1) : randomPath(random, 5);
    file += random.chance(0.3)
      ? `${blank}User-Agent${blank}: ${random.pick(AGENTS)}`
      : random.chance(0.15)
        ? random.pick(NOISE)
        : `${random.pick(['Allow', 'Disallow', 'disallow'])}:${blank} ${rule}${random.chance(0.2) ? '$' : ''}${blank}`;
    if (random.chance(0.1)) file += ' # x';
    file += random.pick(['\n', '\n', '\r\n', '\r']);
  }
  return file;
}

test('random files decide as the oracle does, by the same line', () => {
  const counts = { allowed: 0, disallowed: 0 };
  for (let seed = 1; seed <= 1500; seed++) {
    const random = new Random(seed);
    const file = randomFile(random);
    const octets = Buffer.from(file).toString('latin1');
    const site = new Site('Drumline/0.1');
    site.learn(ORIGIN, file);
    for (let i = 0; i < 12; i++) {
      const url = canonicalUrl(ORIGIN + randomPath(random, 6))!;
      const { isAllowed, line } = decide(octets, 'drumline', url.slice(originLength(url)));
      const message = `seed ${seed}: ${url}\n${file}`;
      assert.equal(site.allows(url), isAllowed, message);
      counts[isAllowed ? 'allowed' : 'disallowed']++;
      // Of an origin where all is allowed no rules are kept.
      const rule = site.ruleFor(url);
      if (!isAllowed || rule !== '') assert.match(rule, new RegExp(`^line ${line}: `), message);
    }
  }
  assert.ok(counts.allowed > 2000 && counts.disallowed > 2000, JSON.stringify(counts));
});
