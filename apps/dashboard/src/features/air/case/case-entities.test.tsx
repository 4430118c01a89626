import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
import { acknowledgedCase } from './case-fixtures.ts';

vi.setConfig({ testTimeout: 60_000 });
const { id } = acknowledgedCase;

test('the events of an entity are searched in the time of the case, not in the last day', async () => {
  const closed = {
    ...acknowledgedCase,
    ...{ opened_at: '2026-10-01T10:00:00.000Z', alert_status: 'closed', time_closed: '2026-10-02T08:00:00.000Z' },
    entities: [{ kind: 'user', value: 'root', events: 0, is_group_value: true }],
  };
  showApp(`/air/case-management/${id}`, {
    answers: { [`GET /api/tenants/${ownTenant}/case/${id}`]: () => Response.json(closed) },
  });
  const link = await screen.findByRole('link', { name: 'Events' });
  const { searchParams } = new URL(link.getAttribute('href') ?? '', 'https://air.example');
  expect(searchParams.get('query')).toBe('user:root');
  expect(JSON.parse(searchParams.get('timeRange') ?? 'null')).toEqual({
    start: '2026-10-01T09:00:00.000Z',
    end: '2026-10-02T08:00:00.000Z',
  });
});
