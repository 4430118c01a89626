import type { ActionEffect } from '@airdeck/contracts/actions/schema';
import { formatDuration } from '@airdeck/domain/duration';
import type { Reader } from '../../../../ui/reader.ts';
import type { Known } from '../document/available-references.ts';
import { type ActionKind, type BuilderAction, textAt, wordsOf } from '../document/builder-action.ts';

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
  action: 'Action',
  prompt: 'Question',
  delay: 'Delay',
  playbook: 'Playbook',
};

export function stepLook(action: BuilderAction, known: Known, locale: Reader['locale']): StepLook {
  const { id, kind } = action;
  const name = wordsOf(id);
  switch (kind) {
    case 'action': {
      const definition = known.actions.get(textAt(action, 'action'));
      const note = definition === undefined ? textAt(action, 'action') || 'No action yet' : definition.friendly_name;
      return { id, kind, name, note, effect: definition?.effect };
    }
    case 'prompt':
      return { id, kind, name, note: textAt(action, 'message') || 'Question', effect: undefined };
    case 'delay': {
      const { seconds } = action;
      const note = typeof seconds === 'number' ? `Waits ${formatDuration(seconds, locale)}` : 'Delay';
      return { id, kind, name, note, effect: undefined };
    }
    case 'playbook': {
      const playbook = known.playbooks.get(textAt(action, 'playbook_id'));
      return { id, kind, name, note: playbook?.metadata.name ?? 'No playbook yet', effect: undefined };
    }
  }
}
