import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { expect, test } from 'vitest';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { actionsBelow, destroysBelow } from './destruction-below.ts';

type Actions = PlaybookDefinition['actions'];

const wait = (id: string, ...depends_on: string[]): Actions[number] => ({ id, kind: 'delay', seconds: 1, depends_on });

test('everything that waits for an action is below it, in whatever order it stands, and nothing else', () => {
  const actions = [
    wait('last', 'middle', 'other'),
    wait('middle', 'ask'),
    wait('ask', 'before'),
    wait('before'),
    wait('other'),
    wait('beside', 'before'),
  ];
  expect(actionsBelow(actions, 'ask').map(({ id }) => id)).toEqual(['last', 'middle']);
  expect(actionsBelow(actions, 'last')).toEqual([]);
  expect(actionsBelow(actions, 'before').map(({ id }) => id)).toEqual(['last', 'middle', 'ask', 'beside']);
});

test('two hundred in a row, the wrong way round, are all found', () => {
  const actions = Array.from({ length: 200 }, (_, index) => wait(`a${199 - index}`, `a${198 - index}`));
  expect(actionsBelow(actions, 'a0')).toHaveLength(199);
});

/** Playbooks by name; the run is of the one called `main`. */
async function look(playbooks: Record<string, Actions>) {
  const lookUps: string[] = [];
  const destroys = await destroysBelow(
    {
      traitsOf: async (action) => ({ effect: action === 'wipe' ? 'destroys' : 'reads', idempotent: true }),
      playbooks: {
        async findForRun(_tx, _scope, id) {
          lookUps.push(id);
          const actions = playbooks[id];
          return actions && ({ definition: { actions } } as Awaited<ReturnType<Found>>);
        },
      },
    },
    {} as Tx,
    {
      sql: {
        query: async (text: string) =>
          ({ rows: text.includes('d.body') ? [{ body: { actions: playbooks.main } }] : [], rowCount: 0 }) as never,
      },
      ...{ scope: trustedTenantScope('a'), runId: 'r', actionId: 'ask' },
    },
  );
  return { destroys, lookUps };
}
type Found = Parameters<typeof destroysBelow>[0]['playbooks']['findForRun'];

const starts = (playbook: string, n = 0): Actions[number] => ({
  ...{ id: `${playbook}-${n}`, kind: 'playbook', playbook_id: playbook, depends_on: ['ask'] },
});
const twenty = (playbook: string) => Array.from({ length: 20 }, (_, n) => starts(playbook, n));

test('of playbooks that start each other in many ways each is looked up once', async () => {
  const playbooks = { main: twenty('a'), a: twenty('b'), b: twenty('c'), c: [wait('nothing')] };
  expect(await look(playbooks)).toEqual({ destroys: false, lookUps: ['a', 'b', 'c'] });
});

test('what was harmless from further up is looked at again where it may reach too deep', async () => {
  const deep = { a: [starts('b')], b: [starts('c')], c: [starts('d')], d: [wait('nothing')] };
  expect(await look({ ...deep, main: [starts('a')] })).toMatchObject({ destroys: false });
  const deeper = { ...deep, d: [starts('e')], e: [wait('nothing')] };
  expect(await look({ ...deeper, main: [starts('b'), starts('a')] })).toMatchObject({ destroys: true });
});

test('what destroys is found in whatever starts it, and what is not known counts as such', async () => {
  const wipe: Actions[number] = { id: 'w', kind: 'action', action: 'wipe', input: {} };
  expect(await look({ main: twenty('a'), a: [wait('x'), starts('b')], b: [wipe] })).toMatchObject({ destroys: true });
  expect(await look({ main: twenty('gone') })).toMatchObject({ destroys: true });
});
