import { File } from 'node:buffer';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, showApp } from '../../../test-app.tsx';
import { policyId, policyList } from '../policy-fixtures.ts';
// Loaded with the file, or the test would wait for it.
import './import-dialog.tsx';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}/soar`;
type Order = { files: { name: string }[]; dry_run: boolean };

test('an import that stops half-way shows what was stored before, beside what went wrong', async () => {
  showApp('/air/policy-management/', {
    me: userWith({ own: 'Analyst' }),
    answers: {
      [`GET ${api}/rules`]: () => Response.json(policyList([])),
      [`POST ${api}/rules/import`]: ({ body }) => {
        const { files, dry_run } = body as Order;
        if (!dry_run && files[0]?.name === 'c.yml') return failure(400, 'LIMIT_REACHED', 'There is no room.');
        const rules = files.map(({ name }, at) => ({
          ...{ file: name, id: '', title: `Rule of ${name}`, status: 'imported' },
          policy_id: dry_run ? null : policyId(at + 1),
        }));
        return Response.json({ rules, imported: rules.length, skipped: 0, failed: 0 });
      },
    },
  });
  const [opener] = await screen.findAllByRole('button', { name: 'Import Sigma' });
  if (opener !== undefined) fireEvent.click(opener);
  const dialog = within(await screen.findByRole('dialog', { name: 'Import Sigma rules' }));
  // A file of the runtime: that of the test's document cannot be read. A portion holds two of them.
  const files = ['a.yml', 'b.yml', 'c.yml'].map((name) => new File(['x'.repeat(250_000)], name));
  fireEvent.change(dialog.getByLabelText('Sigma rules as files'), { target: { files } });
  await dialog.findByText('3 files');
  fireEvent.click(dialog.getByRole('button', { name: 'Check' }));
  fireEvent.click(await dialog.findByRole('button', { name: 'Import 3 rules' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('There is no room.');
  const stored = within(dialog.getByRole('region', { name: 'What was imported' }));
  expect(stored.getByText('2 imported')).toBeTruthy();
  expect(stored.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Rule of a.yml', 'Rule of b.yml']);
  // Checked again, the list is that of the check.
  fireEvent.click(dialog.getByRole('button', { name: 'Check' }));
  await dialog.findByRole('region', { name: 'What would be imported' });
});
