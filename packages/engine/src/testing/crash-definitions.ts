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

const crashChain = chain('read', 'change', 'put', 'change', 'read');

/** Every process that works on a run must find the same. */
export const resolveCrashPlaybook: ResolvePlaybook = async () => ({
  definition: crashChain,
  traits: testTraits,
  name: 'chain',
});

/** One after the other, for each of four items and then once, and by a run the run starts: five calls each. */
const ofFiveCalls: readonly Definition[] = [
  crashChain,
  {
    inputs: { properties: { list: {} } },
    actions: [
      {
        id: 'each',
        kind: 'action',
        action: 'change',
        for_each: 'inputs.list',
        input: '{{ item }}',
        on_error: 'continue',
      },
      { id: 'last', kind: 'action', action: 'read', depends_on: ['each'], on_error: 'continue' },
    ],
    exec_options: { max_concurrent_actions: 2 },
  },
  { actions: [{ id: 'sub', kind: 'playbook', playbook_id: 'chain', on_error: 'continue' }] },
];

/** The n-th run of a load: each makes five calls, by one of the three ways in turn. */
export function fiveCalls(n: number): { readonly definition: Definition; readonly inputs: unknown } {
  return { definition: ofFiveCalls[n % ofFiveCalls.length] ?? crashChain, inputs: { list: [1, 2, 3, 4] } };
}

export const CALLS_PER_RUN = 5;
