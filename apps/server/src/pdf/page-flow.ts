/** Puts things below each other and begins a new page where the next one does not fit. */
import { cellBar } from './charts.ts';
import type { Pen } from './pen.ts';
import { contentWidth, ink, sheet, type TextStyle, type } from './report-style.ts';

export type Column<Row> = {
  head: string;
  /** Parts of the width of the table. */
  share: number;
  align?: 'left' | 'right';
  /** Lines a cell may have; one unless said. */
  lines?: number;
  /** What has more lines than that goes on in further rows, instead of being cut. */
  goesOn?: boolean;
  cell: (row: Row) => string;
  style?: (row: Row) => TextStyle;
  /** A bar instead of the text: how much of the most, and its colour. */
  bar?: (row: Row) => { part: number; colour: string };
  /** A mark before the text. */
  mark?: (row: Row) => { colour: string; filled: boolean };
};

export type Tile = {
  label: string;
  value: string;
  note?: string;
  tone?: 'good' | 'bad' | undefined;
  up?: boolean | undefined;
};

const GAP = 10;
const MARK = 11;

export type PageFlow = ReturnType<typeof createPageFlow>;

export function createPageFlow(doc: PDFKit.PDFDocument, pen: Pen, look: { accent: string }) {
  const { text } = pen;
  const left = sheet.margin;
  const bottom = sheet.height - sheet.bottom;
  let y: number = bottom;

  function newPage(): void {
    doc.addPage();
    y = sheet.top;
  }

  function need(height: number): void {
    if (y + height > bottom) newPage();
  }

  function gap(height: number): void {
    y = Math.min(y + height, bottom);
  }

  function paragraph(words: string, style: TextStyle = type.body, width = contentWidth): void {
    const lines = text.lines(words, style, width);
    for (const line of lines) {
      const height = text.heightOf(1, style);
      need(height);
      text.line(line, style, { x: left, y, width });
      y += height;
    }
  }

  function tableHead<Row>(columns: readonly Column<Row>[], places: readonly { x: number; width: number }[]): void {
    columns.forEach(({ head, align = 'left' }, index) => {
      const place = places[index];
      if (place !== undefined) text.line(head, type.label, { ...place, y, align });
    });
    y += 14;
    pen.rule({ x: left, y, width: contentWidth }, ink.muted);
    y += 5;
  }

  /** One, and those in which its cells go on. */
  function laidRows<Row>(columns: readonly Column<Row>[], places: readonly { x: number; width: number }[], row: Row) {
    const whole = columns.map((column, index) => {
      const place = places[index] ?? { x: left, width: 0 };
      const inset = column.mark === undefined ? 0 : MARK;
      const style = column.style?.(row) ?? (column.align === 'right' ? type.number : type.cell);
      const within = { x: place.x + inset, width: place.width - inset };
      const max = column.lines ?? 1;
      const lines = text.lines(column.cell(row), style, within.width, column.goesOn === true ? undefined : max);
      return { column, style, place, within, lines, max };
    });
    const count = Math.max(1, ...whole.map(({ lines, max }) => Math.ceil(lines.length / max)));
    return Array.from({ length: count }, (_, part) => {
      const cells = whole.map((cell) => ({ ...cell, lines: cell.lines.slice(part * cell.max, (part + 1) * cell.max) }));
      const height = Math.max(...cells.map(({ lines, style }) => text.heightOf(Math.max(1, lines.length), style)));
      return { row, cells, height };
    });
  }

  function drawRow<Row>({ row, cells, height }: ReturnType<typeof laidRows<Row>>[number]): void {
    for (const { column, style, place, within, lines } of cells) {
      const mark = column.mark?.(row);
      if (mark !== undefined) pen.dot({ x: place.x + 4, y: y + 5.5 }, mark.colour, mark.filled);
      const bar = column.bar?.(row);
      if (bar !== undefined) cellBar(pen, { x: place.x, y: y + 3.5, width: place.width }, bar.part, bar.colour);
      lines.forEach((line, index) => {
        text.line(line, style, { ...within, y: y + text.heightOf(index, style), align: column.align ?? 'left' });
      });
    }
    y += height + 4;
    pen.rule({ x: left, y, width: contentWidth });
    y += 4;
  }

  return {
    left,
    width: contentWidth,
    newPage,
    need,
    gap,
    paragraph,
    /** Where something of that height goes; the place is taken. */
    take(height: number): number {
      need(height);
      const at = y;
      y += height;
      return at;
    },
    /** A part of the report, with enough room below for what begins it. */
    section(title: string, room = 160): void {
      if (y > sheet.top) gap(26);
      need(room);
      doc.outline.addItem(title);
      pen.box({ x: left, y, width: 26, height: 3 }, look.accent);
      text.line(title, type.title, { x: left, y: y + 9, width: contentWidth });
      y += 42;
    },
    heading(words: string, room = 80): void {
      need(room);
      text.line(words, type.heading, { x: left, y, width: contentWidth });
      y += 19;
    },
    table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
      const places = placesOf(columns, left);
      need(14 + 5 + 30);
      tableHead(columns, places);
      for (const laid of rows.flatMap((row) => laidRows(columns, places, row))) {
        // The head again where the table goes on.
        if (y + laid.height + 7 > bottom) {
          newPage();
          tableHead(columns, places);
        }
        drawRow(laid);
      }
    },
    tiles(tiles: readonly Tile[], perRow = 4): void {
      const width = (contentWidth - GAP * (perRow - 1)) / perRow;
      const height = 84;
      for (let from = 0; from < tiles.length; from += perRow) {
        need(height);
        tiles.slice(from, from + perRow).forEach((tile, index) => {
          drawTile(pen, tile, { x: left + (width + GAP) * index, y, width, height });
        });
        y += height + GAP;
      }
    },
  };
}

function placesOf<Row>(columns: readonly Column<Row>[], left: number): { x: number; width: number }[] {
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  const free = contentWidth - GAP * (columns.length - 1);
  let x = left;
  return columns.map(({ share }) => {
    const width = (free * share) / shares;
    const place = { x, width };
    x += width + GAP;
    return place;
  });
}

function drawTile(
  pen: Pen,
  tile: Tile,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
) {
  const { text } = pen;
  pen.panel({ x, y, width, height }, ink.panel);
  const inner = { x: x + 10, width: width - 20 };
  text.paragraph(tile.label, type.label, { ...inner, y: y + 9, max: 2 });
  text.line(tile.value, fittedFigure(pen, tile.value, inner.width), { ...inner, y: y + 36 });
  if (tile.note === undefined) return;
  const colour = tile.tone === undefined ? ink.muted : ink[tile.tone];
  const shift = tile.up === undefined ? 0 : 9;
  if (tile.up !== undefined) pen.arrow({ x: inner.x, y: y + height - 11, up: tile.up }, colour);
  const place = { x: inner.x + shift, y: y + height - 18, width: inner.width - shift };
  text.line(tile.note, { ...type.small, size: 7.5, colour }, place);
}

function fittedFigure(pen: Pen, value: string, width: number): TextStyle {
  const sizes = [type.figure.size, 18, 15, 12];
  const size = sizes.find((each) => pen.text.widthOf(value, { ...type.figure, size: each }) <= width) ?? 12;
  return { ...type.figure, size };
}
