import { spawnSync } from 'node:child_process';
import { canInstallPackages, installPackage } from './debian-package.mjs';

/** For the tests that send by the real rsyslog. Where it cannot be had they are skipped, and that is said. */
export function installRsyslog() {
  if (isThere()) return;
  if (canInstallPackages()) installPackage('rsyslog');
  if (!isThere()) console.log('rsyslog cannot be installed here: what sends by it is skipped');
}

function isThere() {
  return spawnSync('rsyslogd', ['-v']).status === 0;
}
