import type { NotificationPreferences } from '@airdeck/contracts/notifications/schema';
import { expect, test } from 'vitest';
import { changeOf, problemsOf, withChange, withSwitch } from './preferences.ts';

const off = { in_app: false, mail: false, webhook: false, slack: false };
const saved: NotificationPreferences = {
  kinds: {
    case_opened: off,
    case_assigned: off,
    case_mentioned: off,
    sla_warning: off,
    sla_breach: off,
    prompt_waiting: off,
    run_failed: off,
    automation_stopped: off,
    connector_down: off,
    source_silent: off,
    domain_unproved: off,
    objective_missed: off,
    work_stalled: off,
    report_ready: off,
    account_security: off,
  },
  quiet_hours: { enabled: false, from: '22:00', to: '07:00' },
  digest: 'off',
  webhook_url: null,
};

test('a switch changes its own event and channel only', () => {
  const changed = withSwitch(saved, 'run_failed', { mail: true });
  expect(changed.kinds.run_failed).toEqual({ ...off, mail: true });
  expect(changed.kinds.case_opened).toEqual(off);
  expect(saved.kinds.run_failed).toEqual(off);
});

test('switched there and back is nothing to save, in whatever order the server lists it', () => {
  const back = withSwitch(withSwitch(saved, 'run_failed', { mail: true }), 'run_failed', { mail: false });
  expect(changeOf(saved, back)).toEqual({});
  const { kinds, quiet_hours, digest, webhook_url } = saved;
  expect(changeOf(saved, { webhook_url, digest, quiet_hours: { ...quiet_hours }, kinds })).toEqual({});
});

test('a change is laid over what somebody else saved, and over nothing else of it', () => {
  const mine = { ...withSwitch(saved, 'run_failed', { mail: true }), webhook_url: 'https://hooks.example.com/mine' };
  const change = changeOf(saved, { ...mine, quiet_hours: { ...saved.quiet_hours, from: '21:00' } });
  expect(change).toEqual({
    kinds: { run_failed: { mail: true } },
    quiet_hours: { from: '21:00' },
    webhook_url: 'https://hooks.example.com/mine',
  });
  const theirs = { ...withSwitch(saved, 'run_failed', { slack: true }), digest: 'daily' } as const;
  const both = withChange<NotificationPreferences>(theirs, change);
  expect(both).toMatchObject({ digest: 'daily', webhook_url: mine.webhook_url });
  expect(both.quiet_hours).toEqual({ enabled: false, from: '21:00', to: '07:00' });
  expect(both.kinds.run_failed).toEqual({ ...off, mail: true, slack: true });
  expect(changeOf(both, { ...both, webhook_url: null })).toEqual({ webhook_url: null });
});

test.each([
  [null, undefined],
  ['https://hooks.example.com/air', undefined],
  ['http://192.0.2.1:8080/x', undefined],
  ['hooks.example.com', 'Enter a whole address'],
  ['javascript:alert(1)', 'Enter a whole address'],
  ['file:///etc/passwd', 'Enter a whole address'],
])('the webhook address %s', (webhook_url, problem) => {
  const found = problemsOf({ ...saved, webhook_url }).webhook_url;
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});

test('a webhook that is switched on needs an address', () => {
  expect(problemsOf(withSwitch(saved, 'case_opened', { webhook: true })).webhook_url).toContain('Enter the address');
});

test('quiet hours that begin when they end are refused, but only while they are on', () => {
  const same = { enabled: true, from: '08:00', to: '08:00' };
  expect(problemsOf({ ...saved, quiet_hours: same }).quiet_hours).toContain('the same');
  expect(problemsOf({ ...saved, quiet_hours: { ...same, enabled: false } }).quiet_hours).toBeUndefined();
});
