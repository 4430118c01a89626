import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { formatDuration } from '@airdeck/domain/duration';
import type { NameOfAction } from '../action-names.ts';

export type StepWords = {
  name: string;
  /** What an action does on whose product, or what kind of step it is. */
  note: string;
};

/** How one action of a playbook is spoken of, in the graph and in the list alike. */
export function stepWords(action: PlaybookAction, nameOf: NameOfAction): StepWords {
  switch (action.kind) {
    case 'action': {
      const { name, vendor } = nameOf(action.action);
      return { name: sentence(action.id), note: vendor === undefined ? name : `${name} · ${vendor}` };
    }
    case 'prompt':
      return { name: sentence(action.id), note: 'Question' };
    case 'delay':
      return { name: `Wait ${formatDuration(action.seconds)}`, note: 'Delay' };
  }
}

/** `ask_owner` as "Ask owner". */
function sentence(id: string): string {
  const words = id.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
