import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { settingsMutations, settingsQueries } from '../../../queries/settings.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';

/** The settings of the tenant, which the route has loaded. */
export function useTenantSettings() {
  return useSuspenseQuery(settingsQueries.get(useTenantApi())).data;
}

export function useSettingsChange() {
  const { queryClient } = useApp();
  return useMutation(settingsMutations.update(useTenantApi(), queryClient));
}
