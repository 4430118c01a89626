import { expect, test } from 'vitest';
import { createDemoGraylog } from './demo-graylog.ts';

const guess = (address: string) => `<38>1 - web-1 sshd 1 - - Failed password for root from ${address} port 4 ssh2`;

test('an address that guesses is one alert a minute; one that only mistypes is none', async () => {
  let at = 1_000_000;
  const fired: string[] = [];
  const watch = createDemoGraylog({
    fire: async ({ fields }) => void fired.push(fields.src_ip ?? ''),
    now: () => new Date(at),
  });
  for (let n = 0; n < 15; n++) await watch(guess('203.0.113.9'));
  for (let n = 0; n < 3; n++) await watch(guess('203.0.113.77'));
  await watch('<38>1 - web-1 sshd 1 - - Accepted password for root from 203.0.113.77 port 4 ssh2');
  expect(fired).toEqual(['203.0.113.9']);
  at += 60_001;
  for (let n = 0; n < 7; n++) await watch(guess('203.0.113.77'));
  expect(fired).toHaveLength(1);
});
