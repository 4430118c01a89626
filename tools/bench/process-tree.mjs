import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Memory of a process and all its descendants, from Linux's /proc.
 * RSS counts memory shared between processes once for each of them; PSS shares it out, so only PSS may be added up. `own`
 * is what the process wrote itself: without the pages of programs and libraries, which the system can drop and read again.
 */
export function memoryOfTree(rootPid) {
  return processesOf(rootPid).flatMap((pid) => describeProcess(pid) ?? []);
}

/** Ids of a process and all its descendants. */
export function processesOf(rootPid) {
  const parents = new Map();
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) parents.set(Number(name), parentOf(Number(name)));
  }
  const belongs = (pid) => pid === rootPid || (parents.get(pid) > 0 && belongs(parents.get(pid)));
  return [...parents.keys()].filter(belongs);
}

export function sumOf(processes, key) {
  return processes.reduce((total, one) => total + one[key], 0);
}

/** Undefined when the process ended meanwhile. */
function describeProcess(pid) {
  const rollup = read(`/proc/${pid}/smaps_rollup`);
  const [rss, pss, anonymous] = ['Rss', 'Pss', 'Anonymous'].map((key) =>
    Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(rollup ?? '')?.[1]),
  );
  if (!Number.isFinite(rss)) return undefined;
  const words = (read(`/proc/${pid}/cmdline`) ?? '').split('\0').filter(Boolean);
  const command = words
    .map((word) => basename(word))
    .join(' ')
    .slice(0, 60);
  return { pid, command, isNode: isNode(pid), rss_mb: rss / 1024, pss_mb: pss / 1024, own_mb: anonymous / 1024 };
}

function isNode(pid) {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`)) === 'node';
  } catch {
    return false;
  }
}

/** After the name in brackets, which may itself hold spaces and brackets, come the state and the parent. */
function parentOf(pid) {
  const stat = read(`/proc/${pid}/stat`) ?? '';
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
