/**
 * Chinese, Japanese and Korean without a font of many megabytes in each file: PDF names character collections that readers
 * have fonts for (ISO 32000-1, 9.7.5.2). Such text is selectable like any other, and each character is as wide as the line
 * is high.
 */
const collections = {
  japanese: { font: 'HeiseiKakuGo-W5', ordering: 'Japan1', supplement: 2, encoding: 'UniJIS-UTF16-H' },
  korean: { font: 'HYGoThic-Medium', ordering: 'Korea1', supplement: 1, encoding: 'UniKS-UTF16-H' },
  chinese: { font: 'STSong-Light', ordering: 'GB1', supplement: 4, encoding: 'UniGB-UTF16-H' },
} as const;

export type CjkFont = {
  readonly collection: keyof typeof collections;
  writes(codePoint: number): boolean;
};

const ideographs = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u;
const scripts: Readonly<Record<keyof typeof collections, RegExp>> = {
  japanese: /[\p{Script=Hiragana}\p{Script=Katakana}\u30fb\u30fc]/u,
  korean: /\p{Script=Hangul}/u,
  chinese: /\p{Script=Han}/u,
};

const fonts = Object.fromEntries(
  (Object.keys(collections) as (keyof typeof collections)[]).map((collection) => [
    collection,
    {
      collection,
      writes: (code: number) => {
        const char = String.fromCodePoint(code);
        return ideographs.test(char) || scripts[collection].test(char);
      },
    },
  ]),
) as Record<keyof typeof collections, CjkFont>;

/** Ideographs are shared: kana make a text Japanese, Hangul Korean, and what has neither is taken for Chinese. */
export function cjkFontOf(text: string): CjkFont | undefined {
  if (scripts.japanese.test(text)) return fonts.japanese;
  if (scripts.korean.test(text)) return fonts.korean;
  return ideographs.test(text) ? fonts.chinese : undefined;
}

export function cjkWidth(text: string, size: number): number {
  return [...text].length * size;
}

/** Writes one run with its baseline at `y`, measured from the top of the page. */
export function createCjkWriter(doc: PDFKit.PDFDocument) {
  const written = new Map<CjkFont['collection'], PDFKit.PDFKitReference>();

  function reference({ collection }: CjkFont): PDFKit.PDFKitReference {
    const known = written.get(collection);
    if (known !== undefined) return known;
    const { font, ordering, supplement, encoding } = collections[collection];
    const descriptor = doc.ref({
      Type: 'FontDescriptor',
      FontName: font,
      Flags: 4,
      FontBBox: [0, -120, 1000, 880],
      ItalicAngle: 0,
      Ascent: 880,
      Descent: -120,
      CapHeight: 880,
      StemV: 80,
    });
    const descendant = doc.ref({
      Type: 'Font',
      Subtype: 'CIDFontType0',
      BaseFont: font,
      CIDSystemInfo: { Registry: Buffer.from('Adobe'), Ordering: Buffer.from(ordering), Supplement: supplement },
      FontDescriptor: descriptor,
      DW: 1000,
    });
    const whole = doc.ref({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: `${font}-${encoding}`,
      Encoding: encoding,
      DescendantFonts: [descendant],
    });
    for (const each of [descriptor, descendant, whole]) each.end(undefined);
    written.set(collection, whole);
    return whole;
  }

  return (text: string, font: CjkFont, { x, y, size }: { x: number; y: number; size: number }) => {
    const name = `Cjk${font.collection}`;
    doc.page.fonts[name] = reference(font);
    doc.save();
    doc.transform(1, 0, 0, -1, 0, doc.page.height);
    doc.addContent(
      `BT /${name} ${size} Tf 1 0 0 1 ${x.toFixed(2)} ${(doc.page.height - y).toFixed(2)} Tm <${utf16(text)}> Tj ET`,
    );
    doc.restore();
  };
}

function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex');
}
