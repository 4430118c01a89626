import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { t } from '../../../language/translate.ts';

/** Why a playbook cannot be run; undefined when it can. */
export function notStartable({ version }: Pick<Playbook, 'version'>): string | undefined {
  return version === 0
    ? t('It is still a draft. Publish it in the builder first; there it can be tried, too.')
    : undefined;
}
