import type { SignupDetails } from '@airdeck/contracts/marketplace/schema';
import { KeyFacts } from '../../ui/key-facts.tsx';

const statusWords: Readonly<Record<SignupDetails['status'], string>> = {
  NotStarted: 'Not started',
  PendingFulfillmentStart: 'Bought, not activated yet',
  Subscribed: 'Active',
  Suspended: 'Suspended',
  Unsubscribed: 'Ended',
};

/** What was bought, as the marketplace says it. */
export function PurchaseFacts({ details }: { details: SignupDetails }) {
  const rows = [
    { label: 'Subscription', value: details.subscription_name },
    { label: 'Plan', value: details.plan_id },
    ...(details.quantity === null ? [] : [{ label: 'Seats', value: String(details.quantity) }]),
    { label: 'State', value: statusWords[details.status] },
    ...(details.is_test ? [{ label: 'Kind', value: 'Test purchase, not billed' }] : []),
  ];
  return <KeyFacts facts={rows} />;
}
