import type { FastifyReply } from 'fastify';
import { csvHead, csvLine } from '../../csv-text.ts';

/** A table small enough to be one piece of text. A cell without a value is empty. */
export type CsvTable = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
};

/** Sends a table to be saved under that name, which is plain letters, digits and hyphens. */
export function sendCsv(reply: FastifyReply, name: string, table: CsvTable): void {
  const lines = table.rows.map((row) => csvLine(row.map((cell) => String(cell ?? ''))));
  const body = Buffer.from(csvHead(table.columns) + lines.join(''));
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-length': body.length,
    'content-disposition': `attachment; filename="${name}.csv"`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  });
  reply.raw.end(body);
}
