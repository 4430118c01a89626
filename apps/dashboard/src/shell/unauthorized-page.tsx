import { roleLabels } from '@airdeck/contracts/access/roles';
import type { Tenant } from '@airdeck/contracts/tenants/schema';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { known, t } from '../language/translate.ts';
import { tenantQueries } from '../queries/tenants.ts';
import { NOT_A_MEMBER } from '../session/access.ts';
import { useSession, useTenantApi } from '../session/app-context.ts';
import { useTenantName } from '../session/use-current-user.ts';
import { MessagePage } from './message-page.tsx';

export function UnauthorizedPage() {
  const { currentRole } = useSession();
  const tenant = useTenantName();
  const isStranger = useLocation({ select: ({ hash }) => hash === NOT_A_MEMBER });
  return (
    <MessagePage title={t('You are not allowed to see this')} section={t('Unauthorized')} actions={<GoHome />}>
      <p>
        {isStranger
          ? t('You are not a member of that tenant.')
          : t(
              'Your role in {tenant} is {currentRole}, which does not include this screen. An administrator of the tenant can change it.',
              { tenant, currentRole: known(roleLabels[currentRole]) },
            )}
      </p>
    </MessagePage>
  );
}

export function NotEnabledPage() {
  const tenant = useTenantName();
  const { data: { subscription } = {} } = useQuery(tenantQueries.state(useTenantApi()));
  const isHeldBack = subscription != null && subscription !== 'active';
  return (
    <MessagePage
      title={isHeldBack ? t('Not available now') : t('Not part of your plan')}
      section={t('Not enabled')}
      actions={<GoHome />}
    >
      <p>{reasonOf(subscription, tenant)}</p>
    </MessagePage>
  );
}

function reasonOf(subscription: Tenant['subscription'], tenant: string): string {
  switch (subscription) {
    case 'opened':
      return t('The Azure subscription of {tenant} is not active yet. This area opens once it is.', { tenant });
    case 'suspended':
      return t('The Azure subscription of {tenant} is suspended. See to it in the Azure portal.', { tenant });
    case 'ended':
      return t('The Azure subscription of {tenant} has ended. See to it in the Azure portal.', { tenant });
    case 'active':
      return t('The plan of {tenant} does not include this area. Change the plan in the Azure portal.', { tenant });
    default:
      return t('The plan of {tenant} does not include this area. Ask your account manager to add it.', { tenant });
  }
}

function GoHome() {
  return (
    <Button component={Link} to="/home">
      {t('Go home')}
    </Button>
  );
}
