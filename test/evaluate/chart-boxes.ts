/** Where the texts of an SVG stand, without a browser: a letter is taken to be as wide as it is in a wide typeface. */

export interface TextBox {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const FONT = 13;
const LETTER = 0.56 * FONT;

export function textBoxes(svg: string): TextBox[] {
  return [...svg.matchAll(/<text([^>]*)>([^<]*)<\/text>/g)].map(([, attributes, escaped]) => {
    const text = escaped!.replace(/&\w+;/g, '&');
    const length = text.length * LETTER;
    const turned = /translate\(([\d.-]+) ([\d.-]+)\) rotate\(-90\)/.exec(attributes!);
    if (turned !== null) {
      const [x, y] = [Number(turned[1]), Number(turned[2])];
      return {
        text,
        left: x - FONT * 0.8,
        right: x + FONT * 0.2,
        top: y - length / 2,
        bottom: y + length / 2,
      };
    }
    const x = Number(/ x="([\d.-]+)"/.exec(attributes!)![1]);
    const y = Number(/ y="([\d.-]+)"/.exec(attributes!)![1]);
    const anchor = /text-anchor="(\w+)"/.exec(attributes!)![1];
    const left = anchor === 'start' ? x : anchor === 'end' ? x - length : x - length / 2;
    return { text, left, right: left + length, top: y - FONT * 0.8, bottom: y + FONT * 0.2 };
  });
}

/** What is wrong with the places of the texts: out of the picture, or on each other. */
export function faults(svg: string): string[] {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number);
  const boxes = textBoxes(svg);
  const out = boxes
    .filter(({ bottom, left, right, top }) => left < 0 || top < 0 || right > width! || bottom > height!)
    .map(({ text }) => `'${text}' is out of the picture`);
  const overlapping = boxes.flatMap((a, i) =>
    boxes
      .slice(i + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `'${a.text}' and '${b.text}' overlap`),
  );
  return [...out, ...overlapping];
}
