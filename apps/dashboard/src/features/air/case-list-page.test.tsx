import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { failure, showApp } from '../../test-app.tsx';
import { acknowledgedCase, caseList } from './case/case-fixtures.ts';
// Loaded with the file, or the first test would wait for it.
import './case/case-panel.tsx';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/tenants/${ownTenant}/case`;

test('a case opens and closes beside the list where one was reading; the next page begins at its top', async () => {
  const { at } = showApp('/air/case-management', {
    answers: {
      [`GET ${path}`]: () => Response.json({ ...caseList([acknowledgedCase]), total: 60 }),
      [`GET ${path}/${acknowledgedCase.id}`]: () => Response.json(acknowledgedCase),
    },
  });
  fireEvent.click(await screen.findByText('Password guessing'));
  const scrolled = vi.spyOn(window, 'scrollTo');
  await screen.findByRole('button', { name: 'More for CASE-7' });
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(at()).not.toContain('case='));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(scrolled).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(scrolled).toHaveBeenCalled());
});

test('while another page is on its way, the foot of the list does not say when it was read', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  showApp('/air/case-management', {
    answers: {
      [`GET ${path}`]: async ({ url }) => {
        if (url.searchParams.get('page') === '2') await released;
        return Response.json({ ...caseList([acknowledgedCase]), total: 60 });
      },
    },
  });
  await screen.findByText(/^1–1 of 60 cases · updated/);
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
  expect((await screen.findByText(/^26–26 of 60 cases/)).textContent).toBe('26–26 of 60 cases');
  release();
  await screen.findByText(/^26–26 of 60 cases · updated/);
});

test('a case opened by hand is low unless somebody says more', async () => {
  const opened: unknown[] = [];
  showApp('/air/case-management', {
    answers: {
      [`GET ${path}`]: () => Response.json(caseList([acknowledgedCase])),
      [`POST ${path}`]: ({ body }) => {
        opened.push(body);
        return failure(409, 'CONFLICT');
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'New case' }));
  const dialog = within(await screen.findByRole('dialog'));
  const name = await dialog.findByRole('textbox', { name: 'What is it about?' });
  fireEvent.change(name, { target: { value: 'A lost laptop' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Open case' }));
  await waitFor(() => expect(opened).toHaveLength(1));
  expect(opened[0]).toMatchObject({ alert_name: 'A lost laptop', alert_severity: 'low' });
});

test('a start that is chosen after the end of the address takes that end away, and not both', async () => {
  const { at } = showApp('/air/case-management?endTime=2020-05-31T00:00:00.000Z', {
    answers: { [`GET ${path}`]: () => Response.json(caseList([acknowledgedCase])) },
  });
  const opened = await screen.findByLabelText<HTMLSelectElement>('Opened');
  const today = opened.options[1]?.value ?? '';
  fireEvent.change(opened, { target: { value: today } });
  await waitFor(() => expect(at()).toContain('startTime='));
  expect(at()).not.toContain('endTime=');
});

test('who may not change cases has none to choose', async () => {
  const given = { answers: { [`GET ${path}`]: () => Response.json(caseList([acknowledgedCase])) } };
  showApp('/air/case-management', { ...given, me: userWith({ own: 'ReadOnly' }) });
  await screen.findByText('Password guessing');
  expect(screen.queryByRole('checkbox')).toBeNull();
  cleanup();
  showApp('/air/case-management', given);
  expect(await screen.findByRole('checkbox', { name: 'Select CASE-7' })).toBeTruthy();
});

test('the cases of a technique are asked for by it, named, and let go again', async () => {
  const asked: URLSearchParams[] = [];
  const { at } = showApp('/air/case-management?technique=T1110', {
    answers: {
      [`GET ${path}`]: ({ url }) => {
        asked.push(url.searchParams);
        return Response.json(caseList([acknowledgedCase]));
      },
    },
  });
  const drop = await screen.findByRole('button', { name: 'Take away: T1110 Brute force' });
  expect(asked.map((query) => query.get('technique'))).toEqual(['T1110']);
  fireEvent.click(drop);
  await waitFor(() => expect(at()).not.toContain('technique'));
  await waitFor(() => expect(asked.at(-1)?.has('technique')).toBe(false));
});
