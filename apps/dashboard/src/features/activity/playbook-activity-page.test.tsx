import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../session/fixtures.ts';
import { failure, showApp } from '../../test-app.tsx';
import { playbookRun, runId } from '../playbooks/playbook-fixtures.ts';

vi.setConfig({ testTimeout: 60_000 });
const RUNS = `GET /api/tenants/${ownTenant}/soar/playbook_activity`;
const many = (count: number) => Array.from({ length: count }, (_, index) => playbookRun(index + 1));

/** The list of runs on a server that has these, newest first. */
function list(runs: readonly PlaybookRun[], at = '/activity/playbooks') {
  const asked: Record<string, string>[] = [];
  const app = showApp(at, {
    answers: {
      [RUNS]: ({ url }) => {
        const query = Object.fromEntries(url.searchParams);
        asked.push(query);
        const skip = Number(query.skip);
        return Response.json(runs.slice(skip, skip + Number(query.limit)).map(({ summary }) => ({ summary })));
      },
    },
  });
  return { ...app, asked };
}

const rows = async () => {
  await screen.findByRole('region', { name: 'Playbook runs' });
  return screen.getAllByRole('row').slice(1);
};

test('search and states of the address are asked for in the words of the route, and pressing on them changes the address', async () => {
  const filters = encodeURIComponent(JSON.stringify({ status: ['waiting', 'error', 'nonsense'] }));
  const { asked, at } = list(many(1), `/activity/playbooks?q=block&filters=${filters}`);
  await rows();
  expect(asked).toEqual([{ q: 'block', status: 'waiting,error', skip: '0', limit: '15' }]);
  const search = screen.getByRole('searchbox', { name: 'Search by playbook' });
  expect((search as HTMLInputElement).value).toBe('block');
  fireEvent.change(search, { target: { value: 'phish' } });
  await waitFor(() => expect(asked.at(-1)).toEqual({ q: 'phish', status: 'waiting,error', skip: '0', limit: '15' }));
  expect(at()).toContain('q=phish');
});

test('fifteen runs are a page; the next leaves out as many, and the last leads no further', async () => {
  const { asked, at } = list(many(20));
  expect(await rows()).toHaveLength(15);
  expect(screen.getByText(/^Runs 1–15/)).toBeTruthy();
  const next = () => screen.getByRole('button', { name: 'Next page' }) as HTMLButtonElement;
  fireEvent.click(next());
  await screen.findByText(/^Runs 16–20/);
  expect(at()).toBe('/activity/playbooks?page=2');
  expect(screen.getAllByRole('row').slice(1)).toHaveLength(5);
  expect(new Set(asked.map(({ skip, limit }) => `${skip} ${limit}`))).toEqual(new Set(['0 15', '15 15']));
  expect(next().disabled).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: 'Previous page' }));
  await screen.findByText(/^Runs 1–15/);
  expect(at()).toBe('/activity/playbooks');
});

test('exactly one page has no next one', async () => {
  list(many(15));
  expect(await screen.findByText(/^15 runs/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Next page' })).toBeNull();
});

test('another search begins on the first page', async () => {
  const { asked, at } = list(many(20), '/activity/playbooks?page=2');
  await screen.findByText(/^Runs 16–20/);
  expect(asked[0]?.skip).toBe('15');
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search by playbook' }), { target: { value: 'block' } });
  await waitFor(() => expect(at()).toBe('/activity/playbooks?q=block'));
  await waitFor(() => expect(asked).toContainEqual({ q: 'block', skip: '0', limit: '15' }));
});

test('a run says how it stands, what started it and who, why it failed, and whether it was a try', async () => {
  const failed = playbookRun(1, {
    summary: {
      status: 'error',
      workflow_name: 'Phishing triage',
      error_info: { code: 'VENDOR_REJECTED', message: 'The product refused it.', retryable: false },
    },
  });
  const held = playbookRun(2, { summary: { status: 'running', time_finished: null, on_hold: true, dry_run: true } });
  list([failed, held]);
  const [first, second] = (await rows()).map((row) => within(row));
  expect(first?.getByText('Error')).toBeTruthy();
  expect(first?.getByText('The product refused it.')).toBeTruthy();
  expect(first?.getByText('Ana Souza')).toBeTruthy();
  expect(first?.getByText('by hand')).toBeTruthy();
  expect(first?.queryByText('Dry run')).toBeNull();
  const link = first?.getByRole('link', { name: 'Phishing triage' });
  expect(link?.getAttribute('href')).toBe(`/activity/playbooks/${runId(1)}`);
  expect(second?.getByText('Running')).toBeTruthy();
  expect(second?.getByText('Dry run')).toBeTruthy();
  expect(second?.getByText('On hold: automation is switched off.')).toBeTruthy();
});

test.each([
  ['no run at all', '/activity/playbooks', 'No playbook has run yet', undefined],
  ['no run that fits', '/activity/playbooks?q=nothing', 'No run matches', 'Clear filters'],
  ['no such page', '/activity/playbooks?page=9', 'This page is empty', 'First page'],
])('%s says so, and leads on', async (_, address, title, way) => {
  const { at } = list([], address);
  expect(await screen.findByText(title)).toBeTruthy();
  if (way === undefined) return expect(screen.getByRole('link', { name: 'Open cases' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: way }));
  await waitFor(() => expect(at()).toBe('/activity/playbooks'));
});

test('a list that does not load says so instead of showing none, and is asked for again', async () => {
  let isDown = true;
  showApp('/activity/playbooks', {
    answers: {
      [RUNS]: () => (isDown ? failure(400, 'VALIDATION_FAILED') : Response.json([{ summary: playbookRun(1).summary }])),
    },
  });
  expect(await screen.findByText(/^Unable to load/)).toBeTruthy();
  expect(screen.queryByText('No playbook has run yet')).toBeNull();
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await rows()).toHaveLength(1);
});

test('a run that answers a case leads to it, whether the case started it or a person', async () => {
  const caseId = '01920000-0000-7000-8000-000000000c07';
  const byHand = playbookRun(1).summary;
  const trigger_info = { ...byHand.trigger_info, case_id: caseId };
  const automatic = { ...trigger_info, trigger_type: 'event' as const, username: 'system' };
  const named = { case_reference: 'CASE-7' };
  list([
    playbookRun(1, { summary: { trigger_info: { ...automatic, ...named } } }),
    playbookRun(2, { summary: { trigger_info: { ...trigger_info, ...named } } }),
    playbookRun(3, { summary: { trigger_info: automatic } }),
    playbookRun(4, { summary: { trigger_info } }),
  ]);
  const [first, second, third, fourth] = (await rows()).map((row) => within(row));
  expect(first?.getByText('Automation')).toBeTruthy();
  for (const link of [
    first?.getByRole('link', { name: 'by CASE-7' }),
    second?.getByRole('link', { name: 'for CASE-7' }),
    third?.getByRole('link', { name: 'by a case' }),
    fourth?.getByRole('link', { name: 'for a case' }),
  ]) {
    expect(link?.getAttribute('href')).toBe(`/air/case-management/${caseId}`);
  }
  expect(second?.getByText('by hand')).toBeTruthy();
});
