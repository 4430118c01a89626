import { roleLabels } from '@airdeck/contracts/access/roles';
import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { known, t } from '../language/translate.ts';
import { NOT_A_MEMBER } from '../session/access.ts';
import { useSession } from '../session/app-context.ts';
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
  return (
    <MessagePage title={t('Not part of your plan')} section={t('Not enabled')} actions={<GoHome />}>
      <p>{t('The plan of {tenant} does not include this area. Ask your account manager to add it.', { tenant })}</p>
    </MessagePage>
  );
}

function GoHome() {
  return (
    <Button component={Link} to="/home">
      {t('Go home')}
    </Button>
  );
}
