/** Turns pages of events into the bytes of a file, one page in memory at a time. */
import { setImmediate } from 'node:timers/promises';
import { reportLimits } from '@airdeck/contracts/reports/report-limits';
import type { ReportCut, ReportFormat } from '@airdeck/contracts/reports/schema';
import { csvHead, csvLine } from '@airdeck/domain/csv-text';
import { csvColumns, type ExportRow, jsonLine, parquetColumns } from './export-row.ts';
import { createParquetWriter } from './parquet-writer.ts';

/** Written without a pause; after it everybody else in the process has their turn. */
const ROWS_AT_ONCE = 250;

/** What a file holds so far; `cutBy` is set when it ends before the events do. */
export type FileState = { rows: number; bytes: number; cutBy: ReportCut | null };

type FormatWriter = {
  head(): Buffer[];
  page(rows: readonly ExportRow[]): Promise<Buffer[]>;
  tail(): Promise<Buffer[]>;
};

type Options = {
  format: ReportFormat;
  pages: AsyncIterable<readonly ExportRow[]>;
  /** Kept up to date; read it when the file has ended. */
  state: FileState;
  /** After each page; throwing ends the file. */
  progress: () => Promise<void>;
  limits?: { rowsMax: number; bytesMax: number };
};

export async function* reportFile(options: Options): AsyncGenerator<Uint8Array> {
  const { format, pages, state, progress, limits = reportLimits } = options;
  const writer = writers[format]();
  const counted = (chunk: Buffer): Buffer => {
    state.bytes += chunk.length;
    return chunk;
  };
  for (const chunk of writer.head()) yield counted(chunk);
  for await (const page of pages) {
    state.cutBy = fullBy(state, limits);
    if (state.cutBy !== null) break;
    const rows = page.slice(0, limits.rowsMax - state.rows);
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      for (const chunk of await writer.page(rows.slice(from, from + ROWS_AT_ONCE))) yield counted(chunk);
      await setImmediate();
    }
    state.rows += rows.length;
    if (rows.length < page.length) {
      state.cutBy = 'rows';
      break;
    }
    await progress();
  }
  for (const chunk of await writer.tail()) yield counted(chunk);
}

/** Asked only when there is more to write. */
function fullBy(state: FileState, limits: { rowsMax: number; bytesMax: number }): FileState['cutBy'] {
  if (state.rows >= limits.rowsMax) return 'rows';
  return state.bytes >= limits.bytesMax ? 'bytes' : null;
}

const writers: Readonly<Record<ReportFormat, () => FormatWriter>> = {
  csv: () => ({
    head: () => [Buffer.from(csvHead(csvColumns.map(({ name }) => name)))],
    page: async (rows) => [Buffer.from(rows.map((row) => csvLine(csvColumns.map(({ of }) => of(row)))).join(''))],
    tail: async () => [],
  }),
  ndjson: () => ({
    head: () => [],
    page: async (rows) => [Buffer.from(rows.map(jsonLine).join(''))],
    tail: async () => [],
  }),
  parquet: () => {
    const parquet = createParquetWriter(parquetColumns);
    return { head: () => [parquet.head()], page: (rows) => parquet.add(rows), tail: () => parquet.tail() };
  },
};
