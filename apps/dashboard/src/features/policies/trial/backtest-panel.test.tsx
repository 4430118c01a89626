import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
import { policy, policyId, policyList } from '../policy-fixtures.ts';

// The panel stands in the editor, the largest form there is.
vi.setConfig({ testTimeout: 180_000 });
const api = `/api/tenants/${ownTenant}/soar`;

test('a backtest over more days than the plan reaches back says from when it holds', async () => {
  let reachesBack = true;
  showApp(`/air/policy-management/${policyId(1)}/edit?panel=backtest`, {
    answers: {
      [`GET ${api}/rules`]: () => Response.json(policyList([policy(1)])),
      [`GET ${api}/rules/${policyId(1)}`]: () => Response.json(policy(1)),
      [`POST ${api}/rules/backtest`]: ({ body }) => {
        const { start_time: start, end_time: end } = body as { start_time: string; end_time: string };
        const threeDaysBefore = new Date(Date.parse(end) - 3 * 86_400_000).toISOString();
        return Response.json({
          ...{ matched_events: 0, cases: 0, groups: 0, suppressed: { cases: 0, events: 0 }, sample: [], by_hour: [] },
          ...{ scanned_events: 10, duration_ms: 5, partial: false, complete_until: end },
          complete_from: reachesBack ? start : threeDaysBefore,
        });
      },
    },
  });
  const run = await waitFor(
    () => {
      const button = [...document.querySelectorAll('button')].find(
        (each) => each.textContent === 'Backtest' && each.getAttribute('role') !== 'tab',
      );
      if (button === undefined) throw new Error('The panel is not there yet.');
      return button;
    },
    { timeout: 60_000 },
  );
  fireEvent.click(run);
  await screen.findByText(/events looked at in/);
  expect(screen.queryByText(/^The plan of this tenant reaches back to/)).toBeNull();
  reachesBack = false;
  fireEvent.click(run);
  expect(await screen.findByText(/^The plan of this tenant reaches back to/)).toBeTruthy();
});
