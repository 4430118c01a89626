/**
 * Which font writes which characters. Inter comes in files by script; a text is cut into runs that one of them can write
 * whole. Chinese, Japanese and Korean are left to the fonts every reader of PDF brings or finds on its machine
 * (`cjk-fonts.ts`). What nobody can write is written as its code point, so that a name never turns into question marks.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type CjkFont, cjkFontOf } from './cjk-fonts.ts';
import type { Weight } from './report-style.ts';
import { unpackWoff } from './woff-font.ts';

const subsets = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'] as const;
type Subset = (typeof subsets)[number];

export type FontName = `${Subset}-${Weight}`;
export type GlyphRun = { readonly text: string } & (
  | { readonly font: FontName; readonly cjk?: never }
  | { readonly cjk: CjkFont; readonly font?: never }
);

/** What is asked of an opened font. */
type Coverage = { hasGlyphForCodePoint(codePoint: number): boolean };

export type GlyphRuns = (text: string, weight: Weight) => readonly GlyphRun[];

export function createGlyphRuns(doc: PDFKit.PDFDocument): GlyphRuns {
  const opened = new Map<FontName, Coverage>();
  const require = createRequire(import.meta.url);
  const folder = join(dirname(require.resolve('@fontsource/inter/package.json')), 'files');

  function open(name: FontName): Coverage {
    const known = opened.get(name);
    if (known !== undefined) return known;
    doc.registerFont(name, unpackWoff(readFileSync(join(folder, `inter-${name}-normal.woff`))));
    const font = coverageOf(doc.font(name));
    opened.set(name, font);
    return font;
  }

  function cut(text: string, weight: Weight): GlyphRun[] {
    const runs: GlyphRun[] = [];
    const append = (run: GlyphRun) => {
      const last = runs.at(-1);
      const same = last !== undefined && last.font === run.font && last.cjk === run.cjk;
      if (same) runs[runs.length - 1] = { ...last, text: last.text + run.text };
      else runs.push(run);
    };
    const cjk = cjkFontOf(text);
    for (const char of plain(text)) {
      const code = char.codePointAt(0) ?? 0;
      const subset = subsets.find((each) => open(`${each}-${weight}`).hasGlyphForCodePoint(code));
      if (subset !== undefined) append({ font: `${subset}-${weight}`, text: char });
      else if (cjk?.writes(code)) append({ cjk, text: char });
      else append({ font: `latin-${weight}`, text: `U+${code.toString(16).toUpperCase().padStart(4, '0')} ` });
    }
    return runs;
  }

  const known = new Map<string, readonly GlyphRun[]>();
  return (text, weight) => {
    const key = `${weight} ${text}`;
    const runs = known.get(key) ?? cut(text, weight);
    known.set(key, runs);
    return runs;
  };
}

/** One line without marks that turn what follows them round. */
function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}]/gu, '');
}

/** The library keeps the font it opened to itself; one without it is another version than the one that was tested. */
function coverageOf(doc: PDFKit.PDFDocument): Coverage {
  const inner: unknown = Reflect.get(Object(Reflect.get(doc, '_font')), 'font');
  if (inner === null || typeof inner !== 'object' || !('hasGlyphForCodePoint' in inner)) {
    throw new Error('This version of the PDF library does not say which characters a font has.');
  }
  return inner as Coverage;
}
