import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { caseUpdateSchema } from '@airdeck/contracts/cases/schema';
import { expect, test } from 'vitest';
import { onTo, withSeen } from './use-case-update.ts';

const shown = {
  alert_status: 'open',
  alert_severity: 'low',
  assignee: null,
  tags: ['vpn'],
  close_reason: null,
} as unknown as CaseDetail;

test('a change carries what the reader saw of its parts and of no other', () => {
  expect(withSeen({ tags: ['vpn', 'mail'] }, shown)).toEqual({ tags: ['vpn', 'mail'], seen: { tags: ['vpn'] } });
  expect(withSeen({ assignee: 'ana@example.com', comment: 'Mine.' }, shown).seen).toEqual({ assignee: null });
  const closing = withSeen({ alert_status: 'closed', close_reason: 'benign' }, shown);
  expect(closing.seen).toEqual({ alert_status: 'open', close_reason: null });
  expect(caseUpdateSchema.safeParse(closing).success).toBe(true);
});

test('a comment is never in the way of anybody', () => {
  expect(withSeen({ comment: 'Looking.' }, shown)).toEqual({ comment: 'Looking.' });
});

test('tags that are changed again leave those that somebody else has put on or taken off meanwhile', () => {
  const now = { ...shown, tags: ['theirs'] };
  expect(onTo({ tags: ['vpn', 'mail'] }, shown, now)).toEqual({ tags: ['theirs', 'mail'] });
  expect(onTo({ tags: [] }, shown, { ...shown, tags: ['vpn', 'theirs'] })).toEqual({ tags: ['theirs'] });
  expect(onTo({ tags: ['vpn', 'mail'] }, shown, { ...shown, tags: ['mail'] })).toEqual({ tags: ['mail'] });
  expect(onTo({ assignee: null }, shown, now)).toEqual({ assignee: null });
});
