import type { SyslogTls } from '../../apps/server/src/config/config.ts';
import { ConfigError } from '../../apps/server/src/config/config-error.ts';
import { readTlsIdentity } from '../../apps/server/src/entry/tls-identity.ts';
import { type Finding, found } from './finding.ts';

/** Key and certificate of encrypted syslog, by the check of the start itself; what is made by us needs none. */
export function checkSyslogTls(syslogTls: SyslogTls): Finding[] {
  if ('selfMade' in syslogTls) return [];
  try {
    readTlsIdentity(syslogTls);
    return [found('syslog over TLS', undefined, 'its key and certificate fit')];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ variable, message }) => found(variable, message, ''));
  }
}
