import { notFound, redirect } from '@tanstack/react-router';

/** Steps that may be left after another provider sent somebody back (spec §2, azure callback and its variants). */
export const callbackSteps = ['continue', 'verify-email', 'reset-password', 'second-factor'] as const;
export type CallbackStep = (typeof callbackSteps)[number];

export function enterCallbackStep(step: string): CallbackStep {
  if (step === 'first-factor') throw redirect({ to: '/validate', search: { oauth_callback: true } });
  const known = callbackSteps.find((candidate) => candidate === step);
  if (known === undefined) throw notFound();
  return known;
}
