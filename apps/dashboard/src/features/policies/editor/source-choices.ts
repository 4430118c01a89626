/** Integrations and kinds of events to choose from in the source picker. */
import type { SearchScope } from '@airdeck/contracts/search/schema';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { integrationQueries } from '../../../queries/integrations.ts';
import { policyQueries } from '../../../queries/policies.ts';
import { searchQueries } from '../../../queries/search.ts';
import { useAccess } from '../../../session/access.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { policiesParams } from '../policies-search.ts';

export type SourceChoices = {
  readonly integrations: readonly string[];
  /** Kinds of events an integration has sent. */
  readonly eventTypes: (integration: string) => readonly string[];
  /** Whether events of it have arrived; undefined while that is not known. */
  readonly hasSent: (integration: string, eventType: string) => boolean | undefined;
};

/** What has sent events first, then what other policies look at, then everything that can be connected. */
export function useSourceChoices(): SourceChoices {
  const tenantApi = useTenantApi();
  const { allowed } = useAccess('search');
  const { allowed: mayConnect } = useAccess('integrations');
  const scopes = useQuery({ ...searchQueries.scopes(tenantApi), enabled: allowed, retry: false });
  const policies = useQuery(policyQueries.list(tenantApi, policiesParams({})));
  const catalogue = useQuery({ ...integrationQueries.list(tenantApi), enabled: mayConnect, retry: false });
  const known = policies.data?.facets.source;
  return useMemo(() => {
    const sent = scopes.data;
    const names = [
      ...(sent ?? []).toSorted((one, other) => other.events - one.events).map(({ integration }) => integration),
      ...(known ?? []).map(({ value }) => value),
      ...(catalogue.data ?? []).map(({ id }) => id),
    ];
    return {
      integrations: [...new Set(names)].filter((name) => name !== ''),
      eventTypes: (integration) => typesOf(sent ?? [], integration),
      hasSent: (integration, eventType) => sent?.some((scope) => isOf(scope, integration, eventType)),
    };
  }, [scopes.data, known, catalogue.data]);
}

function typesOf(scopes: readonly SearchScope[], integration: string): string[] {
  const fitting = scopes.filter((scope) => integration === '' || scope.integration === integration);
  return [...new Set(fitting.map(({ event_type }) => event_type))].filter((type) => type !== '');
}

function isOf(scope: SearchScope, integration: string, eventType: string): boolean {
  return (
    (integration === '' || scope.integration === integration) && (eventType === '' || scope.event_type === eventType)
  );
}
