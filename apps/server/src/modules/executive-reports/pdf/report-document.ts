/** Lays an executive report out: facts in, the bytes of a PDF out. Runs in a thread of its own, and in tests. */
import PDFDocument from 'pdfkit';
import type { ExecutiveFacts } from '../executive-facts.ts';
import { drawCases, drawNotableCases } from './case-sections.ts';
import { capital, drawCover } from './cover-page.ts';
import { createPageFlow } from './page-flow.ts';
import { createPen, type Pen } from './pen.ts';
import { createFormats, type Formats } from './report-formats.ts';
import { contentWidth, DEFAULT_ACCENT, ink, sheet, type } from './report-style.ts';
import { drawRecommendations, drawSummary } from './summary-section.ts';
import { createTypesetter } from './typesetter.ts';
import { drawAutomation, drawCoverage, drawVolume } from './work-sections.ts';

export type ReportOrder = {
  facts: ExecutiveFacts;
  /** False leaves the pages readable as text, for tests. */
  compress: boolean;
};
export type ReportFile = { bytes: Uint8Array; pages: number };

export async function layOutReport({ facts, compress }: ReportOrder): Promise<ReportFile> {
  const formats = createFormats(facts);
  const { words } = formats;
  const title = `${words.title} – ${facts.tenant.name} – ${capital(formats.monthYear)}`;
  const doc = new PDFDocument({
    size: 'A4',
    // No font of the library's own: everything is written in the fonts that go with the file.
    font: '',
    autoFirstPage: false,
    bufferPages: true,
    compress,
    margins: { top: 0, bottom: 0, left: 0, right: 0 },
    lang: facts.locale,
    displayTitle: true,
    pdfVersion: '1.7',
    info: {
      Title: title,
      Author: facts.product,
      Producer: facts.product,
      Creator: facts.product,
      CreationDate: new Date(facts.made_at),
    },
  });
  const done = collected(doc);
  const pen = createPen(doc, createTypesetter(doc));
  const accent = facts.tenant.colour ?? DEFAULT_ACCENT;
  drawCover(doc, pen, { facts, accent, formats });
  const flow = createPageFlow(doc, pen, { accent });
  drawSummary(flow, pen, facts, formats);
  drawCases(flow, pen, facts, formats);
  drawNotableCases(flow, facts, formats);
  drawAutomation(flow, facts, formats);
  drawCoverage(flow, facts, formats);
  drawVolume(flow, pen, facts, formats);
  drawRecommendations(flow, pen, facts, formats);
  const pages = drawFooters(doc, pen, facts, formats);
  doc.end();
  return { bytes: await done, pages };
}

/** On every page but the cover, once it is known how many there are. */
function drawFooters(doc: PDFKit.PDFDocument, pen: Pen, facts: ExecutiveFacts, formats: Formats): number {
  const { count } = doc.bufferedPageRange();
  const y = sheet.height - 40;
  for (let page = 1; page < count; page++) {
    doc.switchToPage(page);
    pen.rule({ x: sheet.margin, y: y - 8, width: contentWidth });
    const left = `${facts.tenant.name} · ${capital(formats.monthYear)}`;
    pen.text.line(left, { ...type.small, colour: ink.muted }, { x: sheet.margin, y, width: contentWidth - 110 });
    const right = { x: sheet.margin + contentWidth - 100, y, width: 100, align: 'right' } as const;
    pen.text.line(formats.words.page(page + 1, count), type.small, right);
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
