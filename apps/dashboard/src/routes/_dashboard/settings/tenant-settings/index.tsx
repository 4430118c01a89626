import { createFileRoute } from '@tanstack/react-router';
import { TenantSettingsPage } from '../../../../features/settings/tenant/tenant-settings-page.tsx';
import { tenantSettingsSearch } from '../../../../features/settings/tenant/tenant-settings-search.ts';
import { settingsQueries } from '../../../../queries/settings.ts';
import { requireAccess } from '../../../../session/access.ts';
import { tenantApiOf } from '../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/settings/tenant-settings/')({
  validateSearch: tenantSettingsSearch,
  beforeLoad: requireAccess('tenantSettings'),
  loader: ({ context }) => context.queryClient.ensureQueryData(settingsQueries.get(tenantApiOf(context))),
  component: TenantSettingsPage,
});
