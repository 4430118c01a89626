import { activityReportSchema } from '@airdeck/contracts/reports/activity-report';
import { actionStatuses, runStatuses } from '@airdeck/contracts/statuses';
import { screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ownTenant } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
// Loaded with the file, or the first test would wait for it.
import './soar-report-page.tsx';

vi.setConfig({ testTimeout: 30_000 });
const kept = '2025-10-24T00:00:00.000Z';
const NOT_KEPT = /^Runs that ended before Oct 2\d, 2025 are no longer kept and not counted\.$/;

async function open(given: { start_time: string; kept_from?: string }): Promise<void> {
  const none = (statuses: readonly string[]) => Object.fromEntries(statuses.map((status) => [status, 0]));
  const report = activityReportSchema.parse({
    ...{ end_time: '2026-01-01T00:00:00.000Z', time_zone: 'UTC', action_count: 0, playbook_count: 0 },
    ...{ action_results: none(actionStatuses), playbook_results: none(runStatuses), by_day: [] },
    ...{ top_actions: [], top_playbooks: [], time_saved_minutes: 0, time_saved_by: [] },
    ...given,
  });
  showApp('/report/soar', {
    answers: { [`GET /api/tenants/${ownTenant}/reports/soar`]: () => Response.json(report) },
  });
  await screen.findByText('An estimate; how is shown below');
}

describe('a report of a time', () => {
  it('that begins before runs do says from when they are kept', async () => {
    await open({ start_time: '2025-01-01T00:00:00.000Z', kept_from: kept });
    expect(screen.getByText(NOT_KEPT)).toBeDefined();
  });

  it.each([
    ['that begins later', { start_time: '2025-11-01T00:00:00.000Z', kept_from: kept }],
    ['of a release that does not say it', { start_time: '2025-01-01T00:00:00.000Z' }],
  ])('%s says nothing', async (_, report) => {
    await open(report);
    expect(screen.queryByText(NOT_KEPT)).toBeNull();
  });
});
