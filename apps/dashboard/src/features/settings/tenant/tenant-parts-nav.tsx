import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../../language/translate.ts';
import { settingsQueries } from '../../../queries/settings.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import classes from '../settings.module.css';
import { currentPart, tenantPartLabels, tenantParts } from './tenant-parts.ts';
import type { TenantPanel } from './tenant-settings-search.ts';

/** Parts of the tenant settings below their screen: too many for tabs on one line. */
export function TenantPartsNav({ panel }: { panel: TenantPanel | undefined }) {
  const settings = useQuery(settingsQueries.get(useTenantApi()));
  const parts = tenantParts(settings.data?.is_provider === true);
  const current = currentPart(parts, panel);
  return (
    <nav aria-label={t('Tenant settings')}>
      <ul className={classes.parts}>
        {parts.map((part) => (
          <li key={part}>
            <Link
              to="/settings/tenant-settings"
              search={{ panel: part }}
              className={classes.page}
              aria-current={part === current ? 'page' : undefined}
            >
              {tenantPartLabels[part]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
