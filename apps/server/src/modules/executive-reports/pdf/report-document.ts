/** Lays an executive report out: facts in, the bytes of a PDF out. Runs in a thread of its own, and in tests. */
import { createPageFlow } from '../../../pdf/page-flow.ts';
import { createPdfPages, type PdfFile } from '../../../pdf/pdf-pages.ts';
import { DEFAULT_ACCENT } from '../../../pdf/report-style.ts';
import type { ExecutiveFacts } from '../executive-facts.ts';
import { drawCases, drawNotableCases } from './case-sections.ts';
import { capital, drawCover } from './cover-page.ts';
import { createFormats } from './report-formats.ts';
import { drawRecommendations, drawSummary } from './summary-section.ts';
import { drawAutomation, drawCoverage, drawVolume } from './work-sections.ts';

export type ReportOrder = {
  facts: ExecutiveFacts;
  /** False leaves the pages readable as text, for tests. */
  compress: boolean;
};

export async function layOutReport({ facts, compress }: ReportOrder): Promise<PdfFile> {
  const formats = createFormats(facts);
  const { words } = formats;
  const month = capital(formats.monthYear);
  const { doc, pen, finish } = createPdfPages({
    title: `${words.title} – ${facts.tenant.name} – ${month}`,
    author: facts.product,
    ...{ locale: facts.locale, madeAt: facts.made_at, compress },
  });
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
  // Not on the cover.
  return await finish({ left: `${facts.tenant.name} · ${month}`, page: words.page, from: 1 });
}
