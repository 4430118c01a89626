import { setImmediate } from 'node:timers/promises';
import { csvHead, csvLine } from '@airdeck/domain/csv-text';
import type { FastifyReply } from 'fastify';

export type CsvRow = readonly (string | number | null)[];

/** A table small enough to be held in memory as text. A cell without a value is empty. */
export type CsvTable = {
  readonly columns: readonly string[];
  readonly rows: Iterable<CsvRow>;
};

/** Some milliseconds of work: after so many it is others' turn. */
const ROWS_PER_TURN = 1000;

/** Sends a table to be saved under that name, which is plain letters, digits and hyphens. */
export async function sendCsv(reply: FastifyReply, name: string, table: CsvTable): Promise<void> {
  const body = await csvOf(table);
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

async function csvOf({ columns, rows }: CsvTable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let text = csvHead(columns);
  let lines = 0;
  for (const row of rows) {
    text += csvLine(row.map((cell) => String(cell ?? '')));
    lines += 1;
    if (lines % ROWS_PER_TURN > 0) continue;
    pieces.push(Buffer.from(text));
    text = '';
    await setImmediate();
  }
  return Buffer.concat([...pieces, Buffer.from(text)]);
}
