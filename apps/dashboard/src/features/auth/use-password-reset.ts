import { useNavigate } from '@tanstack/react-router';
import { signInPlace, useAskedFor } from '../../components/entry/asked-for.ts';
import { useSubmit } from '../../components/entry/use-submit.ts';
import { useApp } from '../../session/app-context.ts';
import { handOver } from '../../session/handover.ts';

type Reset = { email: string; code: string; password: string };

/** Sets the password with a mailed code, then leads to the sign-in: every session has ended, this browser's too. */
export function usePasswordReset() {
  const { identity, queryClient } = useApp();
  const navigate = useNavigate();
  const askedFor = useAskedFor();
  const { problem, busy, submit } = useSubmit();
  const reset = (given: Reset) =>
    submit(async () => {
      await (await identity.account()).resetPassword(given);
      identity.forget();
      handOver(queryClient, { email: given.email, done: 'password_set' });
      await navigate(signInPlace(askedFor));
    });
  return { problem, busy, reset };
}
