/** The part of Thrift's compact protocol that the headers of Parquet are written in. */

type ThriftValue =
  | { readonly i32: number }
  | { readonly i64: number }
  | { readonly text: string }
  | { readonly struct: ThriftStruct }
  | { readonly list: readonly ThriftValue[] };

/** Fields by their number. */
export type ThriftStruct = Readonly<Record<number, ThriftValue>>;

const types = { i32: 5, i64: 6, text: 8, list: 9, struct: 12 } as const;
const SHORT_LIST = 15;

export function thriftList(list: readonly ThriftValue[]): ThriftValue {
  return { list };
}

export function thriftStruct(fields: ThriftStruct): Buffer {
  const bytes: number[] = [];
  writeStruct(bytes, fields);
  return Buffer.from(bytes);
}

function typeOf(value: ThriftValue): number {
  if ('i32' in value) return types.i32;
  if ('i64' in value) return types.i64;
  if ('text' in value) return types.text;
  return 'list' in value ? types.list : types.struct;
}

function write(to: number[], value: ThriftValue): void {
  if ('i32' in value) writeNumber(to, value.i32 * 2);
  else if ('i64' in value) writeNumber(to, value.i64 * 2);
  else if ('text' in value) writeText(to, value.text);
  else if ('list' in value) writeList(to, value.list);
  else writeStruct(to, value.struct);
}

/** Numbers here are never negative: twice the number is its zigzag form. */
function writeNumber(to: number[], number: number): void {
  let rest = number;
  while (rest >= 0x80) {
    to.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  to.push(rest);
}

function writeText(to: number[], text: string): void {
  const bytes = Buffer.from(text);
  writeNumber(to, bytes.length);
  to.push(...bytes);
}

function writeList(to: number[], list: readonly ThriftValue[]): void {
  const [first] = list;
  const type = first === undefined ? types.struct : typeOf(first);
  if (list.length < SHORT_LIST) to.push(list.length * 16 + type);
  else {
    to.push(SHORT_LIST * 16 + type);
    writeNumber(to, list.length);
  }
  for (const value of list) write(to, value);
}

function writeStruct(to: number[], fields: ThriftStruct): void {
  let before = 0;
  // Integer keys come in ascending order, as the protocol wants them.
  for (const [key, value] of Object.entries(fields)) {
    const field = Number(key);
    to.push((field - before) * 16 + typeOf(value));
    write(to, value);
    before = field;
  }
  to.push(0);
}
