/** A web of a test's own: one server on loopback, and what it says for each host, `NAME.localhost`. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';
import type { TlsOptions } from 'node:tls';
import { rawServer, response } from '../web/http/raw-server.js';
import type { HttpCrawl } from './http-crawl.js';

/** Answers one request. */
export type Site = (socket: Socket, path: string, web: LocalWeb) => void;

export interface LocalWeb {
  readonly port: number;
  /** Host names and paths asked for, in order. */
  readonly asked: string[];
  url(name: string, path?: string): string;
}

export async function localWeb(
  t: TestContext,
  sites: Readonly<Record<string, Site>>,
  tls?: TlsOptions,
): Promise<LocalWeb> {
  const server = await rawServer(
    t,
    (socket, head) => {
      const path = head.split(' ')[1]!;
      const host = /\r\nhost: ([^:\r]+)/i.exec(head)![1]!;
      const name = host.replace(/\.localhost$/, '');
      web.asked.push(`${name}${path}`);
      (sites[name] ?? notFound)(socket, path, web);
    },
    tls,
  );
  const scheme = tls === undefined ? 'http' : 'https';
  const web: LocalWeb = {
    port: server.port,
    asked: [],
    url: (name, path = '/') => `${scheme}://${name}.localhost:${server.port}${path}`,
  };
  return web;
}

export const notFound: Site = (socket) => {
  socket.write(response('not here', 'content-type: text/plain', '404 Not Found'));
};

export const links = (...hrefs: string[]): string =>
  `<!doctype html><title>links</title>${hrefs.map((href) => `<a href="${href}">${href}</a>\n`).join('')}`;

export const redirectTo = (location: string, status = '302 Found'): Buffer =>
  response('', `location: ${location}`, status);

/** A site of these pages: markup, whole responses, or sites of their own. All else is not there. */
export function pages(all: Readonly<Record<string, string | Buffer | Site>>): Site {
  return (socket, path, web) => {
    const page = all[path];
    if (page === undefined) notFound(socket, path, web);
    else if (typeof page === 'function') page(socket, path, web);
    else socket.write(typeof page === 'string' ? response(page) : page);
  };
}

const GOOD_PAGES = 12;

/** A site that nothing is wrong with: page i links to the next two. */
export const goodSite: Site = (socket, path, web) => {
  const page = path === '/' ? 0 : Number(/^\/page-(\d+)$/.exec(path)?.[1] ?? GOOD_PAGES);
  if (page >= GOOD_PAGES) notFound(socket, path, web);
  else {
    const next = [page + 1, page + 2].filter((i) => i < GOOD_PAGES).map((i) => `/page-${i}`);
    socket.write(response(links(...next)));
  }
};

/** The crawl ended by itself and has every page of the good site. */
export function assertGood({ pages: fetched, report }: HttpCrawl, web: LocalWeb, name = 'good'): void {
  assert.equal(report.outcome, 'exhausted', report.reason ?? '');
  const expected = Array.from({ length: GOOD_PAGES }, (_, i) => web.url(name, i === 0 ? '/' : `/page-${i}`));
  assert.deepEqual(
    fetched.filter((url) => url.startsWith(web.url(name))),
    expected.sort(),
  );
}
