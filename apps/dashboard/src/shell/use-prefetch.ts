import { useEffect } from 'react';
import { whenIdle } from '../lib/idle.ts';
import { useApp, useSession, useTenantApi } from '../session/app-context.ts';

/**
 * Prefetches as long as the frame is shown: anew for another tenant or role, called off when it is left. What it takes to
 * know what to ask for loads when the browser is idle, too.
 */
export function usePrefetchOnEntry(): void {
  const { queryClient } = useApp();
  const { api, tenantId } = useTenantApi();
  const session = useSession();
  useEffect(() => {
    let left = false;
    let stop: (() => void) | undefined;
    const callOff = whenIdle(() => {
      import('./prefetch-on-entry.ts')
        .then(({ prefetchOnEntry }) => {
          if (!left) stop = prefetchOnEntry({ queryClient, tenantApi: { api, tenantId }, session, whenIdle });
        })
        // Without it everything works, only later; a screen whose own code does not load says so.
        .catch(() => undefined);
    });
    return () => {
      left = true;
      callOff();
      stop?.();
    };
  }, [queryClient, api, tenantId, session]);
}
