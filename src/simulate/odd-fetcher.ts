/** Fetches from an odd web: late, out of turn, and only as long as the thread that asked lives. */
import { type FetchCallback, type FetchedPage, type Fetcher, WHOLE_ANSWER } from '../model/web.js';
import { type OddPage, type OddWeb, sitemapPath } from './odd-web.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NOTHING = new Uint8Array(0);

export class OddFetcher implements Fetcher {
  readonly #web: OddWeb;
  readonly #later: (happen: () => void) => void;
  readonly #onRequest: (url: string) => void;
  #isClosed = false;

  /** `later` calls back when the answer comes; `onRequest` sees what a server would. */
  constructor(web: OddWeb, later: (happen: () => void) => void, onRequest: (url: string) => void) {
    this.#web = web;
    this.#later = later;
    this.#onRequest = onRequest;
  }

  fetch(url: Uint8Array, start: number, end: number, _address: string, done: FetchCallback): void {
    const asked = decoder.decode(url.subarray(start, end));
    this.#onRequest(asked);
    this.#later(() => {
      if (!this.#isClosed) done(this.#answer(asked));
    });
  }

  close(): void {
    this.#isClosed = true;
  }

  #answer(url: string): FetchedPage {
    const page = this.#web.pageOf(url);
    if (page !== null) return page.target >= 0 ? this.#redirect(page) : html(page.number, this.#markup(page));
    const { hostname, pathname } = new URL(url);
    const site = this.#web.siteOf(hostname);
    if (site?.robots && pathname === '/robots.txt') return answer(200, 'text/plain', site.robots);
    const sitemap = site?.sitemaps.find((_, i) => pathname === sitemapPath(i));
    if (sitemap !== undefined) return answer(200, 'application/xml', this.#sitemap(sitemap));
    return answer(404, 'text/html', 'nothing');
  }

  #redirect({ target }: OddPage): FetchedPage {
    return { ...answer(301, '', ''), location: this.#web.pages[target]!.url };
  }

  #markup({ deadLinks, links, number }: OddPage): string {
    const urls = [...links.map((link) => this.#web.pages[link]!.url), ...deadLinks];
    return `<title>${number}</title>${urls.map((url) => `<a href="${url}">x</a>`).join('\n')}`;
  }

  #sitemap(numbers: readonly number[]): string {
    const urls = numbers.map((number) => `<url><loc>${this.#web.pages[number]!.url}</loc></url>`);
    return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`;
  }
}

const html = (number: number, text: string): FetchedPage => ({
  ...answer(200, 'text/html', text),
  pageNumber: number,
});

function answer(status: number, contentType: string, text: string): FetchedPage {
  const body = text === '' ? NOTHING : encoder.encode(text);
  return {
    ...WHOLE_ANSWER,
    status,
    body,
    bodyLength: body.length,
    contentType,
    location: '',
    pageNumber: -1,
  };
}
