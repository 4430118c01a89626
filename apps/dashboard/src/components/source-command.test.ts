import { execFileSync } from 'node:child_process';
import { sourceKinds } from '@airdeck/contracts/sources/schema';
import { expect, test } from 'vitest';
import { firstEventCommand } from './source-command.ts';

test('a command is quoted whole, whatever stands in the address', () => {
  expect(firstEventCommand({ kind: 'ndjson', url: "https://a.example/'; rm -rf ~; '" }, 'src_x')).toContain(
    `curl 'https://a.example/'\\''; rm -rf ~; '\\'''`,
  );
  expect(firstEventCommand({ kind: 'syslog', url: 'syslog+tcp://air.example:5514' }, 'src_x')).toBe(
    `logger --server 'air.example' --port 5514 --tcp --octet-count --rfc5424 --sd-id airdeck@32473 --sd-param 'token="src_x"' 'First event'`,
  );
});

test('an address of the sixth version loses its brackets, which the program does not read', () => {
  expect(firstEventCommand({ kind: 'syslog', url: 'syslog+tcp://[2001:db8::1]:5514' }, 'src_x')).toContain(
    "--server '2001:db8::1' --port 5514",
  );
});

/** What curl would be given by a shell, argument by argument. */
function argumentsOf(command: string): string[] {
  const shown = command.replace(/^curl /, "printf '%s\\n' ");
  return execFileSync('sh', ['-c', shown]).toString().trimEnd().split('\n');
}

test.each(sourceKinds.filter((kind) => kind !== 'syslog'))(
  'what is sent to a source of kind %s is another delivery each time, so that none is taken for a repetition',
  (kind) => {
    const command = firstEventCommand({ kind, url: 'https://a.example/door' }, 'src_x');
    const [first, second] = [argumentsOf(command), argumentsOf(command)];
    expect(first.slice(0, 3)).toEqual(['https://a.example/door', '-H', 'authorization: Bearer src_x']);
    const body = (given: string[]) => JSON.parse(given.at(-1) ?? '') as { id?: string };
    const key = (given: string[]) => given.find((one) => /^idempotency-key: \d+/.test(one));
    if (kind === 'cloudevents') {
      expect(body(first).id).toMatch(/^\d+/);
      expect(body(first).id).not.toBe(body(second).id);
    } else {
      expect(key(first)).toBeDefined();
      expect(key(first)).not.toBe(key(second));
    }
  },
);
