import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ownTenant } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
import { acknowledgedCase } from './case-fixtures.ts';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/tenants/${ownTenant}/case/${acknowledgedCase.id}`;

afterEach(() => vi.restoreAllMocks());

async function choose(item: string) {
  showApp(`/air/case-management/${acknowledgedCase.id}`, {
    answers: { [`GET ${path}`]: () => Response.json(acknowledgedCase) },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'More for CASE-7' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: item }));
}

/** What the browser is handed to save. */
function savedFiles() {
  const names: string[] = [];
  Object.assign(URL, { createObjectURL: () => 'blob:a-file', revokeObjectURL: () => undefined });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    names.push(this.download);
  });
  return names;
}

test('a case is saved as a PDF, written in the language and the times of its reader', async () => {
  const saved = savedFiles();
  const pdf = () => Promise.resolve(new Response('%PDF-', { headers: { 'content-type': 'application/pdf' } }));
  const fetched = vi.spyOn(window, 'fetch').mockImplementation(pdf);
  await choose('Export as PDF');
  await waitFor(() => expect(saved).toEqual(['CASE-7.pdf']));
  const [[asked, init] = []] = fetched.mock.calls;
  const url = new URL(String(asked), window.location.origin);
  expect(url.pathname).toBe(`${path}/pdf`);
  expect(url.searchParams.get('locale')).toBe('en-US');
  expect(url.searchParams.get('time_zone')).not.toBe('');
  expect(init?.headers).toMatchObject({ authorization: 'Bearer token' });
});

test('a link that this browser does not copy is not said to be copied', async () => {
  // As on pages without encryption.
  expect(navigator.clipboard).toBeUndefined();
  await choose('Copy link');
  expect(await screen.findByText(/did not let it be copied/)).toBeTruthy();
});
