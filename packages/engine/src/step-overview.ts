import type { ActionNode, Definition } from './definition.ts';
import type { Step } from './interfaces.ts';
import type { StepStatus } from './statuses.ts';

export type OverviewEntry = {
  readonly actionId: string;
  readonly kind: ActionNode['kind'];
  /** The action's name; for prompts and delays the action's id. */
  readonly name: string;
  /** An action the run has not reached is `pending`. */
  readonly status: StepStatus;
  readonly step: Step | null;
};

/** Every action of a definition in its order, with the step the run has made of it so far. */
export function stepOverview(definition: Definition, steps: readonly Step[]): OverviewEntry[] {
  const byAction = new Map(steps.map((step) => [step.actionId, step]));
  return definition.actions.map((node) => {
    const step = byAction.get(node.id) ?? null;
    const name = node.kind === 'action' ? node.action : node.id;
    return { actionId: node.id, kind: node.kind, name, status: step?.status ?? 'pending', step };
  });
}
