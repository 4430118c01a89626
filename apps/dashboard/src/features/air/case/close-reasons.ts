import type { CloseReason } from '@airdeck/contracts/statuses';

/** How close reasons are spoken of, and when to choose which. */
export const closeReasonWords: Readonly<Record<CloseReason, { label: string; help: string }>> = {
  true_positive: { label: 'True positive', help: 'A real attack or breach of policy, and it has been dealt with.' },
  false_positive: { label: 'False positive', help: 'The policy matched something that did not happen as it says.' },
  benign: { label: 'Benign', help: 'It happened, but it was expected or harmless.' },
  duplicate: { label: 'Duplicate', help: 'Another case is about the same thing.' },
};
