import { createContext, type ReactNode, useContext } from 'react';
import { type LiveState, useLiveUpdates } from '../lib/live-updates.ts';
import { useTenantApi } from '../session/app-context.ts';

const LiveContext = createContext<LiveState | undefined>(undefined);

/** Keeps the live stream of the tenant open. Only what shows how it stands is drawn again when that changes. */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const live = useLiveUpdates(useTenantApi());
  return <LiveContext value={live}>{children}</LiveContext>;
}

export function useLiveState(): LiveState {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error('There is no live stream here.');
  return live;
}
