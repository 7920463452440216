/**
 * One try: a request and its response, undici's handler while it is under way, the fetched page when it is over. Handlers
 * run inside undici's parser, so they only note what happened; the fetcher delivers pages afterwards.
 *
 * A request that is sent once more is another exchange, so that nothing of the first is left in it.
 */
import type { Dispatcher } from 'undici';
import type { FetchCallback, FetchedPage } from '../../model/web.js';
import { Body } from './body.js';
import type { BodyMemory } from './body-memory.js';
import { codingsOf } from './content-coding.js';
import { failureOf, isTemporary } from './failure.js';
import { ResponseHead } from './response-head.js';
import { parseRetryAfter } from './retry-after.js';
import type { SocketInput } from './socket-input.js';
import type { StatusLine } from './status-line.js';

const NO_HEADERS: readonly Buffer[] = [];
const NOTHING = new Uint8Array(0);
/** What is not wanted is read to this many bytes, to keep its connection. */
const DRAINED = 64 * 1024;

/** What the exchanges of a fetcher share. */
export interface ExchangeOwner {
  /** Milliseconds, moving on in steps. */
  readonly now: number;
  readonly memory: BodyMemory;
  isWantedType(contentType: string): boolean;
  /** The response is whole, or never will be. */
  ended(exchange: HttpExchange): void;
}

/** The connection that an exchange uses. */
export interface ExchangeClient {
  /** Responses that came over the present connection. */
  served: number;
  readonly statusLine: StatusLine;
  readonly input: SocketInput;
}

/** What is asked for, however often. */
export interface Wanted {
  readonly path: string;
  readonly takesAnyType: boolean;
  /** Bytes of the body at most, received and decoded. */
  readonly bound: number;
  readonly done: FetchCallback;
}

/** A server that had closed a kept connection says so within a round trip; what takes longer is an answer of its own. */
const AT_ONCE_MS = 1000;

type Phase = 'connecting' | 'sent' | 'body' | 'ended';

export class HttpExchange implements FetchedPage, Dispatcher.DispatchHandler {
  status = 0;
  statusLine = '';
  rawHeaders: readonly Buffer[] = NO_HEADERS;
  body: Uint8Array = NOTHING;
  bodyLength = 0;
  contentType = '';
  location = '';
  robotsTag = '';
  link = '';
  retryAfter = -1;
  readonly pageNumber = -1;
  failure = '';
  isTemporary = false;
  isTruncated = false;

  readonly wanted: Wanted;
  /** When it began, without the time that it had to wait for memory. */
  started: number;
  phase: Phase = 'connecting';
  /** When something last came from the server. */
  progress: number;
  /** Content codings to undo, the first one first. */
  codings: readonly string[] = [];
  /** The server closed a connection that it had kept open, just as the request was sent: it must be sent again. */
  mustRepeat = false;
  readonly #owner: ExchangeOwner;
  readonly #received: Body;
  readonly #isRepeated: boolean;
  #client: ExchangeClient | null = null;
  /** A drop before this is that of a connection that the server had closed before; -1 if it can't be. */
  #staleUntil = -1;
  #pausedAt = 0;
  #isUnwanted = false;
  #drained = 0;
  #abort: (() => void) | null = null;

  constructor(owner: ExchangeOwner, wanted: Wanted, isRepeated = false) {
    this.#owner = owner;
    this.#received = new Body(owner.memory, wanted.bound);
    this.#isRepeated = isRepeated;
    this.wanted = wanted;
    this.started = owner.now;
    this.progress = owner.now;
  }

  /** The body as received. */
  get received(): Body {
    return this.#received;
  }

  /** Sent over `client` from here. */
  begin(client: ExchangeClient): void {
    this.#client = client;
  }

  onConnect(abort: (error?: Error) => void): void {
    // It was stopped before it had a connection: nothing is asked for any more.
    if (this.phase === 'ended') {
      abort();
      return;
    }
    this.#abort = abort;
    this.phase = 'sent';
    this.progress = this.#owner.now;
    if (this.#client!.served > 0 && !this.#isRepeated) this.#staleUntil = this.#owner.now + AT_ONCE_MS;
    this.#client!.statusLine.await();
    this.#client!.input.isBody = false;
  }

  onHeaders(status: number, rawHeaders: Buffer[], resume: () => void): boolean {
    if (this.phase === 'ended') return true;
    if (status < 200) {
      this.#staleUntil = -1;
      return true;
    }
    this.phase = 'body';
    this.progress = this.#owner.now;
    this.status = status;
    this.statusLine = this.#client!.statusLine.text;
    this.rawHeaders = rawHeaders;
    const head = new ResponseHead(rawHeaders);
    this.contentType = head.contentType;
    this.location = head.location;
    this.robotsTag = head.robotsTag;
    this.link = head.link;
    if (head.retryAfter !== '') this.retryAfter = parseRetryAfter(head.retryAfter, Date.now());
    this.#client!.input.isBody = true;
    const isPage = status < 300 && !this.wanted.takesAnyType;
    if (isPage && head.contentType !== '' && !this.#owner.isWantedType(head.contentType)) {
      this.#refuse('UNWANTED_TYPE', head.contentLength);
    } else if (head.contentEncoding !== '') {
      const codings = codingsOf(head.contentEncoding);
      if (codings === null) this.#refuse('BAD_ENCODING', head.contentLength);
      else this.codings = codings;
    }
    if (this.#isUnwanted) return true;
    return this.#listens(this.#received.begin(head.contentLength, () => this.#goOn(resume)));
  }

  onData(chunk: Buffer): boolean {
    if (this.phase === 'ended') return true;
    this.progress = this.#owner.now;
    if (this.#isUnwanted) {
      this.#drained += chunk.length;
      if (this.#drained > DRAINED) this.stop(this.failure);
      return true;
    }
    const goesOn = this.#listens(this.#received.append(chunk, !this.#client!.input.isShared));
    if (goesOn && this.#received.isTruncated) this.stop('');
    return goesOn;
  }

  #listens(goesOn: boolean): boolean {
    if (!goesOn) this.#pausedAt = this.#owner.now;
    return goesOn;
  }

  onComplete(): void {
    if (this.phase === 'ended') return;
    this.#client!.served++;
    this.#end(this.failure);
  }

  onError(error: NodeJS.ErrnoException): void {
    if (this.phase === 'ended') return;
    // undici takes the length told for that of the body, which these answers never have, and closes the connection.
    const isWhole = this.phase === 'body' && (this.status === 204 || this.status === 304);
    if (isWhole && error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
      this.#end(this.failure);
      return;
    }
    const failure = this.failure || failureOf(error);
    this.mustRepeat = failure === 'RESET' && this.phase === 'sent' && this.#owner.now <= this.#staleUntil;
    this.#end(failure);
  }

  /** Ends the request; false if it has no connection yet, which must then be given up. */
  stop(failure: string): boolean {
    this.#end(failure);
    this.#abort?.();
    return this.#abort !== null;
  }

  /** Ends without a word to anyone. */
  drop(): void {
    this.phase = 'ended';
    this.#received.release();
  }

  /** There is memory for more: what passed meanwhile is not counted against the server. */
  #goOn(resume: () => void): void {
    const now = this.#owner.now;
    this.started += now - this.#pausedAt;
    this.progress = now;
    resume();
  }

  /** Milliseconds are counted only while we listen. */
  get isPaused(): boolean {
    return this.#received.isWaiting;
  }

  #refuse(failure: string, contentLength: number): void {
    this.failure = failure;
    this.#isUnwanted = true;
    if (contentLength > DRAINED) this.stop(failure);
  }

  /** A body that can't be had or read is no loss where the headers say it all. */
  fail(failure: string): void {
    const isRedirect = this.status >= 300 && this.status < 400 && this.location !== '';
    this.failure = isRedirect ? '' : failure;
    this.isTemporary = isTemporary(this.failure, this.status);
  }

  #end(failure: string): void {
    this.phase = 'ended';
    this.fail(failure);
    this.isTruncated = this.#received.isTruncated;
    if (failure !== '') this.#received.drop();
    this.#owner.ended(this);
  }
}
