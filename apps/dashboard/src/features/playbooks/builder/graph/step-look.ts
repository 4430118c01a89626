import type { ActionEffect } from '@airdeck/contracts/actions/schema';
import { formatDuration } from '@airdeck/domain/duration';
import type { StepState } from '../../../../components/flow/edge-looks.ts';
import { plural } from '../../../../language/plural.ts';
import { t } from '../../../../language/translate.ts';
import type { Reader } from '../../../../ui/reader.ts';
import type { Known } from '../document/available-references.ts';
import { type ActionKind, type BuilderAction, idFrom, textAt, wordsOf } from '../document/builder-action.ts';

/** How a step is spoken of, in the graph, the list and the form alike. */
export type StepLook = {
  readonly id: string;
  readonly kind: ActionKind;
  readonly name: string;
  /** What it does. */
  readonly note: string;
  readonly effect: ActionEffect | undefined;
};

export const kindWords: Readonly<Record<ActionKind, string>> = {
  action: t('Action'),
  prompt: t('Question'),
  delay: t('Delay'),
  playbook: t('Playbook'),
};

export function stepLook(action: BuilderAction, known: Known, locale: Reader['locale']): StepLook {
  const { id, kind } = action;
  const name = wordsOf(id);
  switch (kind) {
    case 'action': {
      const definition = known.actions.get(textAt(action, 'action'));
      if (definition === undefined) {
        return { id, kind, name, note: textAt(action, 'action') || t('No action yet'), effect: undefined };
      }
      const { friendly_name, vendor, product, effect } = definition;
      // As long as the id is made from the action's name, that name says it better; then there is room for the product.
      const own = new RegExp(`^${idFrom(friendly_name)}(_\\d+)?$`).exec(id);
      if (own === null) return { id, kind, name, note: friendly_name, effect };
      const note = vendor === product ? vendor : `${vendor} ${product}`;
      return { id, kind, name: `${friendly_name}${(own[1] ?? '').replace('_', ' ')}`, note, effect };
    }
    case 'prompt':
      return { id, kind, name, note: textAt(action, 'message') || t('Question'), effect: undefined };
    case 'delay': {
      const { seconds } = action;
      const note =
        typeof seconds === 'number' ? t('Waits {time}', { time: formatDuration(seconds, locale) }) : t('Delay');
      return { id, kind, name, note, effect: undefined };
    }
    case 'playbook': {
      const playbook = known.playbooks.get(textAt(action, 'playbook_id'));
      return { id, kind, name, note: playbook?.metadata.name ?? t('No playbook yet'), effect: undefined };
    }
  }
}

type Spoken = {
  look: StepLook;
  /** Names of the steps it runs after. */
  after: readonly string[];
  problems: number;
  state: StepState | undefined;
};

/** A step for readers. The text of a question is left out: it can be a page of expressions. */
export function stepLabel({ look, after, problems, state }: Spoken): string {
  return [
    look.name,
    look.kind === 'prompt' ? kindWords.prompt : `${kindWords[look.kind]}: ${look.note}`,
    after.length === 0 ? t('runs at the start') : t('runs after {steps}', { steps: after.join(` ${t('and')} `) }),
    ...(look.effect === undefined ? [] : [look.effect]),
    ...(problems > 0 ? [problemWords(problems)] : []),
    ...(state === undefined ? [] : [state]),
  ].join(', ');
}

export function problemWords(count: number): string {
  return plural(count, '{count} problem', '{count} problems');
}
