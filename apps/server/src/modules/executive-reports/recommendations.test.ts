import { expect, test } from 'vitest';
import { countsNamed, emptyFacts, octoberFacts } from './pdf/facts-fixture.ts';
import { recommendationsFor } from './recommendations.ts';

type Facts = Parameters<typeof recommendationsFor>[0];
const idsOf = (facts: Facts) => recommendationsFor(facts, countsNamed(facts)).map(({ id }) => id);
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
  const weights = recommendationsFor(calm, countsNamed(calm)).map(({ weight }) => weight);
  expect(weights).toEqual(
    [...weights].sort((a, b) => ['now', 'soon', 'later'].indexOf(a) - ['now', 'soon', 'later'].indexOf(b)),
  );
  expect(weights[0]).toBe('now');
});

test('a tenant that has not begun is told to begin, not to tune', () => {
  expect(idsOf(emptyFacts())).toEqual(['no_policies']);
});

test('what is listed in part is counted in whole', () => {
  const counts = { noisy_policies: 9, failing_connectors: 31, silent_sources: 40 };
  const names = ['A', 'B', 'C', 'D'];
  const facts = octoberFacts({
    standing: {
      ...standing,
      failing_connectors: names,
      noisy_policies: names.slice(0, 3).map((name) => ({ name, cases: 9, false_positives: 8 })),
    },
    volume: { ...volume, silent: ['A'] },
  });
  const said = new Map(recommendationsFor(facts, counts).map(({ id, values }) => [id, values]));
  expect(said.get('noisy_policies')).toEqual({ count: 9, names: 'A, B, C +6' });
  expect(said.get('connectors_failing')).toEqual({ count: 31, names: 'A, B, C +28' });
  expect(said.get('silent_sources')).toEqual({ count: 40, names: 'A +39' });
});
