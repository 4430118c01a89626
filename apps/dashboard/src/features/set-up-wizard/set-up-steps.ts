import type { Onboarding } from '@airdeck/contracts/onboarding/schema';
import { t } from '../../language/translate.ts';
import type { OnboardingBody } from '../../queries/onboarding.ts';

/** Steps of the wizard, in order. */
export const steps = ['allow-list', 'reachability', 'source'] as const;
export type Step = (typeof steps)[number];

/** Asked for when it is shown: this file may be there before the texts of the screens are. */
export function stepWords(step: Step): { title: string; purpose: string } {
  if (step === 'allow-list') {
    const purpose = t('Your firewall must let our calls through to the systems you connect.');
    return { title: t('Let us in'), purpose };
  }
  if (step === 'reachability') {
    return { title: t('Check the way'), purpose: t('See whether a system of yours can be reached from here.') };
  }
  return { title: t('Send events'), purpose: t('Point a system at an event source, and wait for its first event.') };
}

export function firstTitle(): string {
  return t('Connect your first systems');
}

/** What the wizard keeps with the onboarding; never a secret. */
export type SetUpData = {
  /** The last check, by host. */
  checked?: { host: string; reachable: boolean; at: string };
  /** The event source that is waited for. */
  source_id?: string;
};

export function newSetUp(taken: readonly string[]): OnboardingBody {
  return { kind: 'connector', title: freeTitle(taken), step: steps[0], steps: [...steps], data: {} };
}

/** The first name nobody has yet, so that two set-ups can be told apart. */
function freeTitle(taken: readonly string[]): string {
  const first = firstTitle();
  const names = [first, ...Array.from({ length: taken.length }, (_, index) => `${first} (${index + 2})`)];
  return names.find((name) => !taken.includes(name)) ?? first;
}

/** The step the wizard goes on with; the first where another release wrote a step this one does not know. */
export function stepOf({ step }: Pick<Onboarding, 'step'>): Step {
  return steps.find((each) => each === step) ?? steps[0];
}

export function stepAfter(step: Step): Step | undefined {
  return steps[steps.indexOf(step) + 1];
}

/** What was kept, as far as it has the form this release writes. */
export function setUpData({ data }: Pick<Onboarding, 'data'>): SetUpData {
  const { checked, source_id: source } = data;
  return {
    ...(isCheck(checked) ? { checked } : {}),
    ...(typeof source === 'string' ? { source_id: source } : {}),
  };
}

/** The onboarding with another step or more data, as the route takes it; what others wrote into it stays. */
export function changedSetUp(of: Onboarding, change: { step?: Step; data?: SetUpData }): OnboardingBody {
  const { kind, title } = of;
  const furthest = Math.max(steps.indexOf(stepOf(of)), steps.indexOf(change.step ?? steps[0]));
  return {
    kind,
    title,
    step: steps[furthest] ?? steps[0],
    steps: [...steps],
    data: { ...of.data, ...change.data },
  };
}

function isCheck(value: unknown): value is NonNullable<SetUpData['checked']> {
  if (typeof value !== 'object' || value === null) return false;
  const { host, reachable, at } = value as Record<string, unknown>;
  return (
    typeof host === 'string' &&
    typeof reachable === 'boolean' &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at))
  );
}
