/** Begins a PDF of A4 pages and ends it. */
import PDFDocument from 'pdfkit';
import { createPen, type Pen } from './pen.ts';
import { contentWidth, ink, sheet, type } from './report-style.ts';
import { createTypesetter } from './typesetter.ts';

export type PdfFile = { bytes: Uint8Array; pages: number };

export type PdfAbout = {
  title: string;
  /** Name of the product. */
  author: string;
  locale: string;
  madeAt: string;
  /** False leaves the pages readable as text, for tests. */
  compress: boolean;
};

/** What stands at the foot of every page from the given one on. */
export type Footer = { left: string; page: (page: number, pages: number) => string; from: number };

export type PdfPages = {
  doc: PDFKit.PDFDocument;
  pen: Pen;
  /** Writes the foot of the pages, now that it is known how many there are. */
  finish(footer: Footer): Promise<PdfFile>;
};

export function createPdfPages({ title, author, locale, madeAt, compress }: PdfAbout): PdfPages {
  const doc = new PDFDocument({
    size: 'A4',
    // No font of the library's own: everything is written in the fonts that go with the file.
    font: '',
    autoFirstPage: false,
    bufferPages: true,
    compress,
    margins: { top: 0, bottom: 0, left: 0, right: 0 },
    lang: locale,
    displayTitle: true,
    pdfVersion: '1.7',
    info: { Title: title, Author: author, Producer: author, Creator: author, CreationDate: new Date(madeAt) },
  });
  const done = collected(doc);
  const pen = createPen(doc, createTypesetter(doc));
  return {
    doc,
    pen,
    async finish(footer) {
      const pages = drawFooters(doc, pen, footer);
      doc.end();
      return { bytes: await done, pages };
    },
  };
}

function drawFooters(doc: PDFKit.PDFDocument, pen: Pen, { left, page: words, from }: Footer): number {
  const { count } = doc.bufferedPageRange();
  const y = sheet.height - 40;
  for (let page = from; page < count; page++) {
    doc.switchToPage(page);
    pen.rule({ x: sheet.margin, y: y - 8, width: contentWidth });
    pen.text.line(left, { ...type.small, colour: ink.muted }, { x: sheet.margin, y, width: contentWidth - 110 });
    const right = { x: sheet.margin + contentWidth - 100, y, width: 100, align: 'right' } as const;
    pen.text.line(words(page + 1, count), type.small, right);
  }
  return count;
}

function collected(doc: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))));
    doc.on('error', reject);
  });
}
