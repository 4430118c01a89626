import { spawnSync } from 'node:child_process';
import { startTicker } from './ticker.mjs';

/** As root on Debian and what comes from it. */
export function canInstallPackages() {
  return process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
}

/** Undefined when it went well, otherwise the last words of apt-get. */
export function installPackage(name) {
  const done = startTicker(`Installing ${name} (Debian package)`);
  const problem = install(name);
  done(problem === undefined ? 'done' : 'failed');
  return problem;
}

function install(name) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', name]]) {
    const { status, stdout, stderr } = spawnSync('apt-get', ['-q', ...args], { env, encoding: 'utf8' });
    if (status !== 0) return `${stdout}${stderr}`.trim().split('\n').slice(-10).join('\n');
  }
  return undefined;
}
