import type { Case } from '@airdeck/contracts/cases/schema';
import { vi } from 'vitest';
import type { DemoFile } from './airdeck-process.ts';
import { apiOf, userOf } from './api.ts';
import { guessingRun, sendSyslog } from './syslog-sender.ts';

/** Somebody guesses passwords from that address: the case it opens, once its playbook waits for an answer. */
export async function openGuessingCase(demo: DemoFile, guesser: string): Promise<Case> {
  const analyst = userOf(demo, 'Analyst');
  const query = { params: { tenant: analyst.tenant }, query: { q: guesser } };
  // A bystander of its own too, so that the few failures of several runs do not add up to a case.
  const bystander = guesser.replace('203.0.113.', '198.51.100.');
  await sendSyslog(demo.ports.syslog_tcp, guessingRun({ guesser, bystander }, new Date()));
  return await vi.waitFor(
    async () => {
      const [found] = (await apiOf(demo, analyst).call('cases.list', query)).cases;
      if (found?.alert_responses[0]?.status !== 'waiting') throw new Error('No case waits for an answer.');
      return found;
    },
    { timeout: 60_000, interval: 100 },
  );
}
