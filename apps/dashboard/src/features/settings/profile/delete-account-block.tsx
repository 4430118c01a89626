import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useConfirmedMutation } from '../../../components/confirmation/use-confirmed-mutation.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { useApp } from '../../../session/app-context.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { Panel } from '../../../ui/panel.tsx';
import { SettingRow } from '../setting-row.tsx';
import classes from '../settings.module.css';

/** The end of the account. The server asks for the user's own name first. */
export function DeleteAccountBlock() {
  const { api } = useApp();
  const { user, allowed_tenants } = useCurrentUser();
  const navigate = useNavigate();
  const remove = useConfirmedMutation({
    mutationFn: (_: undefined, controls) => api.call('me.delete', controls),
    onSuccess: () => navigate({ to: '/logout' }),
    meta: { failure: 'inline' },
  });
  const tenants = plural(allowed_tenants.length, 'its tenant', 'all {count} tenants');
  return (
    <Panel title={t('Delete account')} flush>
      {remove.isError ? (
        <div className={classes.none}>
          <ProblemNote error={remove.error} />
        </div>
      ) : null}
      <SettingRow
        title={t('Delete {uname}', { uname: user.uname })}
        text={t('The account leaves {tenants}, its API keys and sessions end. Cases and the audit log keep its name.', {
          tenants,
        })}
        actions={
          <Button
            variant="default"
            className={classes.danger ?? ''}
            loading={remove.isPending}
            onClick={() => remove.mutate(undefined)}
          >
            {t('Delete account…')}
          </Button>
        }
      />
    </Panel>
  );
}
