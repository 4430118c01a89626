import type { QueryClient } from '@tanstack/react-query';
import type { BrowserStorage } from './browser-storage.ts';
import { toasts } from './toasts.ts';

/** Key of the persisted cache (spec §9). */
export const PERSISTED_KEY = 'local';

/**
 * Forgets every answer, in memory and in storage, and what toasts say of them. What the persister's throttle still
 * holds is written after this from the emptied cache, so nothing comes back.
 */
export async function wipeCaches(queryClient: QueryClient, storage: BrowserStorage): Promise<void> {
  await queryClient.cancelQueries();
  queryClient.clear();
  storage.removeItem(PERSISTED_KEY);
  toasts.clear();
}
