import type { RouteId } from '@airdeck/contracts/route-table';
import type { Pace } from './token-buckets.ts';

/** Tokens a second and at once; a call takes one, a dearer one more (`callCosts`). Of one process. */
export type CallLimits = {
  /** One person, or one API key: a program must not take the calls of the person it belongs to. */
  readonly person: Pace;
  readonly tenant: Pace;
  /** Calls of people who are known, from one client address: an office, or a proxy that nobody named. */
  readonly address: Pace;
  /** Calls of nobody we know, from one client address: open routes, and sign-ups. */
  readonly stranger: Pace;
  /** What has to work while there are too many calls (`urgent` in the route table), of one person or of all their keys. */
  readonly urgent: Pace;
  readonly atOnce: {
    /** Calls of one tenant that are worked on at the same time; the database has ten connections for all. */
    readonly perTenant: number;
    /** The same while other tenants call: a processor that works on four is not there for the next one. */
    readonly besideOthers: number;
    /** The same of one that calls more than its pace allows: it is refused calls already, and the next is late anyway. */
    readonly overPace: number;
    readonly waitingPerTenant: number;
  };
};

/**
 * The busiest screen makes 22 calls when it is opened (`e2e/journeys/screens.test.ts` holds all to 25), and a few a second while
 * much happens: a person can open twelve screens at once, a program can read 5,000 rows a second. One process answers about twelve times as many calls as a
 * tenant gets.
 */
export const callLimits: CallLimits = {
  person: { perSecond: 50, burst: 300 },
  tenant: { perSecond: 100, burst: 600 },
  address: { perSecond: 500, burst: 3_000 },
  stranger: { perSecond: 50, burst: 300 },
  urgent: { perSecond: 20, burst: 300 },
  atOnce: { perTenant: 4, besideOthers: 2, overPace: 1, waitingPerTenant: 200 },
};

/**
 * What asks the event store takes as long as ten lists of cases, figures of many days as long as four, and a run of three steps
 * until it has ended as long as six; it counts as five, so that a person can start the 600 a minute they may. Expressions of a
 * playbook are compiled whenever it is checked, and nothing else goes on meanwhile.
 */
const [SEARCH, FIGURES, RUN, CHECK] = [10, 4, 5, 4];

/** One where left out. */
export const callCosts: Partial<Readonly<Record<RouteId, number>>> = {
  'search.run': SEARCH,
  'search.fields': SEARCH,
  'search.values': SEARCH,
  'search.tail': SEARCH,
  'policies.backtest': SEARCH,
  'log-report.get': SEARCH,
  'log-report.csv': SEARCH,
  'dashboards.get': FIGURES,
  'air.overview': FIGURES,
  'overview.list': FIGURES,
  'activity-report.get': FIGURES,
  'activity-report.csv': FIGURES,
  'playbook-activity.start': RUN,
  'playbook-activity.retry': RUN,
  'actions-activity.start': RUN,
  'actions-activity.retry': RUN,
  'actions.run-now': RUN,
  'playbooks.validate': CHECK,
  'playbooks.import': CHECK,
  'playbooks.draft': CHECK,
  'playbooks.save-draft': CHECK,
  'playbooks.publish': CHECK,
};

/**
 * What waits for something else than our database (the event store, a thread, a vendor, a name server, whoever saves a file)
 * and is bounded where it does: it must not keep the tenant's other calls waiting.
 */
export const waitsElsewhere: ReadonlySet<string> = new Set<RouteId>([
  'search.run',
  'search.fields',
  'search.values',
  'search.scopes',
  'search.event',
  'policies.backtest',
  'policies.import',
  'playbooks.import',
  'openapi.upload',
  'contract.upload',
  'openapi.import',
  'audit.verify',
  'audit.export',
  'cases.pdf',
  'files.download',
  'search-reports.download',
  'executive-reports.download',
  'actions.run-now',
  'automation-rules.list',
  'automation-rules.create',
  'automation-rules.get',
  'automation-rules.change',
  'automation-rules.delete',
  'automation-rules.repair',
  'connectors.test',
  'connectors.validate',
  'sso.create',
  'sso.update',
  'sso.test',
  'sso.check-domain',
  'onboarding.reachability',
  'notifications.test',
]);
