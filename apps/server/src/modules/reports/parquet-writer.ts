/**
 * Writes Parquet as it goes: rows are collected column by column into row groups, each of which leaves as soon as it is
 * full; at the end only the table of contents is left to write. The embedded event store could write the format itself, but
 * holds an answer in memory as a whole, and one file cannot be put together from several of its answers.
 *
 * Plain encoding, one page for each column of a row group, packed with gzip; every column is required. Any reader of the
 * format takes that.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ThriftStruct, thriftList, thriftStruct } from './thrift-compact.ts';

const packed = promisify(gzip);

export type ParquetColumn<Row> =
  | { readonly name: string; readonly type: 'text'; readonly of: (row: Row) => string }
  /** Milliseconds since the epoch. */
  | { readonly name: string; readonly type: 'time'; readonly of: (row: Row) => number };

const GROUP_ROWS = 10_000;
const GROUP_BYTES = 8_000_000;

/** Numbers of the format's own tables. */
const MAGIC = Buffer.from('PAR1');
const physical = { text: 6, time: 2 } as const;
const converted = { text: 0, time: 9 } as const;
const [REQUIRED, PLAIN, RLE, DATA_PAGE, GZIP] = [0, 0, 3, 0, 2] as const;

const LENGTH_BYTES = 4;
const TIME_BYTES = 8;

/** Of one column: texts or times. */
type Values = (string | number)[];
type Chunk = { rows: number; offset: number; plainBytes: number; packedBytes: number };
type Group = { rows: number; chunks: Chunk[] };

export type ParquetWriter<Row> = {
  head(): Buffer;
  /** What is ready to be written; often nothing, until a row group is full. */
  add(rows: readonly Row[]): Promise<Buffer[]>;
  tail(): Promise<Buffer[]>;
};

export function createParquetWriter<Row>(columns: readonly ParquetColumn<Row>[]): ParquetWriter<Row> {
  const groups: Group[] = [];
  let pending = columns.map((): Values => []);
  let [rows, bytes, written] = [0, 0, MAGIC.length];

  async function flush(): Promise<Buffer[]> {
    if (rows === 0) return [];
    const [values, count] = [pending, rows];
    pending = columns.map(() => []);
    [rows, bytes] = [0, 0];
    const parts: Buffer[] = [];
    const chunks: Chunk[] = [];
    for (const column of values) {
      const page = await pageOf(column, count);
      chunks.push({ rows: count, offset: written, plainBytes: page.plainBytes, packedBytes: page.bytes.length });
      parts.push(page.bytes);
      written += page.bytes.length;
    }
    groups.push({ rows: count, chunks });
    return parts;
  }

  return {
    head: () => MAGIC,
    async add(added) {
      const ready: Buffer[] = [];
      for (const row of added) {
        for (const [at, column] of columns.entries()) {
          const value = column.of(row);
          pending[at]?.push(value);
          bytes += typeof value === 'string' ? value.length : TIME_BYTES;
        }
        rows++;
        if (rows >= GROUP_ROWS || bytes >= GROUP_BYTES) ready.push(...(await flush()));
      }
      return ready;
    },
    async tail() {
      const last = await flush();
      const contents = thriftStruct(contentsOf(columns, groups));
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32LE(contents.length);
      return [...last, contents, length, MAGIC];
    },
  };
}

/** A time as eight bytes, a text as its length in four and then its bytes. */
function plain(values: Values): Buffer {
  const sizes = values.map((value) =>
    typeof value === 'string' ? LENGTH_BYTES + Buffer.byteLength(value) : TIME_BYTES,
  );
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size, 0));
  let at = 0;
  for (const [index, value] of values.entries()) {
    const size = sizes[index] ?? 0;
    if (typeof value === 'string') bytes.write(value, bytes.writeUInt32LE(size - LENGTH_BYTES, at));
    else bytes.writeBigInt64LE(BigInt(value), at);
    at += size;
  }
  return bytes;
}

async function pageOf(values: Values, count: number): Promise<{ bytes: Buffer; plainBytes: number }> {
  const body = plain(values);
  const content = await packed(body, { level: 1 });
  const head = thriftStruct({
    1: { i32: DATA_PAGE },
    2: { i32: body.length },
    3: { i32: content.length },
    5: { struct: { 1: { i32: count }, 2: { i32: PLAIN }, 3: { i32: RLE }, 4: { i32: RLE } } },
  });
  return { bytes: Buffer.concat([head, content]), plainBytes: head.length + body.length };
}

type AnyColumn = { readonly name: string; readonly type: 'text' | 'time' };

function contentsOf(columns: readonly AnyColumn[], groups: readonly Group[]): ThriftStruct {
  const root = { 4: { text: 'events' }, 5: { i32: columns.length } };
  const elements = columns.map(({ name, type }) => ({
    1: { i32: physical[type] },
    3: { i32: REQUIRED },
    4: { text: name },
    6: { i32: converted[type] },
  }));
  return {
    1: { i32: 1 },
    2: thriftList([root, ...elements].map((struct) => ({ struct }))),
    3: { i64: groups.reduce((sum, group) => sum + group.rows, 0) },
    4: thriftList(groups.map((group) => ({ struct: groupOf(columns, group) }))),
    6: { text: 'AIRdeck' },
  };
}

function groupOf(columns: readonly AnyColumn[], { rows, chunks }: Group): ThriftStruct {
  const described = chunks.map((chunk, at) => ({ struct: chunkOf(columns[at], chunk) }));
  return {
    1: thriftList(described),
    2: { i64: chunks.reduce((sum, chunk) => sum + chunk.plainBytes, 0) },
    3: { i64: rows },
  };
}

function chunkOf(column: AnyColumn | undefined, chunk: Chunk): ThriftStruct {
  const { name, type } = column ?? ({ name: '', type: 'text' } as const);
  const meta = {
    1: { i32: physical[type] },
    2: thriftList([{ i32: PLAIN }]),
    3: thriftList([{ text: name }]),
    4: { i32: GZIP },
    5: { i64: chunk.rows },
    6: { i64: chunk.plainBytes },
    7: { i64: chunk.packedBytes },
    9: { i64: chunk.offset },
  };
  return { 2: { i64: chunk.offset }, 3: { struct: meta } };
}
