import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../language/translate.ts';
import { actionQueries } from '../queries/actions.ts';
import { caseQueries } from '../queries/cases.ts';
import { connectorQueries } from '../queries/connectors.ts';
import { playbookQueries } from '../queries/playbooks.ts';
import { refusalFor } from '../session/access.ts';
import { useSession, useTenantApi } from '../session/app-context.ts';
import { useCurrentUser } from '../session/use-current-user.ts';
import { destinations } from './destinations.ts';
import type { Entry, EntryGroup } from './palette-entries.ts';
import type { RecentVisits } from './recent-visits.ts';

type Asked = {
  query: string;
  caseText: string;
  recent: RecentVisits;
  onSwitchTenant: (tenantId: string) => void;
};

const CASES_FROM = 2;
const CASES_SHOWN = 6;

/**
 * Everything that can be jumped to, as far as the person may go there. Cases are looked for on the server; `caseText` is the
 * query once somebody stopped typing.
 */
export function usePaletteGroups({ query, caseText, recent: visits, onSwitchTenant }: Asked): EntryGroup[] {
  const navigate = useNavigate();
  const tenantApi = useTenantApi();
  const session = useSession();
  const { allowed_tenants } = useCurrentUser();
  const may = (area: Parameters<typeof refusalFor>[0]) => refusalFor(area, session) === undefined;
  const playbooks = useQuery({ ...playbookQueries.list(tenantApi), enabled: may('playbooks') });
  const actions = useQuery({ ...actionQueries.list(tenantApi), enabled: may('actions') });
  const connectors = useQuery(connectorQueries.list(tenantApi));
  const cases = useQuery({
    ...caseQueries.list(tenantApi, { q: caseText, limit: CASES_SHOWN, page: 1 }),
    enabled: caseText.length >= CASES_FROM,
    placeholderData: keepPreviousData,
  });

  const screens = destinations
    .filter(({ area, severalTenants }) => may(area) && (severalTenants !== true || allowed_tenants.length > 1))
    .map(
      ({ label, to, search, words = '', key }): Entry => ({
        id: `screen ${label}`,
        label,
        words,
        ...(key === undefined ? {} : { keys: ['g', key] }),
        run: () => void navigate({ to, search: search ?? {} }),
      }),
    );
  const recent = visits.of(tenantApi.tenantId).map(
    ({ title, href }): Entry => ({
      id: `recent ${href}`,
      label: title,
      run: () => void navigate({ href }),
    }),
  );
  if (query.trim() === '')
    return [
      { title: t('Recent'), entries: recent },
      { title: t('Screens'), entries: screens },
    ];
  return [
    { title: t('Screens'), entries: screens },
    {
      title: t('Cases'),
      entries: (caseText.length >= CASES_FROM ? (cases.data?.cases ?? []) : []).map((one) => ({
        id: one.id,
        label: one.alert_name,
        more: `${one.reference} · ${one.alert_status}`,
        // The server has found it; whatever it was found by need not be in its name.
        words: query,
        run: () => void navigate({ to: '/air/case-management/$id', params: { id: one.id } }),
      })),
    },
    {
      title: t('Playbooks'),
      entries: (playbooks.data ?? []).map(({ id, metadata }) => ({
        id,
        label: metadata.name,
        words: metadata.description,
        run: () => void navigate({ to: '/playbooks/$id', params: { id } }),
      })),
    },
    {
      title: t('Actions'),
      entries: (actions.data ?? []).map(({ action_id: id, friendly_name: label, product }) => ({
        id,
        label,
        more: product,
        words: id,
        run: () => void navigate({ to: '/actions', search: { action: id } }),
      })),
    },
    {
      title: t('Integrations'),
      entries: (connectors.data ?? []).map(({ id, name, definition_id: kind }) => ({
        id,
        label: name,
        words: kind,
        run: () =>
          void (may('integrations')
            ? navigate({ to: '/integrations/$id', params: { id } })
            : navigate({ to: '/integrations' })),
      })),
    },
    {
      title: t('Switch tenant'),
      entries: allowed_tenants
        .filter(({ id }) => id !== tenantApi.tenantId)
        .map(({ id, fullname }) => ({ id, label: fullname, words: t('tenant switch'), run: () => onSwitchTenant(id) })),
    },
  ];
}
