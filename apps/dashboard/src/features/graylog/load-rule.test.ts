import { isNotFound } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { sessionOf } from '../../session/session-store.ts';
import { sessionIn } from '../../session/tenant-session.ts';
import { openApp } from '../../test-app.tsx';
import { loadResponse, loadRule } from './load-rule.ts';

const ID = '01920000-0000-7000-8000-000000000701';

test('a response that came after the automation was read is found, one that never was is not', async () => {
  let names = ['Block it'];
  const { app } = openApp('/home', {
    answers: {
      [`GET /api/tenants/${ownTenant}/event/automation_rules/${ID}`]: () =>
        Response.json({ id: ID, actions: { responses: names.map((name) => ({ name })) } }),
    },
  });
  app.session.set(sessionOf(sessionIn(userWith(), ownTenant)));
  await loadRule(app, ID);
  names = ['Block it', 'Tell somebody'];
  const responses = ({ actions }: Awaited<ReturnType<typeof loadRule>>) => actions.responses.map(({ name }) => name);
  expect(responses(await loadRule(app, ID))).toEqual(['Block it']);
  expect(responses(await loadResponse(app, ID, 'Tell somebody'))).toEqual(names);
  const never = await loadResponse(app, ID, 'Sing').catch((error: unknown) => error);
  expect(isNotFound(never)).toBe(true);
});
