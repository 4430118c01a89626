// @vitest-environment node
import { ApiError } from '@airdeck/api-client/api-error';
import type { PlaybookDraft } from '@airdeck/contracts/playbooks/schema';
import { expect, test } from 'vitest';
import { type BuilderDefinition, emptyDefinition } from '../document/builder-action.ts';
import { createDraftSaver } from './draft-saver.ts';

const named = emptyDefinition;
const draftOf = (definition: BuilderDefinition, revision: number): PlaybookDraft => ({
  playbook_id: '01920000-0000-7000-8000-000000000001',
  definition: { ...definition, actions: [...definition.actions] },
  revision,
  updated_at: '2026-11-21T10:31:00.000Z',
  updated_by: 'maria@northwind.example',
  problems: [],
});
const failed = (code: string) =>
  new ApiError({ category: 'client', code, message: code, status: 409, endpoint: '/', method: 'PUT' });

/** A server of one draft, and a clock of the test's. */
function setUp() {
  const server = { draft: draftOf(named('start'), 3), fails: [] as unknown[], losesAnswer: false, saves: 0 };
  const timers: (() => void)[] = [];
  const saver = createDraftSaver(
    {
      save: async ({ definition, revision }) => {
        server.saves += 1;
        const failure = server.fails.shift();
        if (failure !== undefined) throw failure;
        if (revision !== server.draft.revision) throw failed('CONFLICT');
        server.draft = draftOf(definition, revision + 1);
        if (!server.losesAnswer) return server.draft;
        server.losesAnswer = false;
        throw new Error('The answer got lost.');
      },
      load: async () => server.draft,
      after: (_, callback) => {
        timers.push(callback);
        return () => void timers.splice(timers.indexOf(callback), 1);
      },
      now: () => new Date('2026-11-21T10:31:00.000Z'),
    },
    { definition: named('start'), revision: 3 },
  );
  return { server, timers, saver };
}

test('what is typed is saved once, after a pause', async () => {
  const { server, timers, saver } = setUp();
  for (const name of ['a', 'ab', 'abc']) saver.change(named(name));
  expect(saver.state()).toEqual({ status: 'waiting' });
  expect(timers).toHaveLength(1);
  expect(await saver.saveNow()).toBe(true);
  expect(server).toMatchObject({ saves: 1, draft: { revision: 4, definition: { metadata: { name: 'abc' } } } });
  expect(saver.state()).toEqual({ status: 'saved', at: new Date('2026-11-21T10:31:00.000Z') });
});

test('what is typed while a save is out is saved after it, not beside it', async () => {
  const { server, saver } = setUp();
  saver.change(named('a'));
  const saving = saver.saveNow();
  saver.change(named('ab'));
  expect(await saving).toBe(true);
  expect(server).toMatchObject({ saves: 2, draft: { revision: 5, definition: { metadata: { name: 'ab' } } } });
});

test('several who want it saved at once send it once', async () => {
  const { server, saver } = setUp();
  saver.change(named('a'));
  expect(await Promise.all([saver.saveNow(), saver.saveNow(), saver.saveNow()])).toEqual([true, true, true]);
  expect(server.saves).toBe(1);
});

test('a failure is kept until it is tried again, and nothing typed is lost by it', async () => {
  const { server, saver } = setUp();
  server.fails.push(failed('INTERNAL'));
  saver.change(named('a'));
  expect(await saver.saveNow()).toBe(false);
  expect(saver.state()).toMatchObject({ status: 'failed' });
  expect(await saver.saveNow()).toBe(true);
  expect(server.draft.definition.metadata.name).toBe('a');
});

test('a save whose answer got lost is no conflict with oneself', async () => {
  const { server, saver } = setUp();
  server.losesAnswer = true;
  saver.change(named('a'));
  expect(await saver.saveNow()).toBe(false);
  expect(await saver.saveNow()).toBe(true);
  expect(saver.revision()).toBe(4);
});

test.each(['mine', 'theirs'] as const)('somebody else saved: shown, and gone on with %s', async (choice) => {
  const { server, saver } = setUp();
  const theirs = draftOf(named('theirs'), 7);
  server.draft = theirs;
  saver.change(named('mine'));
  expect(await saver.saveNow()).toBe(false);
  expect(saver.state()).toEqual({ status: 'conflict', theirs });
  // Typing on does not save over theirs.
  saver.change(named('mine, more'));
  expect(await saver.saveNow()).toBe(false);
  saver.resolve(theirs, choice === 'mine' ? 'mine' : { theirs: named('theirs') });
  expect(await saver.saveNow()).toBe(true);
  expect(server.draft).toMatchObject(
    choice === 'mine' ? { revision: 8, definition: { metadata: { name: 'mine, more' } } } : theirs,
  );
});
