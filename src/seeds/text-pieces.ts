/**
 * Splits text that comes in chunks, in bounded memory: of a longer piece the rest is left out. Lines end with LF, CR LF
 * or CR alone.
 */
export interface TextPiece {
  /** The line that the piece ends on, from 1. */
  readonly line: number;
  readonly text: string;
}

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
export const LONGEST_PIECE = 65_536;

/** Does a piece of a line end with this byte? */
export const endsLine = (byte: number): boolean => byte === LINE_FEED || byte === RETURN;

/** `ends` is asked for each byte: the first piece may decide what the others are. */
export async function* textPieces(
  chunks: AsyncIterable<Uint8Array>,
  ends: (byte: number) => boolean,
): AsyncGenerator<TextPiece> {
  const piece = Buffer.allocUnsafe(LONGEST_PIECE);
  let length = 0;
  let line = 1;
  let last = 0;
  for await (const chunk of chunks) {
    for (const byte of chunk) {
      if (ends(byte)) {
        yield { line, text: piece.toString('utf8', 0, length) };
        length = 0;
      } else if (length < LONGEST_PIECE) piece[length++] = byte;
      // CR LF is one end of a line.
      if (byte === RETURN || (byte === LINE_FEED && last !== RETURN)) line++;
      last = byte;
    }
  }
  if (length > 0) yield { line, text: piece.toString('utf8', 0, length) };
}
