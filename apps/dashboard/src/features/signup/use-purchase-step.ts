import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useSubmit } from '../../components/entry/use-submit.ts';
import { wipeCaches } from '../../lib/wipe-caches.ts';
import { useApp } from '../../session/app-context.ts';
import { handedOver, handOver } from '../../session/handover.ts';

/** State every left-over step shares: whose it is, its submission, and the way to the purchase's last step. */
export function usePurchaseStep() {
  const { queryClient, storage } = useApp();
  const navigate = useNavigate();
  const [{ email: known, fullname }] = useState(() => handedOver(queryClient));
  const [email, setEmail] = useState(known ?? '');
  const signedIn = async () => {
    await wipeCaches(queryClient, storage);
    // Typed once: the last step needs it again.
    if (fullname !== undefined) handOver(queryClient, { fullname });
    await navigate({ to: '/signup/azure/confirm' });
  };
  return { ...useSubmit(), email, setEmail, isKnown: known !== undefined, signedIn };
}
