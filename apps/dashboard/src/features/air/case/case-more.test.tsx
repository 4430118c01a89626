import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ownTenant } from '../../../session/fixtures.ts';
import { type Given, showApp } from '../../../test-app.tsx';
import { acknowledgedCase } from './case-fixtures.ts';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/tenants/${ownTenant}/case/${acknowledgedCase.id}`;

afterEach(() => vi.restoreAllMocks());

async function choose(item: string, answers: Given['answers'] = {}) {
  showApp(`/air/case-management/${acknowledgedCase.id}`, {
    answers: { [`GET ${path}`]: () => Response.json(acknowledgedCase), ...answers },
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
  const asked: URL[] = [];
  await choose('Export as PDF', {
    [`GET ${path}/pdf`]: ({ url }) => {
      asked.push(url);
      return new Response('%PDF-', { headers: { 'content-type': 'application/pdf' } });
    },
  });
  await waitFor(() => expect(saved).toEqual(['CASE-7.pdf']));
  expect(asked[0]?.searchParams.get('locale')).toBe('en-US');
  expect(asked[0]?.searchParams.get('time_zone')).not.toBe('');
});

test('a link that this browser does not copy is not said to be copied', async () => {
  // As on pages without encryption.
  expect(navigator.clipboard).toBeUndefined();
  await choose('Copy link');
  expect(await screen.findByText(/did not let it be copied/)).toBeTruthy();
});
