import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { type ChosenFile, chosenByDialog } from './chosen-files.ts';
import { type FilesRead, readFiles, readLimits } from './read-files.ts';

const rule = (title: string) => `title: ${title}\nlogsource:\n  product: linux\n`;
/** Bytes of an archive as a file somebody chose. */
const archive = (name: string, bytes: Uint8Array) => new File([bytes as Uint8Array<ArrayBuffer>], name);
const read = (chosen: readonly ChosenFile[], onProgress: (done: number, count: number) => void = () => undefined) =>
  readFiles(chosen, { signal: new AbortController().signal, onProgress });
const readChosen = (...files: File[]): Promise<FilesRead> => read(chosenByDialog(files));
const inFolder = (name: string, text: string): ChosenFile => ({
  ...{ name, inFolder: true },
  open: async () => new File([text], name.slice(name.lastIndexOf('/') + 1)),
});

test('YAML files and archives become texts, and what is neither is named', async () => {
  const zip = zipSync({
    'rules/a.yml': strToU8(rule('ä')),
    'rules/readme.md': strToU8('no rule'),
    '__MACOSX/._a.yml': strToU8('no rule'),
  });
  const { files, leftOut } = await readChosen(
    ...[new File([rule('b')], 'b.yaml'), archive('all.zip', zip), new File(['x'], 'x.exe')],
  );
  expect(files).toEqual([
    { name: 'b.yaml', text: rule('b') },
    { name: 'rules/a.yml', text: rule('ä') },
  ]);
  expect(leftOut).toEqual([{ name: 'x.exe', reason: 'Neither YAML nor a zip archive' }]);
});

test('of a folder the rules are read in the order of their names, and everything else is counted, not refused', async () => {
  const told: [number, number][] = [];
  const folder = [
    inFolder('sigma/rules/z.yml', rule('z')),
    inFolder('sigma/LICENSE', 'no rule'),
    inFolder('sigma/.github/workflows/test.yml', 'on: push'),
    inFolder('sigma/old.zip', 'no rule'),
    inFolder('sigma/rules/a.yml', rule('a')),
  ];
  const { files, leftOut, others } = await read(folder, (done, count) => told.push([done, count]));
  expect(files.map(({ name }) => name)).toEqual(['sigma/rules/a.yml', 'sigma/rules/z.yml']);
  expect(leftOut).toEqual([]);
  expect(others).toBe(3);
  expect(told).toEqual([
    [0, 2],
    [1, 2],
  ]);
});

test('what is empty, too large, no text or gone is refused by name, and nothing else is lost', async () => {
  let opened = 0;
  const large = new File([new Uint8Array(readLimits.fileBytes + 1)], 'large.yml');
  Object.defineProperty(large, 'arrayBuffer', {
    value: async () => {
      opened += 1;
      return new ArrayBuffer(0);
    },
  });
  const gone: ChosenFile = {
    ...{ name: 'gone.yml', inFolder: false },
    open: () => Promise.reject(new DOMException('Gone', 'NotFoundError')),
  };
  const chosen = chosenByDialog([
    new File([], 'empty.yml'),
    large,
    archive('program.yml', new Uint8Array([0x4d, 0x5a, 0x90, 0x00, 0xff])),
    new File(['title: a\0b'], 'zeros.yml'),
    new File([rule('ok')], 'ok.yml'),
  ]);
  const { files, leftOut } = await read([gone, ...chosen]);
  expect(files.map(({ name }) => name)).toEqual(['ok.yml']);
  expect(leftOut).toEqual([
    { name: 'gone.yml', reason: 'Cannot be read' },
    { name: 'empty.yml', reason: 'Empty' },
    { name: 'large.yml', reason: 'Larger than 16 MB' },
    { name: 'program.yml', reason: 'No text in UTF-8' },
    { name: 'zeros.yml', reason: 'No text in UTF-8' },
  ]);
  // What is refused for its size is not even read.
  expect(opened).toBe(0);
});

test('what one import has no room for is left out by name', async () => {
  const text = 'x'.repeat(readLimits.fileBytes);
  const chosen = ['a.yml', 'b.yml', 'c.yml', 'd.yml'].map((name) => ({ name, inFolder: false }));
  const file = new File([text], 'any.yml');
  const { files, leftOut } = await read(chosen.map((one) => ({ ...one, open: async () => file })));
  expect(files).toHaveLength(3);
  expect(leftOut).toEqual([{ name: 'd.yml', reason: 'Beyond the 10,000 files or 60 MB of one import' }]);
});

test('an archive that is none, has no rules, or a file that is no text is said', async () => {
  const { files, leftOut } = await readChosen(
    new File(['PK no archive'], 'broken.zip'),
    archive('empty.zip', zipSync({ 'a.txt': strToU8('') })),
    archive('mixed.zip', zipSync({ 'a.yml': strToU8(rule('a')), 'b.yml': new Uint8Array([0xff, 0xfe, 0x00]) })),
  );
  expect(files.map(({ name }) => name)).toEqual(['a.yml']);
  expect(leftOut).toEqual([
    { name: 'broken.zip', reason: 'This archive cannot be unpacked' },
    { name: 'empty.zip', reason: 'No YAML file in it' },
    { name: 'b.yml', reason: 'No text in UTF-8' },
  ]);
});

test('an archive of more files than are unpacked at once comes whole and in order', async () => {
  const entries = Array.from({ length: 1_100 }, (_, at) => [`r${String(at).padStart(4, '0')}.yml`, rule(`${at}`)]);
  const zip = zipSync(Object.fromEntries(entries.map(([name = '', text = '']) => [name, strToU8(text)])));
  const { files, leftOut } = await readChosen(archive('many.zip', zip));
  expect(files.map(({ name, text }) => [name, text])).toEqual(entries);
  expect(leftOut).toEqual([]);
});

test('an archive whose files become far larger than rules are, is not unpacked', async () => {
  const bomb = zipSync({ 'a.yml': new Uint8Array(readLimits.fileBytes + 1), 'b.yml': strToU8(rule('b')) });
  const { files, leftOut } = await readChosen(archive('bomb.zip', bomb));
  expect(files.map(({ name }) => name)).toEqual(['b.yml']);
  expect(leftOut).toEqual([
    { name: 'bomb.zip', reason: '1 of its files is too large, by itself or together with others' },
  ]);
});

test('an archive that lies about the size of its files cannot be unpacked', async () => {
  const bytes = zipSync({ 'a.yml': strToU8('a'.repeat(900_000)) });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The size stands in the directory at the end of the archive, and in the head of the file.
  const directory = bytes.findLastIndex(
    (_, index) => index < bytes.length - 4 && view.getUint32(index, true) === 0x02_01_4b_50,
  );
  view.setUint32(directory + 24, 10, true);
  view.setUint32(22, 10, true);
  const { files } = await readChosen(archive('lie.zip', bytes));
  expect(files.every(({ text }) => text.length <= 10)).toBe(true);
});

test('what stands unpacked in an archive counts as long as it is, whatever it claims', async () => {
  const large = new Uint8Array(readLimits.fileBytes + 1).fill(0x61);
  const bytes = zipSync({ 'a.yml': [large, { level: 0 }], 'b.yml': strToU8(rule('b')) });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = view.getUint32(bytes.length - 22 + 16, true);
  expect(view.getUint32(directory + 24, true)).toBe(large.length);
  view.setUint32(directory + 24, 10, true);
  const { files, leftOut } = await readChosen(archive('stored.zip', bytes));
  expect(files.map(({ name }) => name)).toEqual(['b.yml']);
  expect(leftOut).toHaveLength(1);
});

test('a folder somebody chose may have a hidden name, what is hidden in it is no rule', async () => {
  const { files, others } = await read([inFolder('.sigma/a.yml', rule('a')), inFolder('.sigma/.git/b.yml', rule('b'))]);
  expect(files.map(({ name }) => name)).toEqual(['.sigma/a.yml']);
  expect(others).toBe(1);
});

test('reading that is given up ends', async () => {
  const leaving = new AbortController();
  const opened: string[] = [];
  const chosen = ['a.yml', 'b.yml'].map((name) => ({
    ...{ name, inFolder: false },
    open: async () => {
      opened.push(name);
      leaving.abort();
      return new File([rule(name)], name);
    },
  }));
  await expect(readFiles(chosen, { signal: leaving.signal, onProgress: () => undefined })).rejects.toThrow();
  expect(opened).toEqual(['a.yml']);
});
