const TESTS_PER_MINUTE = 10;
const WINDOW_MS = 60_000;
const TENANTS_MAX = 5_000;

/**
 * Whether a tenant may test a connection, or look for a domain's record, now: each makes calls to an address or about a
 * name the tenant chose. Per process and kind.
 */
export function createTestLimit(now: () => Date): (tenantId: string) => boolean {
  const windows = new Map<string, { used: number; endsAt: number }>();
  return (tenantId) => {
    const at = now().getTime();
    const known = windows.get(tenantId);
    const window = known !== undefined && known.endsAt > at ? known : { used: 0, endsAt: at + WINDOW_MS };
    if (window.used >= TESTS_PER_MINUTE) return false;
    if (windows.size >= TENANTS_MAX) windows.clear();
    windows.set(tenantId, { ...window, used: window.used + 1 });
    return true;
  };
}
