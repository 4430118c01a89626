import type { SignupDetails } from '@airdeck/contracts/marketplace/schema';
import { t } from '../../language/translate.ts';
import { KeyFacts } from '../../ui/key-facts.tsx';

const statusWords: Readonly<Record<SignupDetails['status'], string>> = {
  NotStarted: t('Not started'),
  PendingFulfillmentStart: t('Bought, not activated yet'),
  Subscribed: t('Active'),
  Suspended: t('Suspended'),
  Unsubscribed: t('Ended'),
};

/** What was bought, as the marketplace says it. */
export function PurchaseFacts({ details }: { details: SignupDetails }) {
  const rows = [
    { label: t('Subscription'), value: details.subscription_name },
    { label: t('Plan'), value: details.plan_id },
    ...(details.quantity === null ? [] : [{ label: t('Seats'), value: String(details.quantity) }]),
    { label: t('State'), value: statusWords[details.status] },
    ...(details.is_test ? [{ label: t('Kind'), value: t('Test purchase, not billed') }] : []),
  ];
  return <KeyFacts facts={rows} />;
}
