import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { readFiles, readLimits } from './read-files.ts';

const rule = (title: string) => `title: ${title}\nlogsource:\n  product: linux\n`;
/** Bytes of an archive as a file somebody chose. */
const archive = (name: string, bytes: Uint8Array) => new File([bytes as Uint8Array<ArrayBuffer>], name);

test('YAML files and archives become texts, and what is neither is named', async () => {
  const zip = zipSync({
    'rules/a.yml': strToU8(rule('ä')),
    'rules/readme.md': strToU8('no rule'),
    '__MACOSX/._a.yml': strToU8('no rule'),
  });
  const read = await readFiles([new File([rule('b')], 'b.yaml'), archive('all.zip', zip), new File(['x'], 'x.exe')]);
  expect(read.files).toEqual([
    { name: 'b.yaml', text: rule('b') },
    { name: 'rules/a.yml', text: rule('ä') },
  ]);
  expect(read.leftOut).toEqual(['x.exe: neither YAML nor a zip archive']);
});

test('what is no archive, is empty, or has a file that is too long is said, and nothing else is lost', async () => {
  const long = zipSync({ 'long.yml': strToU8('#'.repeat(readLimits.fileChars + 1)), 'a.yml': strToU8(rule('a')) });
  const read = await readFiles([
    new File(['PK no archive'], 'broken.zip'),
    archive('empty.zip', zipSync({ 'a.txt': strToU8('') })),
    archive('long.zip', long),
  ]);
  expect(read.files.map(({ name }) => name)).toEqual(['a.yml']);
  expect(read.leftOut).toEqual([
    'broken.zip: this archive cannot be unpacked',
    'empty.zip: no YAML file in it',
    expect.stringContaining('long.yml: longer than'),
  ]);
});

test('an archive whose files become far larger than a rule is, is not unpacked', async () => {
  const bomb = zipSync({ 'a.yml': new Uint8Array(readLimits.fileChars * 4 + 1), 'b.yml': strToU8(rule('b')) });
  const read = await readFiles([archive('bomb.zip', bomb)]);
  expect(read.files.map(({ name }) => name)).toEqual(['b.yml']);
  expect(read.leftOut).toEqual(['bomb.zip: 1 of its files too large, by themselves or together']);
});

test('an archive that lies about the size of its files cannot be unpacked', async () => {
  const bytes = zipSync({ 'a.yml': new Uint8Array(900_000) });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The size stands in the directory at the end of the archive, and in the head of the file.
  const directory = bytes.findLastIndex(
    (_, index) => index < bytes.length - 4 && view.getUint32(index, true) === 0x02_01_4b_50,
  );
  view.setUint32(directory + 24, 10, true);
  view.setUint32(22, 10, true);
  const read = await readFiles([archive('lie.zip', bytes)]);
  expect(read.files.every(({ text }) => text.length <= 10)).toBe(true);
});
