import type { SyslogTls } from '../../apps/server/src/config/config.ts';
import { ConfigError } from '../../apps/server/src/config/config-error.ts';
import { certificateAge, readTlsIdentity } from '../../apps/server/src/entry/tls-identity.ts';
import { type Finding, found } from './finding.ts';

/** Key and certificate of encrypted syslog, by the check of the start itself; what is made by us needs none. */
export function checkSyslogTls(syslogTls: SyslogTls, now = () => new Date()): Finding[] {
  if ('selfMade' in syslogTls) return [];
  try {
    const { ends, age } = certificateAge(readTlsIdentity(syslogTls).cert, now());
    if (age !== 'good') return [found('SYSLOG_TLS_CERT_FILE', endOf(syslogTls.certFile, { ends, age }), '')];
    return [found('syslog over TLS', undefined, `its key and certificate fit, until ${ends.toISOString()}`)];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ variable, message }) => found(variable, message, ''));
  }
}

function endOf(certFile: string, { ends, age }: { ends: Date; age: 'ended' | 'ending' }): string {
  const at = `${age === 'ended' ? 'ended' : 'ends'} on ${ends.toISOString()}`;
  return `The certificate in ${certFile} ${at}: senders that check it do not connect after that. Put a new one there and start the server again.`;
}
