import { File } from 'node:buffer';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, showApp } from '../../../test-app.tsx';
import { policyId, policyList } from '../policy-fixtures.ts';
// Loaded with the file, or the test would wait for it.
import './import-dialog.tsx';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}/soar`;
type Order = { files: { name: string; text: string }[]; dry_run: boolean };

beforeEach(() => {
  // Without a layout nothing would be in sight.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(300);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(50);
});
afterEach(() => {
  vi.restoreAllMocks();
  // This document has neither by itself.
  Reflect.deleteProperty(navigator, 'clipboard');
  Reflect.deleteProperty(URL, 'createObjectURL');
});

/** The dialog, over a server that answers a portion so. */
async function importing(answer: (order: Order) => Response | Promise<Response>) {
  const sent: Order[] = [];
  const take = ({ body }: { body: unknown }) => {
    sent.push(body as Order);
    return answer(body as Order);
  };
  showApp('/air/policy-management/', {
    me: userWith({ own: 'Analyst' }),
    answers: { [`GET ${api}/rules`]: () => Response.json(policyList([])), [`POST ${api}/rules/import`]: take },
  });
  const [opener] = await screen.findAllByRole('button', { name: 'Import Sigma' });
  if (opener !== undefined) fireEvent.click(opener);
  const dialog = within(await screen.findByRole('dialog', { name: 'Import Sigma rules' }));
  const press = async (name: string) => fireEvent.click(await dialog.findByRole('button', { name }));
  return { dialog, sent, press };
}

const answered = ({ files, dry_run }: Order) => {
  const rules = files.map(({ name }, at) => ({
    ...{ file: name, id: '', title: `Rule of ${name}`, status: 'imported' },
    policy_id: dry_run ? null : policyId(at + 1),
  }));
  return Response.json({ rules, imported: rules.length, skipped: 0, failed: 0 });
};

// Files of the runtime: those of the test's document cannot be read. A portion holds two of them.
const threeFiles = ['a.yml', 'b.yml', 'c.yml'].map((name) => new File([`title: ${'x'.repeat(250_000)}`], name));

test('an import that fails half-way shows what was stored, and goes on with what was not', async () => {
  let isFull = true;
  const { dialog, sent, press } = await importing((order) =>
    !order.dry_run && order.files[0]?.name === 'c.yml' && isFull
      ? failure(400, 'LIMIT_REACHED', 'There is no room.')
      : answered(order),
  );
  fireEvent.change(dialog.getByLabelText('Sigma rules as files'), { target: { files: threeFiles } });
  await dialog.findByText('3 files');
  await press('Check');
  await press('Import 3 rules');
  expect((await dialog.findByRole('alert')).textContent).toContain('There is no room.');
  const stored = within(dialog.getByRole('region', { name: 'What was imported' }));
  expect(stored.getByText('2 imported')).toBeTruthy();
  expect(stored.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Rule of a.yml', 'Rule of b.yml']);
  expect(dialog.getByText('2 of 3 rules')).toBeTruthy();
  isFull = false;
  await press('Try again');
  await dialog.findByRole('button', { name: 'Done' });
  expect(stored.getByText('3 imported')).toBeTruthy();
  const names = sent.filter(({ dry_run }) => !dry_run).map(({ files }) => files.map(({ name }) => name));
  expect(names).toEqual([['a.yml', 'b.yml'], ['c.yml'], ['c.yml']]);
});

test('stopped, it says how far it came once it knows, and goes on from there', async () => {
  let answer: () => void = () => undefined;
  const { dialog, sent, press } = await importing(
    (order) =>
      new Promise((resolve) => {
        answer = () => resolve(answered(order));
      }),
  );
  fireEvent.change(dialog.getByLabelText('Sigma rules as files'), { target: { files: threeFiles } });
  await dialog.findByText('3 files');
  await press('Check');
  await dialog.findByText('0 of 3 rules');
  await press('Stop');
  expect(dialog.getByRole('button', { name: 'Stopping…' })).toHaveProperty('disabled', true);
  await waitFor(() => expect(sent).toHaveLength(1));
  act(() => answer());
  await dialog.findByText('Stopped at 2 of 3 rules');
  expect(sent).toHaveLength(1);
  await press('Go on');
  await waitFor(() => expect(sent).toHaveLength(2));
  act(() => answer());
  await dialog.findByRole('button', { name: 'Import 3 rules' });
});

test('other files end what is on its way, and its answer is not shown beside them', async () => {
  const answers: (() => void)[] = [];
  const { dialog, sent, press } = await importing(
    (order) => new Promise((resolve) => answers.push(() => resolve(answered(order)))),
  );
  const choose = (files: File[]) =>
    fireEvent.change(dialog.getByLabelText('Sigma rules as files'), { target: { files } });
  choose(threeFiles);
  await dialog.findByText('3 files');
  await press('Check');
  await waitFor(() => expect(answers).toHaveLength(1));
  await press('Stop');
  act(() => answers[0]?.());
  await dialog.findByText('Stopped at 2 of 3 rules');
  choose(threeFiles.slice(0, 1));
  await dialog.findByText('1 file');
  expect(dialog.queryByRole('button', { name: 'Go on' })).toBeNull();
  await press('Check');
  await waitFor(() => expect(answers).toHaveLength(2));
  act(() => answers[1]?.());
  await dialog.findByRole('button', { name: 'Import 1 rule' });
  expect(sent.map(({ files }) => files.length)).toEqual([2, 1]);
});

test('rules open beside a check, so that looking at one loses nothing, and in its place once all are through', async () => {
  const { dialog, press } = await importing((order) => {
    const rules = order.files.map(({ name }, at) => ({
      ...{ file: name, id: '', title: `Rule of ${name}`, policy_id: policyId(at + 1) },
      status: order.dry_run && at > 0 ? 'skipped' : 'imported',
    }));
    return Response.json({ rules, imported: rules.length, skipped: 0, failed: 0 });
  });
  fireEvent.change(dialog.getByLabelText('Sigma rules as files'), { target: { files: threeFiles } });
  await dialog.findByText('3 files');
  await press('Check');
  const [found] = await dialog.findAllByRole('link', { name: 'Rule of b.yml' });
  expect(found?.getAttribute('target')).toBe('_blank');
  await press('Import 2 rules');
  await dialog.findByRole('button', { name: 'Done' });
  expect(dialog.getByRole('link', { name: 'Rule of b.yml' }).getAttribute('target')).toBeNull();
});

test('of thousands of rules those in sight are drawn, and all of them can be copied and saved', async () => {
  const writeText = vi.fn(async (_: string) => undefined);
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  let saved: Blob | undefined;
  URL.createObjectURL = (file) => {
    saved = file as Blob;
    return 'blob:saved';
  };
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const { dialog, press } = await importing(({ files }) =>
    Response.json({
      rules: files.map(({ name }) => ({
        ...{ file: name, id: '', title: 'Odd', status: 'failed', reason: 'Line 3: no.', policy_id: null },
      })),
      ...{ imported: 0, skipped: 0, failed: files.length },
    }),
  );
  const long = Array.from({ length: 3_000 }, (_, at) => `title: Rule ${at + 1}\n#${'x'.repeat(200)}\n`).join('---\n');
  fireEvent.change(dialog.getByLabelText('Sigma rules as files'), {
    target: { files: [new File([long], 'all.yml'), new File([], 'empty.yml')] },
  });
  expect((await dialog.findByRole('list', { name: 'Left out' })).textContent).toBe('empty.yml: Empty');
  await press('Check');
  await dialog.findByText('3,001 not readable');
  await dialog.findByRole('button', { name: 'Import 0 rules' });
  const drawn = within(dialog.getByRole('region', { name: 'Rules' })).getAllByRole('listitem');
  expect(drawn.length).toBeLessThan(60);
  expect(drawn[1]?.textContent).toBe('OddLine 3: no.all.yml, rule 1');
  expect(drawn[1]?.getAttribute('aria-setsize')).toBe('3001');
  await press('Copy this list');
  await waitFor(() => expect(writeText).toHaveBeenCalled());
  const lines = writeText.mock.calls[0]?.[0].split('\n') ?? [];
  expect(lines).toHaveLength(3_001);
  expect(lines.at(-1)).toBe('Not readable · all.yml, rule 3000 · Odd · Line 3: no.');
  await press('Save this list as CSV');
  expect(saved?.size).toBeGreaterThan(100_000);
});

test('files dropped on the page are taken, also beside the dialog; a text that is dragged is none', async () => {
  const { dialog } = await importing(answered);
  const drop = (types: string[], files: File[]) => {
    const event = new Event('drop', { bubbles: true, cancelable: true });
    Object.assign(event, { dataTransfer: { types, files, items: [] } });
    act(() => {
      document.body.dispatchEvent(event);
    });
    return event.defaultPrevented;
  };
  expect(drop(['text/plain'], [])).toBe(false);
  expect(drop(['Files'], threeFiles.slice(0, 2))).toBe(true);
  await dialog.findByText('2 files');
});
