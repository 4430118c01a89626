import { graylog } from '@airdeck/connectors/graylog/graylog';
import { expect, it } from 'vitest';
import { checkConfig, mergedConfig, type StoredConfig } from './connector-config-check.ts';

const row = { tenant_id: 't', connector_id: 'c', definition_version: '1', field: 'api_token' };
const sealed = { v: 1, iv: '', ct: '', set_at: '2026-11-01T00:00:00.000Z' } as const;
const stored: StoredConfig = {
  plain: { base_url: 'https://logs.example.net/api', ca_certificate: ' ' },
  rows: [{ ...row, sealed }],
  opened: { api_token: 'token' },
};
const problemsAfter = (change: Record<string, string>) =>
  checkConfig(graylog, mergedConfig(stored, change), stored).problems;

it('does not judge again what is stored, so that a stricter rule keeps nobody from changing something else', () => {
  expect(problemsAfter({})).toEqual([]);
  expect(problemsAfter({ base_url: 'https://logs.example.net/graylog/api' })).toEqual([]);
  const refused = [{ path: 'config.ca_certificate', reason: 'CONNECTOR_CA_NONE' }];
  expect(problemsAfter({ ca_certificate: 'none' })).toMatchObject(refused);
  expect(checkConfig(graylog, { ...stored.plain, api_token: 'token' }, undefined).problems).toMatchObject(refused);
});
