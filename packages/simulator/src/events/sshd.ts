import type { Host } from '../company.ts';
import type { Random } from '../random.ts';
import type { RawRecord } from '../raw-record.ts';
import { syslogHeader } from './syslog-header.ts';

/** authpriv.info */
const PRIORITY = 86;

export type SshAttempt = {
  readonly time: number;
  readonly host: Host;
  readonly user: string;
  readonly address: string;
  readonly random: Random;
};

/** `Failed password for [invalid user ]<user> from <address> port <port> ssh2` */
export function sshFailure(attempt: SshAttempt & { readonly knownUser: boolean }): RawRecord {
  const invalid = attempt.knownUser ? '' : 'invalid user ';
  return record(
    attempt,
    `Failed password for ${invalid}${attempt.user} from ${attempt.address} port ${port(attempt)} ssh2`,
  );
}

export function sshSuccess(attempt: SshAttempt & { readonly method: 'publickey' | 'password' }): RawRecord {
  const key = attempt.method === 'publickey' ? `: ED25519 SHA256:${attempt.random.hex(43)}` : '';
  return record(
    attempt,
    `Accepted ${attempt.method} for ${attempt.user} from ${attempt.address} port ${port(attempt)} ssh2${key}`,
  );
}

export function sshSession(attempt: SshAttempt, what: 'opened' | 'closed'): RawRecord {
  const by = what === 'opened' ? `(uid=${attempt.random.int(1000, 1040)}) by (uid=0)` : '';
  return record(attempt, `pam_unix(sshd:session): session ${what} for user ${attempt.user}${by}`);
}

export function sshDisconnect(attempt: SshAttempt): RawRecord {
  return record(
    attempt,
    `Disconnected from authenticating user ${attempt.user} ${attempt.address} port ${port(attempt)} [preauth]`,
  );
}

function record({ time, host, random }: SshAttempt, message: string): RawRecord {
  const line = `${syslogHeader(PRIORITY, time, host.name)}sshd[${random.int(1200, 32_000)}]: ${message}`;
  return { time, transport: 'syslog', product: 'sshd', line };
}

function port({ random }: SshAttempt): number {
  return random.int(32_768, 60_999);
}
