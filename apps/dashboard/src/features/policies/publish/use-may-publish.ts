import { useAccess } from '../../../session/access.ts';
import { useSession } from '../../../session/app-context.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';

/** Whether this tenant manages others, and the reader may change its policies. */
export function useMayPublish(): boolean {
  const { currentTenant } = useSession();
  const { tenants } = useCurrentUser();
  return useAccess('airAutomation').allowed && tenants[currentTenant]?.is_provider === true;
}
