import { expect, test } from 'vitest';
import { newDraft } from './automation-draft.ts';
import { newAutomationSearch } from './automation-search.ts';

const playbook = '0192f0c1-7e57-7000-8000-00000000abcd';

test.each([
  [{}, 'playbook', ''],
  [{ automation_id: playbook }, 'playbook', playbook],
  [{ automation_id: 'fortigate.block_address' }, 'action', 'fortigate.block_address'],
  [{ automation_id: playbook, automation_type: 'action' }, 'action', playbook],
  [{ automation_id: 'fortigate.block_address', automation_type: 'nothing' }, 'action', 'fortigate.block_address'],
  [{ automation_type: 'action' }, 'action', ''],
])('an address with %j starts what it names, whether it says its kind or not: %s %s', (search, type, definitionId) => {
  expect(newDraft(newAutomationSearch(search))).toMatchObject({ type, definitionId });
});
