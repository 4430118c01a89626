import { expect, test } from 'vitest';
import { emptyFacts, octoberFacts } from './pdf/facts-fixture.ts';
import { recommendationsFor } from './recommendations.ts';

const idsOf = (facts: Parameters<typeof recommendationsFor>[0]) => recommendationsFor(facts).map(({ id }) => id);
const calm = octoberFacts();
const { standing, volume, automation, cases } = calm;

test.each<[string, Parameters<typeof octoberFacts>[0], boolean]>([
  ['automation_off', { standing: { ...standing, automation_enabled: false } }, true],
  ['automation_off', {}, false],
  ['connectors_failing', { standing: { ...standing, failing_connectors: [] } }, false],
  ['silent_sources', { volume: { ...volume, silent: [] } }, false],
  ['members_without_mfa', { standing: { ...standing, members_without_mfa: 0 } }, false],
  ['volume_dropped', { volume: { ...volume, events: 5_000_000 } }, true],
  ['volume_dropped', { volume: { ...volume, events: 5_000_000 }, partial: true }, false],
  ['runs_failing', { automation: { ...automation, failed_runs: 20 } }, true],
  ['unanswered', { cases: { ...cases, answered: 20 } }, true],
  ['slower', { cases: { ...cases, means: { ...cases.means, manual_mttr: 20_000 } } }, true],
  ['slower', { cases: { ...cases, means: { ...cases.means, manual_mttr: null } } }, false],
])('%s with %j: %s', (id, change, isSaid) => {
  expect(idsOf(octoberFacts(change)).some((one) => one === id)).toBe(isSaid);
});

test('what cannot wait comes first', () => {
  const weights = recommendationsFor(calm).map(({ weight }) => weight);
  expect(weights).toEqual(
    [...weights].sort((a, b) => ['now', 'soon', 'later'].indexOf(a) - ['now', 'soon', 'later'].indexOf(b)),
  );
  expect(weights[0]).toBe('now');
});

test('a tenant that has not begun is told to begin, not to tune', () => {
  expect(idsOf(emptyFacts())).toEqual(['no_policies']);
});
