import type { ActivityReport } from '@airdeck/contracts/reports/activity-report';
import { byTactic, tacticNames } from '@airdeck/domain/attack-tactics';
import type { Locale } from '@airdeck/domain/display-time';
import { sql } from 'kysely';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ReportRange } from '../activity-report/report-range.ts';
import { LOCAL_ISSUER } from '../identity/sign-in-provider.ts';
import type { LogVolume } from '../log-report/log-report-service.ts';
import type { TenantSettingsPort } from '../settings/settings-port.ts';
import type { TenantsService } from '../tenants/tenants-port.ts';
import {
  type Period,
  type PolicyTechnique,
  readCasePeriod,
  readCaseWeeks,
  readNotableCases,
  readPolicyStanding,
  readTechniques,
} from './case-facts.ts';
import type { AutomationPeriod, ExecutiveFacts, TacticCoverage } from './executive-facts.ts';
import { recommendationsFor } from './recommendations.ts';
import { monthBefore, rangeOfMonth } from './report-month.ts';

const TOP = 5;
const SOURCES = 8;
const SILENT = 20;

export type FactsDependencies = {
  db: Pick<Database, 'read' | 'system'>;
  tenants: Pick<TenantsService, 'get'>;
  settings: Pick<TenantSettingsPort, 'automationEnabled'>;
  activity: (tx: Tx, scope: TenantScope, range: ReportRange) => Promise<ActivityReport>;
  volume: (scope: TenantScope, range: ReportRange, before: ReportRange) => Promise<LogVolume>;
  productName: string;
  now: () => Date;
};

export type FactsOrder = { month: string; start: Date; end: Date; locale: Locale; timeZone: string };

/** Each part in a short transaction of its own: a report is about a month, and nobody waits for it. */
export function createFactsReader(deps: FactsDependencies) {
  const { db, now } = deps;
  return async (scope: TenantScope, order: FactsOrder): Promise<ExecutiveFacts> => {
    const { month, locale, timeZone } = order;
    const period: Period = { start: order.start, end: order.end, timeZone };
    const before: Period = { ...rangeOfMonth(monthBefore(month), timeZone), timeZone };
    const read = <T>(work: (tx: Tx) => Promise<T>) => db.read(scope.tenantId, work);
    const tenant = await read((tx) => deps.tenants.get(tx, scope));
    const automation = await read((tx) => deps.activity(tx, scope, period));
    const automationBefore = await read((tx) => deps.activity(tx, scope, before));
    const volume = await deps.volume(scope, period, before);
    const { standing, counts } = await read((tx) => readPolicyStanding(tx, scope, period));
    const cases = await read(async (tx) => ({
      cases: await readCasePeriod(tx, scope, period),
      cases_before: await readCasePeriod(tx, scope, before),
      weeks: await readCaseWeeks(tx, scope, period),
      notable: await readNotableCases(tx, scope, period),
      coverage: coverageOf(await readTechniques(tx, scope, period)),
      standing: {
        ...standing,
        automation_enabled: await deps.settings.automationEnabled(tx, scope.tenantId),
      },
    }));
    const members = await db.system((tx) => countMembers(tx, scope));
    const facts: Omit<ExecutiveFacts, 'recommendations'> = {
      version: 1,
      product: deps.productName,
      tenant: {
        name: tenant.brand.display_name === '' ? tenant.name : tenant.brand.display_name,
        colour: tenant.brand.colour,
        logo: tenant.brand.logo,
      },
      ...{ locale, time_zone: timeZone, month },
      ...{ start: order.start.toISOString(), end: order.end.toISOString(), made_at: now().toISOString() },
      partial: order.end < rangeOfMonth(month, timeZone).end,
      ...cases,
      standing: { ...cases.standing, ...members },
      automation: {
        ...automationPeriod(automation, period),
        playbook_results: automation.playbook_results,
        top_playbooks: automation.top_playbooks.slice(0, TOP),
        top_actions: automation.top_actions.slice(0, TOP).map(({ action_name: _name, ...action }) => action),
        minutes_each: automation.time_saved_by,
      },
      automation_before: automationPeriod(automationBefore, before),
      volume: volumeFacts(volume),
      volume_before: volume.previous,
    };
    return {
      ...facts,
      recommendations: recommendationsFor(facts, { ...counts, silent_sources: volume.source_counts.silent }),
    };
  };
}

type RunFigures = Pick<
  ActivityReport,
  'playbook_count' | 'action_count' | 'playbook_results' | 'time_saved_minutes' | 'kept_from'
>;

export function automationPeriod(report: RunFigures, { start }: Pick<Period, 'start'>): AutomationPeriod {
  const { kept_from: keptFrom } = report;
  return {
    runs: report.playbook_count,
    actions: report.action_count,
    failed_runs: report.playbook_results.error,
    minutes_saved: report.time_saved_minutes,
    ...(keptFrom !== undefined && new Date(keptFrom) > start && { kept_from: keptFrom }),
  };
}

export function volumeFacts(volume: LogVolume): ExecutiveFacts['volume'] {
  const { total, by_day: days, sources, other_sources: other, source_counts: counts, silent_sources: silent } = volume;
  const rest = sources.slice(SOURCES);
  const named = sources.slice(0, SOURCES).filter(({ events }) => events > 0).length;
  return {
    ...total,
    by_day: days,
    sources: sources
      .slice(0, SOURCES)
      .map(({ name, events, bytes, previous_events }) => ({ name, events, bytes, previous_events })),
    other: {
      // Those whose events these are: most that are not named may have sent none.
      sources: counts.sent - named,
      events: rest.reduce((sum, { events }) => sum + events, other.events),
      bytes: rest.reduce((sum, { bytes }) => sum + bytes, other.bytes),
    },
    silent: silent.slice(0, SILENT).map(({ name }) => name),
    silent_more: Math.max(0, counts.silent - SILENT),
  };
}

/** Every tactic, also those no policy names. A policy counts once in a tactic, however many techniques of it it names. */
export function coverageOf(techniques: readonly PolicyTechnique[]): TacticCoverage[] {
  const groups = new Map(byTactic(techniques).map(({ tactic, techniques: own }) => [tactic, own]));
  const names = groups.has('Other') ? [...tacticNames, 'Other'] : tacticNames;
  return names.map((tactic) => {
    const own = groups.get(tactic) ?? [];
    const policies = [...new Map(own.map((each) => [each.policy_id, each])).values()];
    return {
      tactic,
      policies: policies.filter(({ enabled }) => enabled).length,
      techniques: new Set(own.filter(({ enabled }) => enabled).map(({ technique }) => technique)).size,
      cases: policies.reduce((sum, { cases }) => sum + cases, 0),
    };
  });
}

/**
 * Those at home with the tenant who sign in with a password and no authenticator; who comes through another provider is
 * that one's to ask for more. In a system transaction: what the sign-in provider knows belongs to no tenant.
 */
async function countMembers(tx: Tx, scope: TenantScope): Promise<{ members: number; members_without_mfa: number }> {
  const { rows } = await sql<{ members: number; members_without_mfa: number }>`
    select count(*)::int as members,
      count(*) filter (where i."id" is not null and not coalesce(i."twoFactorEnabled", false)
        and exists (select from identity."account" a where a."userId" = i."id" and a."providerId" = 'credential'
          and a."password" is not null))::int as members_without_mfa
    from membership m
    join app_user u on u.id = m.user_id
    left join identity."user" i on u.identity_issuer = ${LOCAL_ISSUER} and i."id" = u.identity_subject
    where m.tenant_id = ${scope.tenantId}::uuid and m.source = 'direct' and u.status = 'active'`.execute(tx);
  return rows[0] ?? { members: 0, members_without_mfa: 0 };
}
