/** Splits text that comes in chunks at a byte, in bounded memory: of a longer piece the rest is left out. */
export interface TextPiece {
  /** The line that the piece ends on, from 1. */
  readonly line: number;
  readonly text: string;
}

const LINE_FEED = 0x0a;
export const LONGEST_PIECE = 65_536;

/** `separator` is a function because the first piece may decide what the others are. */
export async function* textPieces(
  chunks: AsyncIterable<Uint8Array>,
  separator: () => number,
): AsyncGenerator<TextPiece> {
  const piece = Buffer.allocUnsafe(LONGEST_PIECE);
  let length = 0;
  let line = 1;
  for await (const chunk of chunks) {
    for (const byte of chunk) {
      const ends = byte === separator();
      if (ends) {
        yield { line, text: piece.toString('utf8', 0, length) };
        length = 0;
      } else if (length < LONGEST_PIECE) piece[length++] = byte;
      if (byte === LINE_FEED) line++;
    }
  }
  if (length > 0) yield { line, text: piece.toString('utf8', 0, length) };
}
