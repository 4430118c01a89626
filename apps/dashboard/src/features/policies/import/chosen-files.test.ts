import { expect, test } from 'vitest';
import { chosenByDialog, chosenByDrop } from './chosen-files.ts';

/** Entries of a drop as browsers show them: a folder tells some of what is in it at a time, and in the end nothing. */
const fileEntry = (fullPath: string) => ({
  ...{ isFile: true, isDirectory: false, fullPath },
  file: (done: (file: File) => void) => done(new File([fullPath], 'a.yml')),
});
const folderEntry = (fullPath: string, ...portions: unknown[][]) => ({
  ...{ isFile: false, isDirectory: true, fullPath },
  createReader: () => {
    const left = [...portions];
    return { readEntries: (done: (entries: unknown[]) => void) => done(left.shift() ?? []) };
  },
});
const dropped = (...entries: unknown[]) =>
  chosenByDrop({ items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })), files: [] } as unknown as Pick<
    DataTransfer,
    'items' | 'files'
  >);

test('a dropped folder is its files, however deep and in however many portions the browser tells them', async () => {
  const inner = folderEntry('/sigma/rules', [fileEntry('/sigma/rules/a.yml')], [fileEntry('/sigma/rules/b.yml')]);
  const chosen = await dropped(folderEntry('/sigma', [fileEntry('/sigma/README'), inner]), fileEntry('/one.yml'));
  expect(chosen.map(({ name, inFolder }) => [name, inFolder])).toEqual([
    ['sigma/README', true],
    ['sigma/rules/a.yml', true],
    ['sigma/rules/b.yml', true],
    ['one.yml', false],
  ]);
  expect(await (await chosen[1]?.open())?.text()).toBe('/sigma/rules/a.yml');
});

test('a folder that leads into itself ends', async () => {
  const circle: { isFile: boolean; isDirectory: boolean; fullPath: string; createReader: () => unknown } = {
    ...{ isFile: false, isDirectory: true, fullPath: '/circle' },
    createReader: () => {
      const left = [[circle]];
      return { readEntries: (done: (entries: unknown[]) => void) => done(left.shift() ?? []) };
    },
  };
  expect(await dropped(circle)).toEqual([]);
});

test('where a browser tells no entries, its files are taken', async () => {
  const files = [new File(['x'], 'a.yml')] as unknown as FileList;
  expect((await chosenByDrop({ items: [] as unknown as DataTransferItemList, files })).map(({ name }) => name)).toEqual(
    ['a.yml'],
  );
});

test('a file of a chosen folder is known by its path', () => {
  const file = new File(['x'], 'a.yml');
  Object.defineProperty(file, 'webkitRelativePath', { value: 'sigma/rules/a.yml' });
  expect(chosenByDialog([file])).toMatchObject([{ name: 'sigma/rules/a.yml', inFolder: true }]);
});
