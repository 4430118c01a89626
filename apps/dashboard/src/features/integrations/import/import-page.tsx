import type { OpenapiDocument } from '@airdeck/contracts/openapi/schema';
import { Button } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../language/translate.ts';
import { importedQueries } from '../../../queries/openapi.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { DocumentStep } from './document-step.tsx';
import { ImportForm } from './import-form.tsx';

const route = getRouteApi('/_dashboard/integrations/new/import');

/** Makes an integration of the tenant's own, or a new version of one, of an API's description. */
export function ImportPage() {
  const { replaces } = route.useSearch();
  const { data: imported } = useSuspenseQuery(importedQueries.list(useTenantApi()));
  const [document, setDocument] = useState<OpenapiDocument>();
  // The version somebody began with: when it is another one on import, the server says so.
  const [replaced] = useState(() => imported.find(({ id }) => id === replaces));
  return (
    <>
      <PageHeader
        title={replaced === undefined ? t('Import an API') : t('Import {name} again', { name: replaced.name })}
        purpose={t('Choose operations of a service that describes itself in OpenAPI; each becomes an action.')}
      />
      {replaces !== undefined && replaced === undefined ? (
        <Panel>
          <EmptyState
            title={t('This integration is not there any more')}
            action={
              <Button component={Link} to="/integrations/new">
                {t('Back to the catalog')}
              </Button>
            }
          >
            {t('Somebody may have deleted it. It can be imported as a new one.')}
          </EmptyState>
        </Panel>
      ) : document === undefined ? (
        <DocumentStep onRead={setDocument} />
      ) : (
        <ImportForm
          key={document.id}
          document={document}
          replaced={replaced}
          onAnother={() => setDocument(undefined)}
        />
      )}
    </>
  );
}
