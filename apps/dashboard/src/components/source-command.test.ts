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
