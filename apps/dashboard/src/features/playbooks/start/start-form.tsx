import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { IconFlask, IconPlayerPlay } from '@tabler/icons-react';
import { useId } from 'react';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { formFields } from '../../../components/schema-form/form-schema.ts';
import { ProblemSummary } from '../../../components/schema-form/problem-summary.tsx';
import { SchemaForm } from '../../../components/schema-form/schema-form.tsx';
import { t } from '../../../language/translate.ts';
import { useAccess } from '../../../session/access.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { notStartable } from './not-startable.ts';
import classes from './start.module.css';
import { useStartForm } from './use-start-form.ts';

type Props = {
  playbook: Playbook;
  onStarted: (run: PlaybookRun) => void;
  /** Search parameter whose change leaves the form. */
  leaveParam?: string;
  /** The try is what enter does, and the first button. */
  triesFirst?: boolean;
};

const ways = [
  { name: 'run', dryRun: false, icon: <IconPlayerPlay size={16} aria-hidden /> },
  { name: 'try', dryRun: true, icon: <IconFlask size={16} aria-hidden /> },
] as const;

/** Inputs of a playbook, and the two ways to run it. */
export function StartForm({ playbook, onStarted, leaveParam, triesFirst = false }: Props) {
  const { reason } = useAccess('playbooks');
  const idPrefix = `start-${useId()}`;
  const form = useStartForm({ playbook, idPrefix, onStarted });
  const blocked = reason ?? notStartable(playbook);
  const schema = playbook.inputs;
  return (
    <form
      className={classes.form}
      noValidate
      aria-label={t('Run {name}', { name: playbook.metadata.name })}
      onSubmit={(event) => {
        event.preventDefault();
        // Enter in a field, and the button that says why it cannot be used, submit all the same.
        if (blocked === undefined) form.run(triesFirst);
      }}
    >
      <ProblemSummary schema={schema} problems={form.problems} idPrefix={idPrefix} />
      {formFields(schema).length === 0 ? (
        <p className={classes.words}>{t('This playbook takes no inputs.')}</p>
      ) : (
        <SchemaForm
          schema={schema}
          value={form.value}
          onChange={form.change}
          problems={form.problems}
          disabled={form.starting !== undefined}
          idPrefix={idPrefix}
        />
      )}
      <ProblemNote error={form.failure} />
      <div className={classes.buttons}>
        {(triesFirst ? ways.toReversed() : ways).map(({ name, dryRun, icon }, index) => (
          <GuardedButton
            key={name}
            type={index === 0 ? 'submit' : 'button'}
            variant={index === 0 ? 'filled' : 'default'}
            reason={blocked}
            loading={form.starting === name}
            leftSection={icon}
            {...(index === 0 ? {} : { onClick: () => form.run(dryRun) })}
          >
            {dryRun ? t('Try##playbook') : t('Run')}
          </GuardedButton>
        ))}
        <p className={classes.hint}>{t('A try really runs only what reads. What changes or destroys is left out.')}</p>
      </div>
      <LeaveGuard dirty={form.dirty} {...(leaveParam === undefined ? {} : { param: leaveParam })} />
    </form>
  );
}
