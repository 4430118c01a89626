import type { CaseUpdate } from '@airdeck/contracts/cases/schema';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { peopleOfLargeTenant, zoe } from '../../../components/people-fixture.ts';
import { ownTenant } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
import { caseList, acknowledgedCase as opened } from './case-fixtures.ts';
// Loaded with the file, or the first test would wait for it.
import './case-panel.tsx';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/tenants/${ownTenant}/case`;

const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Comment' });
function type(box: HTMLTextAreaElement, value: string) {
  fireEvent.focus(box);
  fireEvent.change(box, { target: { value, selectionStart: value.length } });
}

test('esc closes the people to mention only: the panel stays, and with it the words', async () => {
  const person = { uname: 'tom@example.com', fullname: 'Tom Reed' };
  const { at } = showApp(`/air/case-management?case=${opened.id}`, {
    answers: {
      [`GET ${path}`]: () => Response.json(caseList([opened])),
      [`GET ${path}/${opened.id}`]: () => Response.json(opened),
      [`GET /api/tenants/${ownTenant}/users`]: () => Response.json([person]),
    },
  });
  const box = await field();
  type(box, 'Ask @to');
  await screen.findByRole('option', { name: /Tom Reed/ });
  fireEvent.keyDown(box, { key: 'Escape' });
  expect(screen.queryByRole('option', { name: /Tom Reed/ })).toBeNull();
  expect(at()).toContain('case=');
  expect(box.value).toBe('Ask @to');
  fireEvent.keyDown(box, { key: 'Escape' });
  await waitFor(() => expect(at()).not.toContain('case='));
});

test('somebody beyond those one answer holds can be mentioned', async () => {
  showApp(`/air/case-management/${opened.id}`, {
    answers: {
      [`GET ${path}/${opened.id}`]: () => Response.json(opened),
      [`GET /api/tenants/${ownTenant}/users`]: peopleOfLargeTenant,
    },
  });
  const box = await field();
  type(box, 'Ask @zo');
  fireEvent.pointerDown(await screen.findByRole('option', { name: /Zoe Young/ }));
  await waitFor(() => expect(box.value).toBe(`Ask @${zoe.uname} `));
});

test('what was begun about a case is there again when it is opened again, and only there', async () => {
  const other = { ...opened, id: '01a1fb94-b561-76ac-8033-bf029575ae58', reference: 'CASE-8', alert_name: 'Another' };
  showApp('/air/case-management', {
    answers: {
      [`GET ${path}`]: () => Response.json(caseList([opened, other])),
      [`GET ${path}/${opened.id}`]: () => Response.json(opened),
      [`GET ${path}/${other.id}`]: () => Response.json(other),
    },
  });
  const open = async (name: string) => fireEvent.click(await screen.findByText(name));
  const close = async () => {
    fireEvent.keyDown(await field(), { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Comment' })).toBeNull());
  };
  await open(opened.alert_name);
  type(await field(), 'The badge was used at');
  await close();
  await open(other.alert_name);
  expect((await field()).value).toBe('');
  await close();
  await open(opened.alert_name);
  expect((await field()).value).toBe('The badge was used at');
});

test('what is typed while a comment is being sent stays in the field', async () => {
  const sent: CaseUpdate[] = [];
  let answer: () => void = () => undefined;
  showApp(`/air/case-management/${opened.id}`, {
    answers: {
      [`GET ${path}/${opened.id}`]: () => Response.json(opened),
      [`POST ${path}/${opened.id}`]: ({ body }) => {
        sent.push(body as CaseUpdate);
        return new Promise((resolve) => {
          answer = () => resolve(Response.json(opened));
        });
      },
    },
  });
  const box = await field();
  type(box, 'Seen. ');
  fireEvent.keyDown(box, { key: 'Enter', ctrlKey: true });
  await waitFor(() => expect(sent).toEqual([{ comment: 'Seen.' }]));
  type(box, 'Seen. Calling them');
  answer();
  await waitFor(() => expect(box.value).toBe('Calling them'));
  fireEvent.keyDown(box, { key: 'Enter', ctrlKey: true });
  await waitFor(() => expect(sent.at(-1)).toEqual({ comment: 'Calling them' }));
  answer();
  await waitFor(() => expect(box.value).toBe(''));
});
