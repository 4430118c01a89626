import { createContext, useContext } from 'react';

type SwitchTo = (tenantId: string) => void;

const TenantSwitchContext = createContext<SwitchTo | undefined>(undefined);

export const TenantSwitchProvider = TenantSwitchContext.Provider;

/** Of forms with changes: each asks its reader, and calls `leave` when they would rather lose them than stay. */
export const switchQuestions = new Set<(leave: () => void) => void>();

/** The switch of the frame (spec §4), for screens that lead into a tenant. */
export function useTenantSwitch(): SwitchTo {
  const switchTo = useContext(TenantSwitchContext);
  if (switchTo === undefined) throw new Error('useTenantSwitch outside of the dashboard');
  return switchTo;
}
