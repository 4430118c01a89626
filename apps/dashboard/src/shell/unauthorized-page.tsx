import { roleLabels } from '@airdeck/contracts/access/roles';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useSession } from '../session/app-context.ts';
import { useTenantName } from '../session/use-current-user.ts';
import { MessagePage } from './message-page.tsx';

export function UnauthorizedPage() {
  const { currentRole } = useSession();
  const tenant = useTenantName();
  return (
    <MessagePage title="You are not allowed to see this" section="Unauthorized" actions={<GoHome />}>
      <p>
        Your role in {tenant} is {roleLabels[currentRole]}, which does not include this screen. An administrator of the
        tenant can change it.
      </p>
    </MessagePage>
  );
}

export function NotEnabledPage() {
  const tenant = useTenantName();
  return (
    <MessagePage title="Not part of your plan" section="Not enabled" actions={<GoHome />}>
      <p>The plan of {tenant} does not include this area. Ask your account manager to add it.</p>
    </MessagePage>
  );
}

function GoHome() {
  return (
    <Button component={Link} to="/home">
      Go home
    </Button>
  );
}
