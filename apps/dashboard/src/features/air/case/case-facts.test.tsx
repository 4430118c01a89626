import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
import { acknowledgedCase, caseList } from './case-fixtures.ts';
// Loaded with the file, or the first test would wait for it.
import './case-panel.tsx';

vi.setConfig({ testTimeout: 60_000 });
const { id } = acknowledgedCase;
const path = `/api/tenants/${ownTenant}/case`;
const origin: NonNullable<CaseDetail['policy_origin']> = {
  ...{ format: 'sigma', id: '3d06be53-0000-4000-8000-000000000001', author: 'Mara Lindqvist', license: 'DRL-1.1' },
  ...{ level: 'high', status: 'stable', date: '2026-05-01', false_positives: [], tags: [] },
  references: ['https://rules.example/guessing', 'javascript:alert(1)', 'a talk of 2019'],
};

function show(address: string, more: Partial<CaseDetail>) {
  const of = { ...acknowledgedCase, ...more };
  showApp(address, {
    answers: {
      [`GET ${path}`]: () => Response.json(caseList([of])),
      [`GET ${path}/${id}`]: () => Response.json(of),
    },
  });
}

/** The value beside a label of the facts. */
const beside = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling as HTMLElement;

test.each([
  ['on its page', `/air/case-management/${id}`],
  ['in the side panel', `/air/case-management?case=${id}`],
])(
  'author, license and references of the imported rule are shown with its case %s, as its license asks',
  async (_, address) => {
    show(address, { policy_origin: origin });
    await screen.findByText('Mara Lindqvist');
    expect(beside('Author').textContent).toBe('Mara Lindqvist');
    expect(beside('License').textContent).toBe('DRL-1.1');
    const references = within(beside('References'));
    const link = references.getByRole('link');
    expect(link.getAttribute('href')).toBe('https://rules.example/guessing');
    expect(references.getByText('javascript:alert(1)')).toBeTruthy();
  },
);

test('a case of a policy of our own says nothing of an author', async () => {
  show(`/air/case-management/${id}`, {});
  await screen.findByText('Sources', { selector: 'dt' });
  expect(screen.queryByText('License', { selector: 'dt' })).toBeNull();
  expect(screen.queryByText('References', { selector: 'dt' })).toBeNull();
});

test('a rule that names no license and no references leaves those out', async () => {
  show(`/air/case-management/${id}`, { policy_origin: { ...origin, license: '', references: [] } });
  await screen.findByText('Mara Lindqvist');
  expect(screen.queryByText('License', { selector: 'dt' })).toBeNull();
  expect(screen.queryByText('References', { selector: 'dt' })).toBeNull();
});
