import { ApiError } from '@airdeck/api-client/api-error';
import { expect, test } from 'vitest';
import {
  changeOf,
  draftOf,
  draftProblems,
  newConnectorOf,
  newDraft,
  rebased,
  refusedProblems,
} from './connector-draft.ts';
import { connector, graylog } from './integrations-fixture.ts';

const saved = draftOf(connector());

test('a new connector starts with the defaults, under a name nobody has', () => {
  const names = ['Graylog', 'graylog 2'].map((name, index) => ({ ...connector(), id: String(index), name }));
  expect(newDraft(graylog, names)).toMatchObject({ name: 'Graylog 3', config: { verify: true } });
});

test('nothing changed is nothing sent, whatever the order of the fields', () => {
  const config = Object.fromEntries(Object.entries(saved.config).toReversed());
  expect(changeOf(saved, { ...saved, config, name: ` ${saved.name} ` })).toEqual({});
});

test('only what differs is sent: a kept secret is not, a removed field goes as null', () => {
  const { base_url: _, ...rest } = saved.config;
  expect(changeOf(saved, { ...saved, config: { ...rest, api_token: 'new' } })).toEqual({
    config: { base_url: null, api_token: 'new' },
  });
});

test('options of what is switched off are not sent', () => {
  const events = { enabled: false, options: { query: 'x' } };
  expect(changeOf(saved, { ...saved, events })).toEqual({ events_enabled: false });
  expect(newConnectorOf({ ...saved, events }, graylog)).toMatchObject({ events_enabled: false, events_options: {} });
});

test('options are looked at only while they are used', () => {
  const events = { enabled: true, options: { lookback_hours: -1 } };
  expect(draftProblems({ ...saved, events }, graylog).events).toEqual([
    { path: 'lookback_hours', message: 'At least 0.' },
  ]);
  expect(draftProblems({ ...saved, events: { ...events, enabled: false } }, graylog).events).toEqual([]);
});

test('what I changed is laid over what somebody else saved meanwhile', () => {
  const theirs = draftOf(connector({ name: 'Theirs', config: { ...connector().config, verify: false } }));
  const mine = { ...saved, config: { ...saved.config, base_url: 'https://mine.example' } };
  expect(rebased(saved, mine, theirs)).toMatchObject({
    name: 'Theirs',
    config: { base_url: 'https://mine.example', verify: false },
  });
});

test('a refusal that names fields is shown at them, any other as a whole', () => {
  const refused = (details: { path: string; message: string }[]) =>
    new ApiError({
      category: 'client',
      code: 'VALIDATION_FAILED',
      message: 'No.',
      endpoint: '/',
      method: 'PUT',
      details,
    });
  expect(refusedProblems(refused([{ path: 'config.api_token', message: 'is missing' }]), graylog)).toMatchObject({
    config: [{ path: 'api_token', message: 'Access token is missing.' }],
  });
  expect(refusedProblems(refused([]), graylog)).toMatchObject({ name: undefined, config: [] });
});
