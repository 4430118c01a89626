import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { IconUser, IconUserMinus, IconUserPlus } from '@tabler/icons-react';
import { t } from '../../../language/translate.ts';
import { useAccess } from '../../../session/access.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { PersonOrNobody } from '../person-or-nobody.tsx';
import classes from './case.module.css';
import type { CaseUpdater } from './use-case-update.ts';

/** Who works on the case, and taking it or giving it back. */
export function AssigneeControl({ of, updater }: { of: CaseDetail; updater: CaseUpdater }) {
  const { reason } = useAccess('airWork');
  const { user } = useCurrentUser();
  const isMine = of.assignee === user.uname;
  const Icon = isMine ? IconUserMinus : IconUserPlus;
  return (
    <>
      <span className={classes.assignee}>
        <IconUser size={16} aria-hidden />
        <PersonOrNobody username={of.assignee} nobody={t('Unassigned')} />
      </span>
      <GuardedButton
        variant="subtle"
        reason={reason}
        loading={updater.pending?.assignee !== undefined}
        leftSection={<Icon size={16} aria-hidden />}
        onClick={() =>
          void updater.update(
            { assignee: isMine ? null : user.uname },
            isMine
              ? t('{reference} is assigned to nobody', { reference: of.reference })
              : t('{reference} is yours', { reference: of.reference }),
          )
        }
      >
        {isMine ? t('Give back') : t('Assign to me')}
      </GuardedButton>
    </>
  );
}
