import { ApiError } from '@airdeck/api-client/api-error';
import type { PlaybookDraft } from '@airdeck/contracts/playbooks/schema';
import { expect, test } from 'vitest';
import { type BuilderDefinition, emptyDefinition } from '../document/builder-action.ts';
import { createDraftSaver, type DraftSaver } from './draft-saver.ts';

const named = emptyDefinition;
const draftOf = (definition: BuilderDefinition, revision: number): PlaybookDraft => ({
  playbook_id: '01920000-0000-7000-8000-000000000001',
  definition: { ...definition, actions: [...definition.actions] },
  revision,
  updated_at: '2026-11-21T10:31:00.000Z',
  updated_by: 'maria@northwind.example',
  problems: [],
});
const publishedOf = (definition: BuilderDefinition, version: number) => ({
  ...definition,
  metadata: { ...definition.metadata, updated_by: 'ben@northwind.example' },
  actions: [...definition.actions],
  version,
  updated_at: '2026-11-21T10:40:00.000Z',
});
const failed = (code: string) =>
  new ApiError({ category: 'client', code, message: code, status: 409, endpoint: '/', method: 'PUT' });

/** A server of one draft, and a clock of the test's. */
function setUp() {
  const server = {
    draft: draftOf(named('start'), 3),
    published: publishedOf(named('published'), 2),
    fails: [] as unknown[],
    losesAnswer: false,
    saves: 0,
  };
  const timers: (() => void)[] = [];
  const saver = createDraftSaver(
    {
      save: async ({ definition, at: { revision, version } }) => {
        server.saves += 1;
        const failure = server.fails.shift();
        if (failure !== undefined) throw failure;
        if (revision !== server.draft.revision || version !== server.published.version) throw failed('CONFLICT');
        server.draft = draftOf(definition, revision + 1);
        if (!server.losesAnswer) return server.draft;
        server.losesAnswer = false;
        throw new Error('The answer got lost.');
      },
      load: async () => ({ draft: server.draft, published: server.published }),
      after: (_, callback) => {
        timers.push(callback);
        return () => void timers.splice(timers.indexOf(callback), 1);
      },
      now: () => new Date('2026-11-21T10:31:00.000Z'),
    },
    { definition: named('start'), at: { revision: 3, version: 2 } },
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
  server.draft = draftOf(named('theirs'), 7);
  saver.change(named('mine'));
  expect(await saver.saveNow()).toBe(false);
  const theirs = conflictOf(saver);
  expect(theirs).toMatchObject({
    did: 'saved',
    by: 'maria@northwind.example',
    definition: { metadata: { name: 'theirs' } },
    at: { revision: 7, version: 2 },
  });
  // Typing on does not save over theirs.
  saver.change(named('mine, more'));
  expect(await saver.saveNow()).toBe(false);
  saver.resolve(theirs, choice === 'mine' ? 'mine' : { theirs: named('theirs') });
  expect(await saver.saveNow()).toBe(true);
  expect(server.draft).toMatchObject({
    revision: choice === 'mine' ? 8 : 7,
    definition: { metadata: { name: choice === 'mine' ? 'mine, more' : 'theirs' } },
  });
});

test('mine is saved over theirs also when it is what was saved last', async () => {
  const { server, saver } = setUp();
  server.draft = draftOf(named('theirs'), 7);
  saver.change(named('mine'));
  await saver.saveNow();
  saver.change(named('start'));
  saver.resolve(conflictOf(saver), 'mine');
  expect(await saver.saveNow()).toBe(true);
  expect(server.draft.definition.metadata.name).toBe('start');
});

test('the draft was published by somebody else: what was built on it is a conflict, not a new draft over theirs', async () => {
  const { server, saver } = setUp();
  server.published = publishedOf(named('theirs'), 3);
  server.draft = draftOf(named('theirs'), 0);
  saver.change(named('mine'));
  expect(await saver.saveNow()).toBe(false);
  const theirs = conflictOf(saver);
  expect(theirs).toMatchObject({ did: 'published', by: 'ben@northwind.example', at: { revision: 0, version: 3 } });
  saver.resolve(theirs, { theirs: named('theirs') });
  expect(await saver.saveNow()).toBe(true);
  expect(server.saves).toBe(1);
  // The next change is made on the version that was taken.
  saver.change(named('next'));
  expect(await saver.saveNow()).toBe(true);
});

test.each(['mine', 'theirs'] as const)(
  'rolled back under a draft that stays: gone on with %s, which the draft then holds',
  async (choice) => {
    const { server, saver } = setUp();
    server.published = publishedOf(named('rolled back'), 3);
    saver.change(named('mine'));
    expect(await saver.saveNow()).toBe(false);
    const theirs = conflictOf(saver);
    expect(theirs).toMatchObject({
      did: 'published',
      definition: { metadata: { name: 'rolled back' } },
      at: { revision: 3, version: 3 },
    });
    saver.resolve(theirs, choice === 'mine' ? 'mine' : { theirs: named('rolled back') });
    expect(await saver.saveNow()).toBe(true);
    const name = choice === 'mine' ? 'mine' : 'rolled back';
    expect(server.draft).toMatchObject({ revision: 4, definition: { metadata: { name } } });
  },
);

function conflictOf(saver: DraftSaver) {
  const state = saver.state();
  if (state.status !== 'conflict') throw new Error(`No conflict: ${state.status}`);
  return state.theirs;
}
