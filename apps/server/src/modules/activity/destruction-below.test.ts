import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { expect, test } from 'vitest';
import { actionsBelow } from './destruction-below.ts';

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
