import type { SignupDetails } from '@airdeck/contracts/marketplace/schema';
import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import classes from '../../components/entry/entry.module.css';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { EntryWait } from '../../components/entry/entry-wait.tsx';
import { useSubmit } from '../../components/entry/use-submit.ts';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { useApp } from '../../session/app-context.ts';
import { currentUserQuery } from '../../session/current-user.ts';
import { handedOver } from '../../session/handover.ts';
import { endSignupFlow, signupFlow } from '../../session/signup-flow.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { PurchaseFacts } from './purchase-facts.tsx';
import { purchaseQuery } from './purchase-query.ts';
import type { SignedIn } from './who-is-signed-in.ts';

/** Last step of a purchase: what was bought, the name of the tenant, and the activation. */
export function ConfirmPurchasePage({ who }: { who: SignedIn }) {
  const { api } = useApp();
  const [token] = useState(() => signupFlow().token ?? '');
  const details = useQuery(purchaseQuery(api, token));
  if (details.data !== undefined) return <ConfirmPurchase token={token} details={details.data} who={who} />;
  if (!details.isError) return <EntryWait section={t('Azure Marketplace')} text={t('Reading your purchase…')} />;
  return (
    <EntryCard title={t('Your purchase')} section={t('Azure Marketplace')} foot={<AnotherAccount />}>
      <ErrorState error={details.error} onRetry={() => void details.refetch()} retrying={details.isFetching} />
    </EntryCard>
  );
}

type Props = { token: string; details: SignupDetails; who: SignedIn };

function ConfirmPurchase({ token, details, who }: Props) {
  const { api, queryClient } = useApp();
  const navigate = useNavigate();
  const [tenantName, setTenantName] = useState(details.tenant?.name ?? details.subscription_name);
  const [fullname, setFullname] = useState(() => handedOver(queryClient).fullname ?? '');
  const { problem, busy, submit } = useSubmit();
  const refusal = refusalOf(details, who);
  const activate = (event: FormEvent) => {
    event.preventDefault();
    void submit(async () => {
      const opened = await api.call('marketplace.activate', {
        query: { token },
        body: { tenant_name: tenantName, ...(who.hasAccount ? {} : { fullname }) },
      });
      endSignupFlow();
      queryClient.removeQueries({ queryKey: currentUserQuery(api).queryKey });
      queryClient.removeQueries({ queryKey: purchaseQuery(api, token).queryKey });
      await navigate({ to: '/validate', search: { signup_flow: true, redirect: `/home?tenant=${opened.tenant}` } });
    });
  };
  return (
    <EntryCard
      title={t('Confirm your purchase')}
      section={t('Azure Marketplace')}
      text={t('Signed in as {email}.', { email: who.email })}
      foot={<AnotherAccount />}
      wide
    >
      <PurchaseFacts details={details} />
      {refusal === undefined ? (
        <form onSubmit={activate}>
          <Stack gap="sm">
            <ProblemNote error={problem} />
            <TextField
              label={t('Name of the tenant')}
              name="organization"
              autoComplete="organization"
              required
              maxLength={200}
              value={tenantName}
              onChange={setTenantName}
            />
            {who.hasAccount ? null : (
              <TextField
                label={t('Your full name')}
                name="name"
                autoComplete="name"
                required
                maxLength={200}
                value={fullname}
                onChange={setFullname}
              />
            )}
            <Button type="submit" fullWidth loading={busy}>
              {t('Activate')}
            </Button>
          </Stack>
        </form>
      ) : (
        <div className={classes.note} role="alert">
          {refusal}
        </div>
      )}
    </EntryCard>
  );
}

/** Why there is nothing to activate here; the server refuses the same. */
function refusalOf(details: SignupDetails, who: SignedIn): string | undefined {
  if (details.status === 'Unsubscribed') return t('This subscription has ended. Buy it again in the Azure portal.');
  if (details.tenant !== null) {
    return t('The subscription belongs to the tenant {name} already. Ask one of its Admins for an invitation.', {
      name: details.tenant.name,
    });
  }
  if (details.is_for_caller) return undefined;
  const owner = details.beneficiary_email ?? details.purchaser_email;
  return t('This purchase belongs to {owner}, and you are {email}. Go on with that account.', {
    owner: owner ?? t('another account'),
    email: who.email,
  });
}

function AnotherAccount() {
  return (
    <Link to="/signup/switch-accounts" search={{ attempt_pathname: '/signup/azure' }} preload={false}>
      {t('Use another account')}
    </Link>
  );
}
