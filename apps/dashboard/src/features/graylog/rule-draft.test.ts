import { automationRuleCreateSchema } from '@airdeck/contracts/automation-rules/schema';
import { expect, test } from 'vitest';
import {
  missingParts,
  newResponse,
  placedDetails,
  problemsOfResponse,
  type RuleDraft,
  responsesOf,
  sameDraft,
} from './rule-draft.ts';

const PLAYBOOK = '01920000-0000-7000-8000-000000000301';
const nameOf = () => 'Block a guessing address';
const draft: RuleDraft = {
  name: 'Answer port scans',
  definitionId: '665f0a3be4b0a1c2d3e4f501',
  responses: [
    newResponse({ definitionId: PLAYBOOK, inputs: { ip: '{{ event.src_ip }}' } }),
    newResponse({ type: 'action', name: 'Look it up', definitionId: 'abuseipdb.check_ip' }),
  ],
  enabled: true,
};

test('what the form holds is what the contract takes, and a response without a name is called after what it starts', () => {
  const body = {
    name: draft.name,
    event_category_id: draft.definitionId,
    actions: { responses: responsesOf(draft, nameOf) },
    enabled: draft.enabled,
  };
  expect(automationRuleCreateSchema.parse(body).actions.responses).toEqual([
    {
      response_type: 'playbook',
      name: 'Block a guessing address',
      playbook_id: PLAYBOOK,
      inputs: { ip: '{{ event.src_ip }}' },
    },
    {
      response_type: 'action',
      name: 'Look it up',
      action_name: 'abuseipdb.check_ip',
      connector_id: null,
      inputs: {},
    },
  ]);
});

test('what is not chosen yet is said at its field, and names that are the same at the second one', () => {
  expect(missingParts(draft, nameOf)).toEqual([]);
  const empty = { ...draft, name: ' ', definitionId: '', responses: [newResponse({ type: 'action' })] };
  expect(missingParts(empty, () => '').map(({ field }) => field)).toEqual([
    'event_category_id',
    'name',
    'responses.0.definition_id',
  ]);
  expect(missingParts({ ...draft, responses: [] }, nameOf).map(({ field }) => field)).toEqual(['responses']);
  const [first] = draft.responses;
  const twice = { ...draft, responses: first === undefined ? [] : [first, { ...first, key: 'other' }] };
  expect(missingParts(twice, nameOf).map(({ field }) => field)).toEqual(['responses.1.name']);
});

test('what the server refuses stands at the field of its response', () => {
  const placed = placedDetails([
    { path: 'body.actions.responses.1.inputs.address', message: 'must be an address' },
    { path: 'body.actions.responses.0.playbook_id', message: 'Not published' },
    { path: 'body.name', message: 'is too long.' },
  ]);
  expect(placed.at(-1)).toEqual({ field: 'name', message: 'This is too long.' });
  expect(problemsOfResponse(placed, 1)).toEqual([{ field: 'inputs.address', message: 'This must be an address.' }]);
  expect(problemsOfResponse(placed, 0)).toEqual([{ field: 'definition_id', message: 'Not published.' }]);
});

test('two drafts are the same whatever their cards are called in the form', () => {
  const copy = { ...draft, responses: draft.responses.map((response, index) => ({ ...response, key: `${index}` })) };
  expect(sameDraft(draft, copy)).toBe(true);
  expect(sameDraft(draft, { ...copy, enabled: false })).toBe(false);
});
