import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { actionQueries } from '../../../queries/actions.ts';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { Builder } from './builder.tsx';
import type { Known } from './document/available-references.ts';
import { readDefinition } from './document/builder-action.ts';

const route = getRouteApi('/_dashboard/playbooks/$id/edit');

/** The builder of one playbook, with what its draft holds now. */
export function EditPlaybookPage() {
  // Another playbook is another document: what is shown is saved.
  return <Editing key={route.useLoaderData().draft.playbook_id} />;
}

function Editing() {
  const { draft, published } = route.useLoaderData();
  const { view = 'graph' } = route.useSearch();
  const navigate = route.useNavigate();
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const playbook = useQuery(playbookQueries.detail(tenantApi, queryClient, draft.playbook_id));
  const actions = useQuery(actionQueries.list(tenantApi));
  const playbooks = useQuery({ ...playbookQueries.list(tenantApi), select: namesAndInputs });
  const [opened] = useState(() => readDefinition(draft.definition));
  const known = useMemo(
    (): Known => ({
      actions: new Map((actions.data ?? []).map((action) => [action.action_id, action])),
      playbooks: new Map((playbooks.data ?? []).map((each) => [each.id, each])),
    }),
    [actions.data, playbooks.data],
  );
  return (
    <Builder
      draft={draft}
      opened={opened}
      basedOn={published.version}
      version={playbook.data?.version ?? published.version}
      known={known}
      view={view}
      onView={(next) =>
        void navigate({
          search: (before) => ({ ...before, view: next === 'graph' ? undefined : next }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}

/** Not how their runs went: that changes all the time, and the graph would be drawn anew with it. */
function namesAndInputs(playbooks: readonly Playbook[]) {
  return playbooks.map(({ id, version, metadata, inputs, outputs }) => ({ id, version, metadata, inputs, outputs }));
}
