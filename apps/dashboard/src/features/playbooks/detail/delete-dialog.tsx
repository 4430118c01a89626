import { isRefusedWith } from '@airdeck/api-client/api-error';
import type { Playbook, PlaybookUse } from '@airdeck/contracts/playbooks/schema';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { forgetPlaybook, playbookMutations, playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import classes from './detail.module.css';

type Props = {
  playbook: Pick<Playbook, 'id' | 'metadata' | 'version'>;
  onClose: () => void;
  /** What has to be over before it is deleted. */
  settle?: () => Promise<unknown>;
  /** It is gone; its screen still shows. */
  onDeleted?: () => void;
};

/** Asks before a playbook is deleted; what still starts it is named, and stands in the way. */
export function DeleteDialog({ playbook, onClose, settle, onDeleted }: Props) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const use = useQuery({ ...playbookQueries.usedBy(tenantApi, playbook.id), staleTime: 0 });
  const remove = useMutation({
    ...playbookMutations.delete(tenantApi, playbook.id),
    onMutate: () => settle?.(),
  });
  const refused = isRefusedWith(remove.error, 'PLAYBOOK_IN_USE');
  const uses =
    use.data === undefined ? 0 : use.data.policies.length + use.data.automations.length + use.data.playbooks.length;
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: async () => {
        onDeleted?.();
        showDone(t('{name} deleted', { name: playbook.metadata.name }));
        await navigate({ to: '/playbooks' });
        forgetPlaybook(queryClient, tenantApi.tenantId, playbook.id);
      },
      // Somebody may have begun to use it since the dialog was opened.
      onError: () => void use.refetch(),
    });
  return (
    <Dialog
      title={t('Delete “{name}”?', { name: playbook.metadata.name })}
      onClose={remove.isPending ? () => undefined : onClose}
    >
      <Stack gap="md">
        {uses > 0 && use.data !== undefined ? (
          <StillUsed use={use.data} onLeave={onClose} />
        ) : (
          <Text size="sm">
            {playbook.version === 0
              ? t('It was never published, so its draft is all there is, and gone for good then.')
              : t('Its versions and its draft are gone for good. Its runs stay, with what each of them did.')}
          </Text>
        )}
        {refused && uses > 0 ? null : <ProblemNote error={remove.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={remove.isPending} data-autofocus>
            {uses > 0 ? t('Close') : t('Cancel')}
          </Button>
          {uses > 0 ? null : (
            <Button className={classes.danger ?? ''} loading={remove.isPending} onClick={confirm}>
              {t('Delete playbook')}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function StillUsed({ use: { policies, automations, playbooks }, onLeave }: { use: PlaybookUse; onLeave: () => void }) {
  return (
    <div role="alert">
      <Text size="sm">{t('It cannot be deleted while something starts it:')}</Text>
      <ul className={classes.inTheWay}>
        {policies.map(({ rule_id, rule_name, response_name }) => (
          <li key={`${rule_id} ${response_name}`}>
            {tx('The policy {policy}, by its response “{response}”', {
              policy: <strong>{rule_name}</strong>,
              response: response_name,
            })}
          </li>
        ))}
        {automations.map(({ id, name, response_name }) => (
          <li key={`${id} ${response_name}`}>
            {tx('The automation {automation}, by its response “{response}”', {
              automation: (
                <Link to="/graylog/automation-settings/edit/$id" params={{ id }} onClick={onLeave}>
                  {name}
                </Link>
              ),
              response: response_name,
            })}
          </li>
        ))}
        {playbooks.map(({ id, name, action_id }) => (
          <li key={`${id} ${action_id}`}>
            {tx('The playbook {playbook}, in its step {step}', {
              playbook: (
                <Link to="/playbooks/$id" params={{ id }} onClick={onLeave}>
                  {name}
                </Link>
              ),
              step: <span className="air-mono">{action_id}</span>,
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}
