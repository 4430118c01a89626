import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { t } from '../../language/translate.ts';
import type { Reader } from '../../ui/reader.ts';
import type { NameOfAction } from '../action-names.ts';

export type StepWords = {
  name: string;
  /** What it does: the friendly name of an action, or the kind of step. */
  what: string;
  /** On whose product. */
  vendor: string | undefined;
};

type Speaking = { nameOf: NameOfAction; locale: Reader['locale'] };

/** How one action of a playbook is spoken of, in the graph and in the list alike. */
export function stepWords(action: PlaybookAction, { nameOf, locale }: Speaking): StepWords {
  switch (action.kind) {
    case 'action': {
      const { name, vendor } = nameOf(action.action);
      return { name: sentence(action.id), what: name, vendor };
    }
    case 'prompt':
      return { name: sentence(action.id), what: t('Question'), vendor: undefined };
    case 'delay':
      return {
        name: t('Wait {formatDuration}', { formatDuration: formatDuration(action.seconds, locale) }),
        what: t('Delay'),
        vendor: undefined,
      };
    case 'playbook':
      return { name: sentence(action.id), what: t('Playbook'), vendor: undefined };
  }
}

/** `ask_owner` as "Ask owner". */
function sentence(id: string): string {
  const words = id.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
