/**
 * What `airdeck doctor` runs: every reason why a start on this machine, with this environment, would fail, all at once.
 * It lives with the tools because it looks into the server's own configuration and stores, which apps do not import from
 * each other. Exit code 0 when nothing is wrong, 1 otherwise.
 */
import { examine } from './examine.ts';

const findings = await examine(process.env);
const ok = findings.every((finding) => finding.ok);
if (process.argv.includes('--json')) {
  console.log(JSON.stringify({ ok, checks: findings }));
} else {
  for (const finding of findings) {
    console.log(`${finding.ok ? 'ok     ' : 'PROBLEM'}  ${finding.name.padEnd(18)} ${finding.message}`);
  }
  const problems = findings.filter((finding) => !finding.ok).length;
  console.error(ok ? 'Nothing is wrong.' : `${problems} ${problems === 1 ? 'problem' : 'problems'} found.`);
}
process.exitCode = ok ? 0 : 1;
