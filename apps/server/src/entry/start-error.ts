import { ConfigError } from '../config/config-error.ts';
import { StorageStartError } from '../storage/storage-start-error.ts';

/** A port we were told to listen on cannot be had. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/** Names the variable to change; other errors come back as they are. */
export function explainListenError(
  error: unknown,
  at: { variable: string; port: number; host: string; hostVariable?: string },
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const place = `${at.host}:${at.port}`;
  switch (code) {
    case 'EADDRINUSE':
      return new ListenError(
        `${place} is in use by another program: stop it, or choose another port with ${at.variable} (0 picks a free one).`,
      );
    case 'EACCES':
      return new ListenError(`This account may not listen on ${place}: choose a port above 1023 with ${at.variable}.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ListenError(`This machine has no address ${at.host}: change ${at.hostVariable ?? 'HOST'}.`);
    default:
      return error;
  }
}

/**
 * The doors for syslog share a port number by default; the system's call tells which of the two failed. Those of single
 * sources are opened after them.
 */
export function explainSyslogError(
  error: unknown,
  at: {
    syslogTcp: number;
    syslogUdp: number;
    syslogTls?: number | undefined;
    sourcePorts?: readonly number[];
    host: string;
    hostVariable?: string;
  },
): unknown {
  const { syslogTcp, syslogUdp, syslogTls, sourcePorts = [], host, hostVariable = 'HOST' } = at;
  const place = { host, hostVariable };
  const failed = error instanceof Error && 'port' in error ? error.port : undefined;
  const own = sourcePorts.find((port) => port === failed);
  if (own !== undefined && own !== syslogTcp && own !== syslogUdp) {
    return explainListenError(error, { variable: 'SYSLOG_PORTS', port: own, ...place });
  }
  const isUdp = error instanceof Error && 'syscall' in error && error.syscall === 'bind';
  if (isUdp) return explainListenError(error, { variable: 'SYSLOG_UDP_PORT', port: syslogUdp, ...place });
  return syslogTls !== undefined && failed === syslogTls && failed !== syslogTcp
    ? explainListenError(error, { variable: 'SYSLOG_TLS_PORT', port: syslogTls, ...place })
    : explainListenError(error, { variable: 'SYSLOG_TCP_PORT', port: syslogTcp, ...place });
}

/** One readable message where the cause is known and a person can do something; everything else keeps its stack. */
export function startMessage(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StorageStartError || error instanceof ListenError) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
