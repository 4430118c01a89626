import { telemetryLimits } from '@airdeck/contracts/telemetry/limits';
import { telemetryInputSchema } from '@airdeck/contracts/telemetry/schema';
import { expect, test } from 'vitest';
import { reportOf } from './error-reporter.ts';
import { createOwnSink, type Telling } from './own-sink.ts';

/** A sink whose time stands still until `fire`, in a browser in which `at.tenant` is the one of now. */
function sinkOf(answer: () => Promise<unknown> = async () => undefined) {
  const timers: (() => void)[] = [];
  const sent: Telling[] = [];
  const at: { tenant: string | undefined } = { tenant: 'one' };
  const sink = createOwnSink({
    send: (telling) => {
      sent.push(telling);
      return answer();
    },
    tenant: () => at.tenant,
    release: '1.14.2',
    later: (run) => timers.push(run),
  });
  const fire = () => {
    for (const run of timers.splice(0)) run();
  };
  const views = () => sent.map(({ tenant, body }) => [tenant, ...body.views]);
  return { sink, at, sent, views, fire, timers };
}

test('views and failures go together in one call that the server accepts, and nothing is sent twice', () => {
  const { sink, sent, fire, timers } = sinkOf();
  sink.view('/home');
  sink.view('/air/case-management/$id');
  const report = reportOf(new TypeError('x is undefined'));
  if (report !== undefined) sink.failure(report, '/home');
  expect(timers).toHaveLength(1);
  fire();
  sink.flush();
  expect(sent).toHaveLength(1);
  expect(telemetryInputSchema.parse(sent[0]?.body)).toMatchObject({
    views: ['/home', '/air/case-management/$id'],
    errors: [{ message: 'x is undefined', level: 'error', route: '/home', call: null, release: '1.14.2' }],
  });
});

test('a server that does not answer costs nothing but the figures', async () => {
  const { sink, sent } = sinkOf(() => Promise.reject(new Error('Nobody there.')));
  sink.view('/home');
  sink.flush();
  sink.view('/search');
  sink.flush();
  await Promise.resolve();
  expect(sent.map(({ body }) => body.views)).toEqual([['/home'], ['/search']]);
});

test('as many as one call takes go at once, and none of those after them is lost', () => {
  const { sink, sent } = sinkOf();
  const { viewsPerCall, errorsPerCall } = telemetryLimits;
  for (let n = 0; n < 2 * viewsPerCall + 1; n++) sink.view('/home');
  sink.flush();
  expect(sent.map(({ body }) => body.views.length)).toEqual([viewsPerCall, viewsPerCall, 1]);
  const report = reportOf(new Error('No.'));
  for (let n = 0; n <= errorsPerCall; n++) if (report !== undefined) sink.failure(report, '/home');
  sink.flush();
  expect(sent.slice(3).map(({ body }) => body.errors.length)).toEqual([errorsPerCall, 1]);
});

test('what happens before somebody is signed in is kept until then, as much as one call takes', () => {
  const { sink, at, views, sent, fire } = sinkOf();
  at.tenant = undefined;
  sink.view('/login');
  fire();
  sink.flush();
  for (let n = 0; n < telemetryLimits.viewsPerCall; n++) sink.view('/validate');
  expect(sent).toEqual([]);
  at.tenant = 'one';
  fire();
  expect(views()[0]?.slice(0, 3)).toEqual(['one', '/login', '/validate']);
  expect(sent[0]?.body.views).toHaveLength(telemetryLimits.viewsPerCall);
});

test('what happened in a tenant is told for that tenant, also after another was chosen', () => {
  const { sink, at, views, fire } = sinkOf();
  sink.view('/search');
  at.tenant = 'two';
  sink.view('/home');
  fire();
  expect(views()).toEqual([
    ['one', '/search'],
    ['two', '/home'],
  ]);
});

test('what somebody did is not told as of whoever signs in next', () => {
  const { sink, at, views, fire } = sinkOf();
  sink.person('ana');
  sink.view('/search');
  at.tenant = undefined;
  sink.person(undefined);
  sink.view('/login');
  at.tenant = 'two';
  sink.person('bo');
  sink.view('/home');
  fire();
  expect(views()).toEqual([['two', '/login', '/home']]);
});

test('the last call of a page that is left says so', () => {
  const { sink, sent } = sinkOf();
  sink.view('/home');
  sink.flush({ leaving: true });
  sink.view('/search');
  sink.flush();
  expect(sent.map(({ leaving }) => leaving)).toEqual([true, false]);
});
