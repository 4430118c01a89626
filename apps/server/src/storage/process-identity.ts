import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process id alone is reused by the system; together with the moment of its start it names one process for good. */
export type ProcessIdentity = { pid: number; startedAt: string };

export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt;
}

function startOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may hold spaces and brackets, so fields are counted from the last closing bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    const startTicks = fields[19];
    if (state === 'Z' || startTicks === undefined) return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${startTicks}`;
  } catch {
    return undefined;
  }
}

function startByPs(pid: number): string | undefined {
  try {
    const output = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return output === '' ? undefined : output;
  } catch {
    return undefined;
  }
}
