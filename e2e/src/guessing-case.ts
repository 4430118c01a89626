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
  const bystander = guesser.replace('192.0.2.', '198.51.100.');
  await sendSyslog(demo.ports.syslog_tcp, guessingRun({ guesser, bystander }, new Date()));
  return await vi.waitFor(
    async () => {
      const { cases } = await apiOf(demo, analyst).call('cases.list', query);
      const [found] = cases;
      const [response] = found?.alert_responses ?? [];
      if (!found || response?.status !== 'waiting') {
        const seen = found && { opened: found.time_opened, closed: found.time_closed, response };
        throw new Error(`Of ${cases.length} cases of ${guesser} the last does not wait: ${JSON.stringify(seen)}`);
      }
      return found;
    },
    { timeout: 120_000, interval: 100 },
  );
}
