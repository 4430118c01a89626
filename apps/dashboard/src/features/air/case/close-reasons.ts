import type { CloseReason } from '@airdeck/contracts/statuses';
import { t } from '../../../language/translate.ts';

/** How close reasons are spoken of, and when to choose which. */
export const closeReasonWords: Readonly<Record<CloseReason, { label: string; help: string }>> = {
  true_positive: {
    label: t('True positive'),
    help: t('A real attack or breach of policy, and it has been dealt with.'),
  },
  false_positive: {
    label: t('False positive'),
    help: t('The policy matched something that did not happen as it says.'),
  },
  benign: { label: t('Benign'), help: t('It happened, but it was expected or harmless.') },
  duplicate: { label: t('Duplicate'), help: t('Another case is about the same thing.') },
};
