/** What a host of traps answers with. A body in pieces is sent chunked, and only as fast as it is read. */
export interface Request {
  /** `KIND-NUMBER.localhost:PORT`. */
  readonly host: string;
  readonly path: string;
}

export interface Answer {
  readonly status?: string;
  /** Lines of the head, each with its end; the length is added by who sends it. */
  readonly head?: string;
  readonly body?: Uint8Array | Iterable<Uint8Array>;
  /** A Content-Length that is not the body's. */
  readonly saidLength?: number;
  /** Between two pieces. */
  readonly pauseMs?: number;
}

export type Trap = (request: Request) => Answer;

export const HTML = 'content-type: text/html; charset=utf-8\r\n';
export const BODY_BYTES = 9_000_000;
const DOCTYPE = '<!doctype html><title>trap</title>\n';

export function page(markup: string, head = HTML): Answer {
  return { head, body: Buffer.from(DOCTYPE + markup) };
}

/** A page of `bytes` octets: a beginning, and one piece again and again. It is made when it is first asked for, and kept. */
export function repeated(beginning: string, piece: string, head = HTML, bytes = BODY_BYTES): Trap {
  return once(() => {
    const start = Buffer.from(beginning);
    return { head, body: Buffer.concat([start, Buffer.alloc(bytes - start.length, piece)]) };
  });
}

export function once(make: () => Answer): Trap {
  let answer: Answer | undefined;
  return () => {
    answer ??= make();
    return answer;
  };
}

/** `count` numbered pieces of markup, a line each. */
export function numbers(count: number, piece: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => piece(i)).join('\n');
}
