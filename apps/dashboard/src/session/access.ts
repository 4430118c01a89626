import { type Refusal, refusal, requirements } from '@airdeck/contracts/access/requirements';
import { redirect } from '@tanstack/react-router';
import { t } from '../language/translate.ts';
import { type AppContext, useSession } from './app-context.ts';
import { type Session, sessionOf } from './session-store.ts';

/** Rows of the requirement table that the server reads too. */
export type Area = keyof typeof requirements;

/** In the address of `/unauthorized`: what is missing is not a role. */
export const NOT_A_MEMBER = 'not-a-member';

/** Undefined when the session may enter, otherwise why not. */
export function refusalFor(area: Area, session: Session): Refusal | undefined {
  return refusal(requirements[area], { role: session.currentRole, plan: session.currentSKU });
}

/**
 * Guard of a route: `beforeLoad: requireAccess('playbooks')`. A role below the required one goes to `/unauthorized`, a
 * plan without the area to the not-enabled page (spec §6).
 */
export function requireAccess(area: Area) {
  return ({ context }: { context: Pick<AppContext, 'session'> }): void => {
    const refused = refusalFor(area, sessionOf(context.session.get()));
    if (refused === 'ROLE_TOO_LOW') throw redirect({ to: '/unauthorized' });
    if (refused === 'PLAN_NOT_ENABLED') throw redirect({ to: '/not-enabled' });
  };
}

/** Whether the current user may; for showing or locking a control, with the reason to show. */
export function useAccess(area: Area): { allowed: boolean; reason: string | undefined } {
  const refused = refusalFor(area, useSession());
  return { allowed: refused === undefined, reason: refused === undefined ? undefined : reasons[refused]() };
}

const reasons: Readonly<Record<Refusal, () => string>> = {
  ROLE_TOO_LOW: () => t('Your role does not allow this.'),
  PLAN_NOT_ENABLED: () => t('The plan of this tenant does not include this.'),
};
