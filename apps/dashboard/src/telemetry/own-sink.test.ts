import type { TelemetryInput } from '@airdeck/contracts/telemetry/schema';
import { telemetryInputSchema } from '@airdeck/contracts/telemetry/schema';
import { expect, test } from 'vitest';
import { reportOf } from './error-reporter.ts';
import { createOwnSink } from './own-sink.ts';

function sinkOf(send: (input: TelemetryInput) => Promise<unknown>) {
  const timers: (() => void)[] = [];
  const sink = createOwnSink({ send, release: '1.14.2', later: (run) => timers.push(run) });
  const fire = () => {
    for (const run of timers.splice(0)) run();
  };
  return { sink, fire, timers };
}

test('views and failures go together in one call that the server accepts, and nothing is sent twice', async () => {
  const sent: TelemetryInput[] = [];
  const { sink, fire, timers } = sinkOf(async (input) => sent.push(input));
  sink.view('/home');
  sink.view('/air/case-management/$id');
  const report = reportOf(new TypeError('x is undefined'));
  if (report !== undefined) sink.failure(report, '/home');
  expect(timers).toHaveLength(1);
  fire();
  sink.flush();
  expect(sent).toHaveLength(1);
  expect(telemetryInputSchema.parse(sent[0])).toMatchObject({
    views: ['/home', '/air/case-management/$id'],
    errors: [{ message: 'x is undefined', level: 'error', route: '/home', call: null, release: '1.14.2' }],
  });
});

test('a server that does not answer costs nothing but the figures, and a call never grows over its limits', async () => {
  const sizes: number[] = [];
  const { sink } = sinkOf(async ({ views }) => {
    sizes.push(views.length);
    throw new Error('Nobody there.');
  });
  for (let n = 0; n < 200; n++) sink.view('/home');
  sink.flush();
  sink.view('/home');
  sink.flush();
  await Promise.resolve();
  expect(sizes).toEqual([50, 1]);
});
