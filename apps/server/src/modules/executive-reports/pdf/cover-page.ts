import type { Pen } from '../../../pdf/pen.ts';
import { contentWidth, ink, sheet, type TextStyle, type } from '../../../pdf/report-style.ts';
import type { ExecutiveFacts } from '../executive-facts.ts';
import { logoPicture } from './logo-picture.ts';
import type { Formats } from './report-formats.ts';

const LOGO = { width: 170, height: 46 };
const NAME_LINES = 3;
const nameStyle: TextStyle = { size: 32, weight: 600 };
const monthStyle: TextStyle = { size: 18, colour: ink.muted };

export function drawCover(
  doc: PDFKit.PDFDocument,
  pen: Pen,
  look: { facts: ExecutiveFacts; accent: string; formats: Formats },
) {
  const { facts, accent, formats } = look;
  const { words } = formats;
  const left = sheet.margin;
  doc.addPage();
  pen.box({ x: 0, y: 0, width: sheet.width, height: 8 }, accent);
  const logo = logoPicture(facts.tenant.logo);
  if (logo === undefined || !pen.picture(logo, { x: left, y: 72, ...LOGO })) {
    monogram(pen, facts.tenant.name, accent, { x: left, y: 72 });
  }

  let y = 292;
  pen.text.line(
    facts.partial ? `${words.kicker} · ${words.partial}` : words.kicker,
    { ...type.label, size: 10 },
    {
      ...{ x: left, y, width: contentWidth },
    },
  );
  pen.box({ x: left, y: y + 22, width: 46, height: 4 }, accent);
  y += 44;
  y += pen.text.paragraph(facts.tenant.name, nameStyle, { x: left, y, width: contentWidth, max: NAME_LINES });
  pen.text.line(capital(formats.monthYear), monthStyle, { x: left, y: y + 8, width: contentWidth });

  const lines: [string, string][] = [
    [words.period, `${formats.date(facts.start)} – ${formats.date(Date.parse(facts.end) - 1)} (${facts.time_zone})`],
    [words.made, formats.date(facts.made_at)],
    [words.by, facts.product],
  ];
  y = sheet.height - sheet.bottom - 16 * lines.length - 26;
  pen.rule({ x: left, y, width: contentWidth });
  y += 14;
  for (const [label, value] of lines) {
    pen.text.line(label, type.label, { x: left, y, width: 80 });
    pen.text.line(value, { size: 8.5 }, { x: left + 84, y, width: contentWidth - 84 });
    y += 16;
  }
  pen.text.line(words.confidential, type.label, { x: left, y: y + 12, width: contentWidth });
}

/** Where a tenant has no logo: its first letter, as on its screens. */
function monogram(pen: Pen, name: string, accent: string, { x, y }: { x: number; y: number }): void {
  pen.panel({ x, y, width: 44, height: 44 }, accent);
  const letter = [...name.trim()][0]?.toUpperCase() ?? '';
  const style: TextStyle = { size: 22, weight: 600, colour: readableOn(accent) };
  pen.text.line(letter, style, { x, y: y + 8, width: 44, align: 'center' });
}

/** Text on the tenant's colour: white, or dark where that could not be read. */
function readableOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.6 ? ink.text : ink.white;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
