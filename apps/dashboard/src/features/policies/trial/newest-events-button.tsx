import type { PolicyLogic } from '@airdeck/contracts/policies/schema';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { useAccess } from '../../../session/access.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { scopesOf } from '../criteria/use-field-names.ts';

const DAY_MS = 86_400_000;
const WANTED = 20;

type Props = { source: PolicyLogic['source']; onEvents: (lines: string) => void };

/** Fills in the newest events of the policy's sources, as they arrived. Absent where nobody may search. */
export function NewestEventsButton({ source, onEvents }: Props) {
  const { allowed } = useAccess('search');
  const { api, tenantId } = useTenantApi();
  const newest = useMutation({
    mutationFn: () => {
      const now = Date.now();
      return api.call('search.run', {
        params: { tenant: tenantId },
        body: {
          integrations: scopesOf([source, ...(source.also ?? [])]),
          time_range: { start: new Date(now - DAY_MS).toISOString(), end: new Date(now).toISOString() },
          limit: WANTED,
          live: false,
        },
      });
    },
    onSuccess: ({ events }) => {
      const lines = events.map(({ raw }) => raw.replaceAll(/\r?\n/g, ' ')).filter((line) => line.trim() !== '');
      if (lines.length === 0) showDone(t('No such event has arrived in the last 24 hours'));
      else onEvents(lines.toReversed().join('\n'));
    },
  });
  if (!allowed) return null;
  return (
    <Button variant="default" loading={newest.isPending} onClick={() => newest.mutate()}>
      {t('Use the newest {count} events', { count: WANTED })}
    </Button>
  );
}
