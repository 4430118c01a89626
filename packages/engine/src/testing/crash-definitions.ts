import type { ActionNode, Definition } from '../definition.ts';
import type { ResolvePlaybook } from '../interfaces.ts';
import { testTraits } from './test-engine.ts';

/** One call after the other, whatever becomes of the one before. */
export const chain = (...names: string[]): Definition => ({
  actions: names.map((action, index): ActionNode => {
    const depends_on = index === 0 ? [] : [`s${index - 1}`];
    return { id: `s${index}`, kind: 'action', action, on_error: 'continue', depends_on };
  }),
});

export const crashChain = chain('read', 'change', 'put', 'change', 'read');

/** Every process that works on a run must find the same. */
export const resolveCrashPlaybook: ResolvePlaybook = async () => ({
  definition: crashChain,
  traits: testTraits,
  name: 'chain',
});
