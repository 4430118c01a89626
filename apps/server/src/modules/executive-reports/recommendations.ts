/** What a report recommends: one rule a row, each over the facts alone, the weightiest first. */
import type { ExecutiveFacts, Recommendation, RecommendationId } from './executive-facts.ts';

type Facts = Omit<ExecutiveFacts, 'recommendations'>;
type Rule = {
  weight: Recommendation['weight'];
  /** What goes into the sentence; undefined where there is nothing to say. */
  values: (facts: Facts, counts: NamedCounts) => Recommendation['values'] | undefined;
};

/** How many there are of what the facts name only the first of. */
export type NamedCounts = { noisy_policies: number; failing_connectors: number; silent_sources: number };

const weights: readonly Recommendation['weight'][] = ['now', 'soon', 'later'];
const NAMES_SHOWN = 3;

const rules: Readonly<Record<RecommendationId, Rule>> = {
  automation_off: { weight: 'now', values: ({ standing }) => when(!standing.automation_enabled, {}) },
  connectors_failing: {
    weight: 'now',
    values: ({ standing }, { failing_connectors: count }) =>
      when(count > 0, { count, names: listed(standing.failing_connectors, count) }),
  },
  silent_sources: {
    weight: 'now',
    values: ({ volume }, { silent_sources: count }) => when(count > 0, { count, names: listed(volume.silent, count) }),
  },
  no_policies: { weight: 'now', values: ({ standing }) => when(standing.enabled_policies === 0, {}) },
  sla_missed: {
    weight: 'now',
    values: ({ cases }) => {
      const late = Math.max(cases.late_responses, cases.late_resolutions);
      return when(late > 0, { responses: cases.late_responses, resolutions: cases.late_resolutions });
    },
  },
  members_without_mfa: {
    weight: 'now',
    values: ({ standing }) =>
      when(standing.members_without_mfa > 0, { count: standing.members_without_mfa, members: standing.members }),
  },
  volume_dropped: {
    weight: 'soon',
    values: ({ volume, volume_before: before, partial }) => {
      if (partial || before.events < 1000) return undefined;
      const percent = Math.round((1 - volume.events / before.events) * 100);
      return when(percent >= 40, { percent });
    },
  },
  cases_standing: {
    weight: 'soon',
    values: ({ standing }) => when(standing.old_cases > 0, { count: standing.old_cases }),
  },
  runs_failing: {
    weight: 'soon',
    values: ({ automation: { runs, failed_runs: failed } }) =>
      when(failed >= 3 && failed * 10 > runs, { failed, runs }),
  },
  slower: {
    weight: 'soon',
    values: ({ cases, cases_before: before }) => {
      const [now, then] = [cases.means.manual_mttr, before.means.manual_mttr];
      if (now === null || then === null || then < 60) return undefined;
      return when(now >= then * 1.5, { percent: Math.round((now / then - 1) * 100) });
    },
  },
  unanswered: {
    weight: 'soon',
    values: ({ cases: { cases, answered } }) => {
      const unanswered = cases - answered;
      return when(cases >= 5 && unanswered * 2 > cases, { count: unanswered, cases });
    },
  },
  noisy_policies: {
    weight: 'soon',
    values: ({ standing: { noisy_policies: noisy } }, { noisy_policies: count }) => {
      const names = noisy.map(({ name }) => name);
      return when(count > 0, { count, names: listed(names, count) });
    },
  },
  tactics_uncovered: {
    weight: 'later',
    values: ({ coverage, standing }) => {
      const without = coverage.filter(({ policies }) => policies === 0).map(({ tactic }) => tactic);
      return when(without.length > 0 && standing.enabled_policies > 0, {
        count: without.length,
        tactics: coverage.length,
        tactic_names: without.join('|'),
      });
    },
  },
  policies_off: {
    weight: 'later',
    values: ({ standing: { policies, enabled_policies: enabled } }) =>
      when(enabled > 0 && policies - enabled > 0, { count: policies - enabled, policies }),
  },
};

export function recommendationsFor(facts: Facts, counts: NamedCounts): Recommendation[] {
  const found = (Object.keys(rules) as RecommendationId[]).flatMap((id) => {
    const { weight, values } = rules[id];
    const said = values(facts, counts);
    return said === undefined ? [] : [{ id, weight, values: said }];
  });
  return found.toSorted((a, b) => weights.indexOf(a.weight) - weights.indexOf(b.weight));
}

function when(isSo: boolean, values: Recommendation['values']): Recommendation['values'] | undefined {
  return isSo ? values : undefined;
}

function listed(names: readonly string[], count: number): string {
  const shown = names.slice(0, NAMES_SHOWN);
  const more = count - shown.length;
  return shown.join(', ') + (more > 0 ? ` +${more}` : '');
}
