import { AppError } from '../../http/app-error.ts';
import { isStillAhead } from '../../still-ahead.ts';
import type { TenantScope } from '../../tenant-scope.ts';

const WINDOW_MS = 60_000;
const TENANTS_MAX = 5_000;

/** Whether a tenant may do this once more in this minute: each time calls an address the tenant chose. Per process. */
export function createCallLimit(deps: { now: () => Date; perMinute: number }): (tenantId: string) => boolean {
  const windows = new Map<string, { used: number; endsAt: number }>();
  return (tenantId) => {
    const at = deps.now().getTime();
    const known = windows.get(tenantId);
    const isOpen = known !== undefined && isStillAhead(known.endsAt, { at, lastsMs: WINDOW_MS });
    const window = isOpen ? known : { used: 0, endsAt: at + WINDOW_MS };
    if (window.used >= deps.perMinute) return false;
    if (windows.size >= TENANTS_MAX) windows.clear();
    windows.set(tenantId, { ...window, used: window.used + 1 });
    return true;
  };
}

/** Refuses what is over the limit. */
export function requireLeft(mayDo: (tenantId: string) => boolean, { tenantId }: TenantScope): void {
  if (!mayDo(tenantId)) throw new AppError('RATE_LIMITED', { retryAfterS: 60 });
}
