import type { Onboarding } from '@airdeck/contracts/onboarding/schema';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { failure, type Given, showApp, visit } from '../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const manager = userWith({ own: 'SystemManager' });
const id = '01920000-0000-7000-8000-000000000301';
const sourceId = '01920000-0000-7000-8000-000000000401';
const listed = `GET /api/tenants/${ownTenant}/onboarding/in_progress`;
const saves = `POST /api/tenants/${ownTenant}/onboarding/in_progress/${id}`;

const setUp = (more: Partial<Onboarding> = {}): Onboarding => ({
  id,
  tenant: ownTenant,
  kind: 'connector',
  title: 'HQ firewall',
  step: 'allow-list',
  steps: ['allow-list', 'reachability', 'source'],
  data: {},
  created_by: 'Ana Souza',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...more,
});
const source = (last_event_at: string | null) => ({
  id: sourceId,
  name: 'FortiGate',
  kind: 'webhook',
  url: 'https://air.test/api/x',
  token_hint: 'abcd',
  last_event_at,
  events_24h: last_event_at === null ? 0 : 1,
  rejected_24h: 0,
  repeated_24h: 0,
  clock_24h: null,
  dropped_24h: null,
  created_at: '2026-01-01T00:00:00.000Z',
});

/** A server that keeps one set-up. */
function wizard(begun: Onboarding, address: string, given: Given = {}) {
  let kept: Onboarding | undefined = begun;
  const app = showApp(address, {
    me: manager,
    ...given,
    answers: {
      [listed]: () => Response.json(kept === undefined ? [] : [kept]),
      [saves]: ({ body }) => {
        kept = { ...begun, ...kept, ...(body as object) };
        return Response.json(kept);
      },
      [`DELETE /api/tenants/${ownTenant}/onboarding/in_progress/${id}`]: () => {
        kept = undefined;
        return new Response(null, { status: 204 });
      },
      [`GET /api/tenants/${ownTenant}/onboarding/air_ip`]: () =>
        Response.json({ air_ip: '192.0.2.1', air_ips: ['192.0.2.1'], note: 'Ask the operator.' }),
      ...given.answers,
    },
  });
  return { ...app, kept: () => kept };
}
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

test.each(['Analyst', 'ReadOnly'] as const)('%s sets nothing up, and asks for nothing', async (own) => {
  const { at, state } = await visit(`/set-up/${id}`, { me: userWith({ own }) });
  expect(at).toBe('/unauthorized');
  expect(state.asked).not.toContain(listed);
});

test('each step is kept when it is done, and the last one ends the set-up', async () => {
  const answers: Given['answers'] = {
    [`POST /api/tenants/${ownTenant}/onboarding/reachability_check`]: ({ body }) =>
      Response.json({
        reachable: (body as { url: string }).url === 'https://192.0.2.10:8443',
        status: 401,
        latency_ms: 31,
        tls: { valid: true, expires_at: '2027-01-01T00:00:00.000Z' },
        message: '192.0.2.10:8443 answered with status 401.',
      }),
    [`GET /api/${ownTenant}/event/sources`]: () => Response.json([source('2026-01-01T00:00:00.000Z')]),
  };
  const { kept, at } = wizard(setUp(), `/set-up/${id}`, { answers });
  await screen.findByText('Ask the operator.');
  await press('They are let in');
  await waitFor(() => expect(kept()?.step).toBe('reachability'));
  expect(at()).toBe(`/set-up/${id}?step=reachability`);

  fireEvent.click(await screen.findByLabelText('IPv4'));
  fireEvent.input(screen.getByLabelText('Address to call'), { target: { value: '192.0.2.10:8443' } });
  await press('Check');
  await screen.findByText('Reachable');
  expect(screen.getByText('HTTP 401')).toBeTruthy();
  await waitFor(() => expect(kept()?.data).toMatchObject({ checked: { host: '192.0.2.10:8443', reachable: true } }));
  await press('Continue');

  fireEvent.change(await screen.findByLabelText('Event source'), { target: { value: sourceId } });
  await press('Use this source');
  await screen.findByText(/Events arrive/);
  await waitFor(() => expect(kept()?.data).toMatchObject({ source_id: sourceId }));
  await press('Finish');
  await waitFor(() => expect(at()).toBe('/home'));
  expect(kept()).toBeUndefined();
});

test('nobody skips ahead by the address', async () => {
  wizard(setUp(), `/set-up/${id}?step=source`);
  expect(await screen.findByRole('heading', { level: 2, name: 'Let us in' })).toBeTruthy();
});

test('a step that could not be kept is not left', async () => {
  const answers = { [saves]: () => failure(409, 'CONFLICT', 'There are 100 onboardings in progress.') };
  const { at } = wizard(setUp(), `/set-up/${id}`, { answers });
  await screen.findByText('192.0.2.1');
  await press('They are let in');
  expect((await screen.findByRole('alert')).textContent).toContain('100 onboardings');
  expect(at()).toBe(`/set-up/${id}`);
});

test('until an event arrived, the wait says so and finishing says that there is none', async () => {
  const answers = { [`GET /api/${ownTenant}/event/sources`]: () => Response.json([source(null)]) };
  wizard(setUp({ step: 'source', data: { source_id: sourceId } }), `/set-up/${id}`, { answers });
  expect(await screen.findByText('Waiting for the first event…')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Finish without an event' })).toBeTruthy();
});

test('the last step always shows one way on, and only one', async () => {
  const primary = () =>
    screen
      .getAllByRole('button')
      .filter(
        ({ classList, dataset }) =>
          classList.contains('mantine-Button-root') && (dataset.variant ?? 'filled') === 'filled',
      )
      .map(({ textContent }) => textContent);
  const answers = { [`GET /api/${ownTenant}/event/sources`]: () => Response.json([source(null)]) };
  wizard(setUp({ step: 'source' }), `/set-up/${id}`, { answers });
  const choice = await screen.findByLabelText('Event source');
  expect(primary()).toEqual(['Make the source']);
  fireEvent.change(choice, { target: { value: sourceId } });
  expect(primary()).toEqual(['Use this source']);
  await press('Use this source');
  await screen.findByText('Waiting for the first event…');
  await waitFor(() => expect(primary()).toEqual(['Finish without an event']));
});

test('while a source is being made nothing leads away from its token, which shows this once', async () => {
  const made = { ...source(null), id: sourceId.replace('401', '402'), name: 'HQ' };
  const sources = [source(null)];
  let answer: (response: Response) => void = () => undefined;
  const answers: Given['answers'] = {
    [`GET /api/${ownTenant}/event/sources`]: () => Response.json(sources),
    [`POST /api/${ownTenant}/event/sources/new`]: () => new Promise<Response>((resolve) => (answer = resolve)),
  };
  wizard(setUp({ step: 'source' }), `/set-up/${id}`, { answers });
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'HQ' } });
  await press('Make the source');
  const isDisabled = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled;
  await waitFor(() => expect(isDisabled('Finish without an event')).toBe(true));
  expect(screen.getByLabelText<HTMLSelectElement>('Event source').disabled).toBe(true);
  sources.push(made);
  answer(Response.json({ ...made, token: 'aird_in_once' }));
  await waitFor(() => expect(document.body.innerHTML).toContain('aird_in_once'));
  expect(isDisabled('Finish without an event')).toBe(false);
});

test('a set-up somebody else finished is said to be over', async () => {
  wizard(setUp({ id: sourceId }), `/set-up/${id}`);
  expect(await screen.findByText('This set-up is not in progress')).toBeTruthy();
});
