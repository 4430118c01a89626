import { ink } from './report-style.ts';
import type { Typesetter } from './typesetter.ts';

export type Pen = ReturnType<typeof createPen>;

export function createPen(doc: PDFKit.PDFDocument, text: Typesetter) {
  return {
    text,
    box({ x, y, width, height }: { x: number; y: number; width: number; height: number }, colour: string): void {
      doc.rect(x, y, width, height).fill(colour);
    },
    /** A panel other things stand on. */
    panel({ x, y, width, height }: { x: number; y: number; width: number; height: number }, colour: string): void {
      doc.roundedRect(x, y, width, height, 4).fill(colour);
    },
    rule({ x, y, width }: { x: number; y: number; width: number }, colour: string = ink.line): void {
      doc
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(0.6)
        .stroke(colour);
    },
    /** A triangle of 5 points that stands on `y`. */
    arrow({ x, y, up }: { x: number; y: number; up: boolean }, colour: string): void {
      const [foot, tip] = up ? [y, y - 5] : [y - 5, y];
      doc.polygon([x, foot], [x + 5.5, foot], [x + 2.75, tip]).fill(colour);
    },
    dot({ x, y, radius = 2.6 }: { x: number; y: number; radius?: number }, colour: string, filled = true): void {
      const circle = doc.circle(x, y, radius);
      if (filled) circle.fill(colour);
      else circle.lineWidth(0.9).stroke(colour);
    },
    /** A picture within a box, at its left; false where the bytes are none the library can read. */
    picture(bytes: Buffer, box: { x: number; y: number; width: number; height: number }): boolean {
      try {
        doc.image(bytes, box.x, box.y, { fit: [box.width, box.height] });
        return true;
      } catch {
        // A logo that begins like a PNG and is none must not cost the report; the name stands there instead.
        return false;
      }
    },
  };
}
