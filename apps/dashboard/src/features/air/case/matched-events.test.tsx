import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { limits } from '@airdeck/contracts/limits';
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { acknowledgedCase } from './case-fixtures.ts';
import { MatchedEvents } from './matched-events.tsx';

const event: CaseDetail['events'][number] = {
  ...{ id: '01920000-0000-7000-8000-000000000501', time: '2026-11-21T10:00:00.000Z', integration: 'sshd' },
  ...{ event_type: 'authentication', severity: '', message: 'Failed password', host: '', user: 'root', src_ip: '' },
  ...{ raw: '', fields: {} },
};

function shownWith(event_count: number): string {
  const of = { ...acknowledgedCase, events: [event], event_count };
  const { container, unmount } = render(
    <MantineProvider env="test">
      <MatchedEvents of={of} dense={false} />
    </MantineProvider>,
  );
  expect(screen.getByText('Failed password')).toBeDefined();
  const text = container.textContent;
  unmount();
  return text;
}

test('a case that counted more events than it keeps says so, and no other does', () => {
  expect(shownWith(250_000)).toContain('Of 250,000 events the first 10,000 are kept with the case.');
  expect(shownWith(limits.caseEventsKept + 1)).toContain('are kept with the case');
  expect(shownWith(limits.caseEventsKept)).not.toContain('are kept with the case');
});
