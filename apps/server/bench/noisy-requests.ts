import { requestFor } from './http-load.ts';

/** Somebody of a tenant, and what they start. */
export type Caller = { tenant: string; token: string; playbook: string };

export type Requests = { list(n: number): Buffer; search(): Buffer; start(): Buffer };

const PAGES = 150;
const DAY_MS = 86_400_000;

export function requestsOf(url: string, { tenant, token, playbook }: Caller): Requests {
  const path = `/api/tenants/${tenant}`;
  return {
    // Pages go round, so that most of them are read and not kept.
    list: (n) => requestFor(url, `${path}/case?limit=25&page=${1 + (n % PAGES)}`, token),
    search: () => requestFor(url, `${path}/search`, token, searchOfADay()),
    start: () => requestFor(url, `${path}/soar/playbook_activity`, token, { playbook_id: playbook, inputs: {} }),
  };
}

function searchOfADay() {
  const now = Date.now();
  const time_range = { start: new Date(now - DAY_MS).toISOString(), end: new Date(now).toISOString() };
  return { query: 'integration:okta AND outcome:failure', time_range, limit: 25, live: false };
}
