/** What the home page and the reports show of ninety days, and an executive report until its file is there, over HTTP. */
import { strict as assert } from 'node:assert';
import { setTimeout as wait } from 'node:timers/promises';
import type { Dashboard } from '@airdeck/contracts/dashboards/schema';
import type { ExecutiveReport } from '@airdeck/contracts/reports/executive-report';
import type { LogReport } from '@airdeck/contracts/reports/log-report';
import { percentile } from './bench-load.ts';

/**
 * A server with events of some tenants over the last days, and one signed-in member of each. `factsMs`: what gathering the
 * facts of an executive report took, for each tenant, twice.
 */
export type ReportStand = {
  url: string;
  events: number;
  days: number;
  members: { tenant: string; token: string }[];
  factsMs: number[];
};

const DAY_MS = 86_400_000;
const parts = ['dashboard', 'log_report', 'soar_report', 'executive_file'] as const;
type Part = (typeof parts)[number];
export type ReportBenchResult = Record<`${Part}_p50_ms` | `${Part}_p95_ms`, number> & {
  events: number;
  executive_facts_p50_ms: number;
  executive_facts_p95_ms: number;
};

type Member = ReportStand['members'][number];

/** Throws when an answer does not tell of all events of its tenant. */
export async function runReportBench(stand: ReportStand & { rounds: number }): Promise<ReportBenchResult> {
  const { url, events, members, rounds } = stand;
  const each = events / members.length;
  const now = Date.now();
  const call = async <T>(member: Member, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}/api/tenants/${member.tenant}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${member.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered with ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  // Each asks for another time, so that nothing kept can answer.
  const period = (round: number) => {
    const start_time = new Date(now - 90 * DAY_MS + round * 1000).toISOString();
    return new URLSearchParams({ start_time, end_time: new Date(now + 1000).toISOString() });
  };
  /** Hours are counted whole, and a few thousand events do not divide evenly. */
  const isAll = (counted: number) => Math.abs(counted - each) < each / 50;
  const work: Record<Part, (member: Member, round: number) => Promise<void>> = {
    async dashboard(member, round) {
      const dashboard = await call<Dashboard>(member, `/dashboards?${period(round)}`);
      assert.ok(isAll(dashboard.log_count), `${dashboard.log_count} events on the home page`);
    },
    async log_report(member, round) {
      const report = await call<LogReport>(member, `/reports/log_collection?${period(round)}`);
      assert.ok(isAll(report.total.events), `${report.total.events} events in the log report`);
      assert.equal(report.talkers_complete, true);
      const ofHosts = report.hosts.reduce((sum, { events: count }) => sum + count, 0);
      assert.ok(ofHosts > 0 && report.hosts.length > 0);
    },
    async soar_report(member, round) {
      await call(member, `/reports/soar?${period(round)}`);
    },
    /** From the call to the finished file, layout of the PDF included. */
    async executive_file(member) {
      const { id } = await call<ExecutiveReport>(member, '/reports', {});
      for (;;) {
        const { files } = await call<{ files: ExecutiveReport[] }>(member, '/reports');
        const made = files.find((file) => file.id === id);
        assert.notEqual(made?.status, 'error');
        if (made?.status === 'success') return;
        await wait(20);
      }
    },
  };
  const figures: Record<string, number> = {
    events,
    executive_facts_p50_ms: percentile(stand.factsMs, 0.5),
    executive_facts_p95_ms: percentile(stand.factsMs, 0.95),
  };
  for (const part of parts) {
    const times: number[] = [];
    // The first ones warm up.
    for (let round = -2; round < rounds; round++) {
      const member = members[(round + members.length) % members.length];
      assert.ok(member);
      const began = performance.now();
      await work[part](member, round);
      if (round >= 0) times.push(performance.now() - began);
    }
    figures[`${part}_p50_ms`] = percentile(times, 0.5);
    figures[`${part}_p95_ms`] = percentile(times, 0.95);
  }
  return figures as ReportBenchResult;
}
