import { ApiError } from '@airdeck/api-client/api-error';
import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { expect, test } from 'vitest';
import { type RunPages, runPage, SINGLE_MAX } from './action-run-pages.ts';

const PAGE = 3;
type Status = ActionActivity['summary']['status'];

/** Only what the pages look at. */
const run = (id: string, status: Status = 'success') =>
  ({ summary: { status }, details: { context: { action_uuid: id } } }) as unknown as ActionActivity;
const ids = (page: readonly ActionActivity[]) => page.map(({ details }) => details.context.action_uuid).join('');
const letters = (text: string, running = '') =>
  [...text].map((letter) => run(letter, running.includes(letter) ? 'running' : 'success'));

/** A list as the server has it, newest first. */
function server(all: ActionActivity[], statuses?: readonly string[]) {
  const asked: string[] = [];
  const given = { all };
  return {
    asked,
    given,
    deps: {
      statuses,
      isActive: ({ summary }: ActionActivity) => summary.status === 'running',
      page: async (page: number) => {
        asked.push(`${page}`);
        const fit = given.all.filter(({ summary }) => statuses?.includes(summary.status) ?? true);
        return fit.slice((page - 1) * PAGE, page * PAGE);
      },
      one: async (id: string) => {
        asked.push(id);
        const found = given.all.find(({ details }) => details.context.action_uuid === id);
        if (found === undefined) {
          throw new ApiError({
            endpoint: '',
            method: 'GET',
            category: 'client',
            code: 'NOT_FOUND',
            message: '',
            status: 404,
          });
        }
        return found;
      },
    },
  };
}
type Server = ReturnType<typeof server>;

/** As an infinite query reads its pages, one after the other. */
async function read({ deps }: Server, count: number, before?: RunPages): Promise<RunPages> {
  const pageParams = Array.from({ length: count }, (_, index) => index + 1);
  const pages: ActionActivity[][] = [];
  for (const page of pageParams) pages.push(await runPage(page, before, deps));
  return { pages, pageParams };
}

async function loaded(all: ActionActivity[], statuses?: readonly string[]) {
  const from = server(all, statuses);
  const before = await read(from, 3);
  from.asked.length = 0;
  return { from, before };
}

test('the pages of a list that is loaded are read as they are', async () => {
  const from = server(letters('abcdefgh'));
  expect((await read(from, 3)).pages.map(ids)).toEqual(['abc', 'def', 'gh']);
  expect(from.asked).toEqual(['1', '2', '3']);
});

test('the next page of a list is read', async () => {
  const { from, before } = await loaded(letters('abcdefghijkl'));
  expect(ids(await runPage(4, before, from.deps))).toBe('jkl');
});

test('a refresh reads the first page and what goes on below it', async () => {
  const { from, before } = await loaded(letters('abcdefghi', 'bh'));
  from.given.all = letters('abcdefghi');
  const after = await read(from, 3, before);
  expect(from.asked).toEqual(['1', 'h']);
  expect(after.pages.flat().every(({ summary }) => summary.status === 'success')).toBe(true);
  // The rows that did not change are the same ones.
  expect(after.pages[1]?.[0]).toBe(before.pages[1]?.[0]);
});

test('what new runs push off the first page is not lost, twice in a row', async () => {
  const { from, before } = await loaded(letters('abcdefghi'));
  from.given.all = letters('yzabcdefghi');
  const once = await read(from, 3, before);
  expect(once.pages.map(ids)).toEqual(['yza', 'bcdef', 'ghi']);
  from.given.all = letters('xyzabcdefghi');
  const twice = await read(from, 3, once);
  expect(twice.pages.map(ids)).toEqual(['xyz', 'abcdef', 'ghi']);
  expect(from.asked).toEqual(['1', '1']);
});

test.each([
  ['more new runs than a page came', letters('uvwabcdefghi'), undefined],
  ['a run of the first page is gone', letters('acdefghi'), undefined],
  ['its last run is gone', letters('abdefghi'), undefined],
])('every page is read when %s', async (_, now, statuses) => {
  const { from, before } = await loaded(letters('abcdefghi'), statuses);
  from.given.all = now;
  const fresh = server(now, statuses);
  expect((await read(from, 3, before)).pages.map(ids)).toEqual((await read(fresh, 3)).pages.map(ids));
  expect(from.asked).toEqual(['1', '2', '3']);
});

test('every page is read when a run no longer fits the filter, above or below', async () => {
  for (const over of ['a', 'h']) {
    const { from, before } = await loaded(letters('abcdefghi', 'abcdefghi'), ['running']);
    from.given.all = letters('abcdefghi', 'abcdefghi'.replace(over, ''));
    const after = await read(from, 3, before);
    expect(after.pages.map(ids).join('')).toBe('abcdefghi'.replace(over, ''));
  }
});

test('every page is read when a run below is gone, or many go on', async () => {
  const gone = await loaded(letters('abcdefghi', 'h'));
  gone.from.given.all = letters('abcdefgi');
  expect((await read(gone.from, 3, gone.before)).pages.map(ids)).toEqual(['abc', 'def', 'gi']);
  const many = await loaded(letters('abcdefghi', 'defghi'.slice(0, SINGLE_MAX + 1)));
  await read(many.from, 3, many.before);
  expect(many.from.asked).toEqual(['1', '2', '3']);
});

test('a failure is a failure', async () => {
  const { from, before } = await loaded(letters('abcdefghi', 'h'));
  const failing = { ...from.deps, one: () => Promise.reject(new Error('offline')) };
  await expect(runPage(1, before, failing)).rejects.toThrow('offline');
});
