/** A busy October of an invented company; tests change what they are about. */
import { tacticNames } from '@airdeck/domain/attack-tactics';
import type { ExecutiveFacts } from '../executive-facts.ts';
import { type NamedCounts, recommendationsFor } from '../recommendations.ts';

const weeks = [
  ['2026-10-01', '2026-10-04', [6, 4, 2, 1], [610, 3.2, 9_800, 41]],
  ['2026-10-05', '2026-10-11', [14, 9, 5, 0], [540, 2.9, 12_400, 38]],
  ['2026-10-12', '2026-10-18', [11, 12, 3, 2], [720, 4.1, 8_300, 55]],
  ['2026-10-19', '2026-10-25', [9, 6, 7, 1], [480, 3.0, 7_100, 29]],
  ['2026-10-26', '2026-10-31', [12, 8, 2, 0], [390, 2.2, 5_900, 33]],
] as const;

export function octoberFacts(change: Partial<Omit<ExecutiveFacts, 'recommendations'>> = {}): ExecutiveFacts {
  const facts: Omit<ExecutiveFacts, 'recommendations'> = {
    version: 1,
    product: 'AIRdeck',
    tenant: { name: 'Example Manufacturing', colour: '#0b7285', logo: null },
    ...{ locale: 'en-US', time_zone: 'America/Sao_Paulo', month: '2026-10' },
    ...{ start: '2026-10-01T03:00:00.000Z', end: '2026-11-01T03:00:00.000Z', made_at: '2026-11-01T06:00:00.000Z' },
    partial: false,
    cases: {
      ...{ cases: 114, closed: 97, by_severity: { low: 52, medium: 39, high: 19, critical: 4 } },
      ...{ answered: 81, false_positives: 12, late_responses: 6, late_resolutions: 3, with_targets: 114 },
      means: { automated_mttd: 3.1, manual_mttd: 548, automated_mttr: 39, manual_mttr: 8_700 },
    },
    cases_before: {
      ...{ cases: 121, closed: 121, by_severity: { low: 60, medium: 41, high: 17, critical: 3 } },
      ...{ answered: 74, false_positives: 15, late_responses: 9, late_resolutions: 5, with_targets: 121 },
      means: { automated_mttd: 3.4, manual_mttd: 702, automated_mttr: 44, manual_mttr: 10_100 },
    },
    weeks: weeks.map(([start, end, [low, medium, high, critical], [manualMttd, autoMttd, manualMttr, autoMttr]]) => ({
      ...{ start, end, by_severity: { low, medium, high, critical } },
      means: {
        ...{ manual_mttd: manualMttd, automated_mttd: autoMttd, manual_mttr: manualMttr, automated_mttr: autoMttr },
      },
    })),
    notable: [
      [
        'CASE-1204',
        'Ransomware precursor: shadow copies deleted on FIN-SRV-02',
        'critical',
        'closed',
        'true_positive',
        431,
      ],
      ['CASE-1177', 'Password spray against 212 accounts', 'critical', 'closed', 'true_positive', 2_904],
      ['CASE-1219', 'Data leaves for an unknown host', 'critical', 'acknowledged', null, 77],
      ['CASE-1190', 'New administrator outside of office hours', 'high', 'closed', 'benign', 3],
      ['CASE-1188', 'Impossible travel of j.souza@example.com', 'high', 'open', null, 12],
    ].map(([reference, name, severity, status, reason, events], index) => ({
      ...{ reference, name, severity, status, close_reason: reason, events },
      opened: `2026-10-${10 + index}T14:0${index}:00.000Z`,
      closed: status === 'closed' ? `2026-10-${11 + index}T09:00:00.000Z` : null,
      answered: index % 2 === 0,
    })) as ExecutiveFacts['notable'],
    automation: {
      ...{ runs: 143, actions: 611, failed_runs: 7, minutes_saved: 4_735 },
      playbook_results: { success: 130, error: 7, cancelled: 4, waiting: 2, running: 0, pending: 0 },
      top_playbooks: [
        { name: 'Block a password-guessing address', count: 71, success: 69, error: 2 },
        { name: 'Isolate a host and ask', count: 31, success: 28, error: 1 },
        { name: 'Enrich and close known scanners', count: 22, success: 20, error: 2 },
      ],
      top_actions: [
        { label: 'Check an IP address (AbuseIPDB)', count: 288, success: 281, error: 7, time_saved_minutes: 1_405 },
        { label: 'Block an address (FortiGate)', count: 97, success: 95, error: 2, time_saved_minutes: 950 },
        { label: 'End sessions of a user (Okta)', count: 18, success: 18, error: 0, time_saved_minutes: 270 },
      ],
      minutes_each: [
        { effect: 'reads', actions: 430, minutes_each: 5 },
        { effect: 'changes', actions: 150, minutes_each: 10 },
        { effect: 'destroys', actions: 20, minutes_each: 15 },
      ],
    },
    automation_before: { runs: 118, actions: 502, failed_runs: 9, minutes_saved: 3_900 },
    coverage: tacticNames.map((tactic, index) => ({
      tactic,
      policies: [2, 9, 14, 7, 4, 11, 16, 5, 3, 0, 6, 2, 4][index] ?? 0,
      techniques: [1, 4, 6, 5, 3, 8, 9, 4, 2, 0, 3, 1, 2][index] ?? 0,
      cases: [0, 22, 18, 4, 2, 9, 41, 6, 3, 0, 7, 1, 1][index] ?? 0,
    })),
    volume: {
      ...{ events: 10_412_887, bytes: 7_804_112_903 },
      by_day: Array.from({ length: 31 }, (_, index) => ({
        day: `2026-10-${String(index + 1).padStart(2, '0')}`,
        events: 300_000 + ((index * 7919) % 13) * 12_000 - (index % 7 > 4 ? 150_000 : 0),
        bytes: 220_000_000,
      })),
      sources: [
        { name: 'Windows servers', events: 5_201_442, bytes: 4_100_222_100, previous_events: 5_088_120 },
        { name: 'FortiGate São Paulo', events: 3_377_120, bytes: 2_302_118_000, previous_events: 3_501_933 },
        { name: 'Okta', events: 1_001_884, bytes: 901_223_000, previous_events: 882_004 },
        { name: 'GitHub audit', events: 632_441, bytes: 400_549_803, previous_events: 0 },
      ],
      other: { sources: 3, events: 200_000, bytes: 100_000_000 },
      silent: ['Branch firewall Recife'],
    },
    volume_before: { events: 9_981_220, bytes: 7_322_000_000 },
    standing: {
      ...{ policies: 96, enabled_policies: 83, automation_enabled: true, old_cases: 4 },
      ...{ failing_connectors: ['CrowdStrike'], members: 23, members_without_mfa: 2 },
      noisy_policies: [{ name: 'Rare scheduled task', cases: 14, false_positives: 11 }],
    },
    ...change,
  };
  return { ...facts, recommendations: recommendationsFor(facts, countsNamed(facts)) };
}

/** As if all there are were named. */
export function countsNamed({ standing, volume }: Omit<ExecutiveFacts, 'recommendations'>): NamedCounts {
  return {
    noisy_policies: standing.noisy_policies.length,
    failing_connectors: standing.failing_connectors.length,
    silent_sources: volume.silent.length,
  };
}

/** Nothing happened, and nothing is set up. */
export function emptyFacts(): ExecutiveFacts {
  const none = {
    ...{ cases: 0, closed: 0, by_severity: { low: 0, medium: 0, high: 0, critical: 0 }, answered: 0 },
    ...{ false_positives: 0, late_responses: 0, late_resolutions: 0, with_targets: 0 },
    means: { automated_mttd: null, manual_mttd: null, automated_mttr: null, manual_mttr: null },
  };
  const facts = octoberFacts();
  return octoberFacts({
    ...{ cases: none, cases_before: none, notable: [] },
    weeks: facts.weeks.map((week) => ({ ...week, by_severity: none.by_severity, means: none.means })),
    automation: {
      ...facts.automation,
      ...{ runs: 0, actions: 0, failed_runs: 0, minutes_saved: 0, top_playbooks: [], top_actions: [] },
    },
    automation_before: { runs: 0, actions: 0, failed_runs: 0, minutes_saved: 0 },
    coverage: facts.coverage.map(({ tactic }) => ({ tactic, policies: 0, techniques: 0, cases: 0 })),
    volume: {
      ...{ events: 0, bytes: 0, sources: [], other: { sources: 0, events: 0, bytes: 0 }, silent: [] },
      by_day: facts.volume.by_day.map(({ day }) => ({ day, events: 0, bytes: 0 })),
    },
    volume_before: { events: 0, bytes: 0 },
    standing: {
      ...{ policies: 0, enabled_policies: 0, automation_enabled: true, old_cases: 0, failing_connectors: [] },
      ...{ members: 1, members_without_mfa: 0, noisy_policies: [] },
    },
  });
}
