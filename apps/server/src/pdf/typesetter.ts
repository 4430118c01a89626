/** Texts measured, broken, cut and written; everything else of a page is lines and boxes. */
import { cjkWidth, createCjkWriter } from './cjk-fonts.ts';
import { createGlyphRuns, type GlyphRun } from './glyph-runs.ts';
import { ink, type TextStyle } from './report-style.ts';

export type Place = { x: number; y: number; width: number; align?: 'left' | 'right' | 'center' };

const tabular: PDFKit.Mixins.OpenTypeFeatures[] = ['tnum'];
const ELLIPSIS = '…';
/** Of one text; what is longer was never meant to be read on paper. */
const TEXT_MAX = 2_000;
const LEADING = 1.38;
/** Of Inter, in parts of its size. */
const ASCENT = 0.96875;

export type Typesetter = ReturnType<typeof createTypesetter>;

export function createTypesetter(doc: PDFKit.PDFDocument) {
  const runsOf = createGlyphRuns(doc);
  const writeCjk = createCjkWriter(doc);
  const widths = new Map<string, number>();
  // An empty list of features would turn the library's own caches off.
  const shaping = (style: TextStyle) => (style.tabular ? { features: tabular } : {});

  function runWidth(run: GlyphRun, style: TextStyle): number {
    if (run.cjk !== undefined) return cjkWidth(run.text, style.size);
    const key = `${run.font} ${style.size} ${style.tabular} ${run.text}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    const width = doc.font(run.font).fontSize(style.size).widthOfString(run.text, shaping(style));
    widths.set(key, width);
    return width;
  }

  function widthOf(text: string, style: TextStyle): number {
    return runsOf(text, style.weight ?? 400).reduce((sum, run) => sum + runWidth(run, style), 0);
  }

  /** As much as fits, with an ellipsis where something was left out. */
  function fitted(text: string, style: TextStyle, width: number): string {
    const chars = [...text.slice(0, TEXT_MAX)];
    if (chars.length < TEXT_MAX && widthOf(text, style) <= width) return text;
    let [low, high] = [0, chars.length];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (widthOf(chars.slice(0, middle).join('').trimEnd() + ELLIPSIS, style) <= width) low = middle;
      else high = middle - 1;
    }
    return chars.slice(0, low).join('').trimEnd() + ELLIPSIS;
  }

  /** Broken between words, and within one that is wider than the line; the last line is cut where there are too many. */
  function lines(text: string, style: TextStyle, width: number, max = Number.POSITIVE_INFINITY): string[] {
    const broken: string[] = [];
    let line = '';
    for (const word of wordsOf(text.slice(0, TEXT_MAX))) {
      const longer = line + word;
      if (widthOf(longer.trimEnd(), style) <= width) {
        line = longer;
        continue;
      }
      if (line.trim() !== '') broken.push(line.trimEnd());
      line = word.trimStart();
      while (widthOf(line.trimEnd(), style) > width) {
        const part = longestPart(line, style, width);
        broken.push(part);
        line = line.slice(part.length);
      }
    }
    if (line.trim() !== '') broken.push(line.trimEnd());
    if (broken.length <= max) return broken;
    const rest = broken.slice(max - 1).join(' ');
    return [...broken.slice(0, max - 1), fitted(rest, style, width)];
  }

  function longestPart(text: string, style: TextStyle, width: number): string {
    const chars = [...text];
    let count = 1;
    while (count < chars.length && widthOf(chars.slice(0, count + 1).join(''), style) <= width) count++;
    return chars.slice(0, count).join('');
  }

  /** One line, cut to the width. */
  function line(text: string, style: TextStyle, { x, y, width, align = 'left' }: Place): void {
    const shown = fitted(text, style, width);
    const free = width - widthOf(shown, style);
    let at = x + (align === 'right' ? free : align === 'center' ? free / 2 : 0);
    for (const run of runsOf(shown, style.weight ?? 400)) {
      doc.fillColor(style.colour ?? ink.text);
      if (run.cjk === undefined) {
        doc.font(run.font).fontSize(style.size);
        doc.text(run.text, at, y, { lineBreak: false, ...shaping(style) });
      } else {
        writeCjk(run.text, run.cjk, { x: at, y: y + style.size * ASCENT, size: style.size });
      }
      at += runWidth(run, style);
    }
  }

  return {
    line,
    lines,
    widthOf,
    heightOf: (count: number, style: TextStyle) => count * style.size * LEADING,
    /** Returns the height it took. */
    paragraph(text: string, style: TextStyle, place: Place & { max?: number }): number {
      const broken = lines(text, style, place.width, place.max);
      broken.forEach((each, index) => {
        line(each, style, { ...place, y: place.y + index * style.size * LEADING });
      });
      return broken.length * style.size * LEADING;
    },
  };
}

/** With the blanks behind them; ideographs may be parted anywhere. */
function wordsOf(text: string): string[] {
  return (
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\s*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+\s*|\s+/gu,
    ) ?? []
  );
}
