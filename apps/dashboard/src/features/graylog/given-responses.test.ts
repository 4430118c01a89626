import { expect, test } from 'vitest';
import { givenResponses } from './given-responses.ts';
import { newRuleSearch } from './graylog-search.ts';

const playbooks = [
  { id: 'p1', metadata: { name: 'Block a guessing address' } },
  { id: 'p2', metadata: { name: 'Isolate a host' } },
];
const given = (search: Record<string, unknown>, listed: typeof playbooks | undefined = playbooks) =>
  givenResponses(newRuleSearch(search), listed);
const lookUp = { type: 'action', definitionId: 'abuseipdb.check_ip' };

test('an address that names a playbook and an action starts both, or one would be dropped without a word', () => {
  expect(given({ playbook_title: 'Isolate a host', action_name: 'abuseipdb.check_ip' })).toEqual([
    { definitionId: 'p2' },
    lookUp,
  ]);
});

test('an address that names one of them, or neither, starts that', () => {
  expect(given({ playbook_title: 'Block a guessing address' })).toEqual([{ definitionId: 'p1' }]);
  expect(given({ action_name: 'abuseipdb.check_ip' })).toEqual([lookUp]);
  expect(given({ event_id: '665f' })).toEqual([]);
});

test('a title no playbook has is kept to be told, and claimed of none while the playbooks cannot be read', () => {
  expect(given({ playbook_title: 'Nothing' })).toEqual([{ unknownTitle: 'Nothing' }]);
  expect(givenResponses(newRuleSearch({ playbook_title: 'Nothing' }), undefined)).toEqual([{}]);
});
