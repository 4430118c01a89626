import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { productOf } from '../../components/action-names.ts';
import { EffectBadge, effectSentences } from '../../components/effect-badge.tsx';
import { t } from '../../language/translate.ts';
import { actionQueries } from '../../queries/actions.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { KeyFacts } from '../../ui/key-facts.tsx';
import parts from '../../ui/panel-parts.module.css';
import { SidePanel } from '../../ui/side-panel.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import classes from './actions.module.css';
import { ForCase } from './for-case.tsx';
import { RecentRuns } from './recent-runs.tsx';
import { RunForm } from './run-form.tsx';
import { RunOutcome } from './run-outcome.tsx';
import { SchemaTable } from './schema-table.tsx';

type Props = {
  id: string;
  /** What its input begins with. */
  input: JsonObject | undefined;
  /** The case it answers. */
  caseId: string | undefined;
  opened: boolean;
  /** Whether what the action takes and gives is unfolded. */
  showsSettings: boolean;
  onSettings: (shows: boolean) => void;
  onClose: () => void;
};

/** One action: what it does, to run it, and how it went. */
export function ActionDrawer({ id, input, caseId, opened, onClose, ...settings }: Props) {
  const action = useQuery(actionQueries.detail(useTenantApi(), useQueryClient(), id));
  return (
    <SidePanel
      opened={opened}
      onClose={onClose}
      title={
        action.data === undefined ? (
          t('Action')
        ) : (
          <span className={parts.head}>
            {action.data.friendly_name}
            <EffectBadge effect={action.data.effect} />
          </span>
        )
      }
    >
      {action.data !== undefined ? (
        // Another action starts with its own input, and so does one that is opened for something else.
        <Action
          key={`${id} ${caseId} ${JSON.stringify(input)}`}
          action={action.data}
          input={input}
          caseId={caseId}
          {...settings}
        />
      ) : action.isError ? (
        <ErrorState error={action.error} onRetry={() => void action.refetch()} retrying={action.isFetching} />
      ) : (
        <Loading label={t('Loading action')}>
          <TextSkeleton lines={8} />
        </Loading>
      )}
    </SidePanel>
  );
}

type ActionProps = Pick<Props, 'input' | 'caseId' | 'showsSettings' | 'onSettings'> & { action: ActionDefinition };

function Action({ action, input, caseId, showsSettings, onSettings }: ActionProps) {
  const [shownRun, setShownRun] = useState<string>();
  const show = (run: ActionActivity) => setShownRun(run.details.context.action_uuid);
  return (
    <div className={parts.sections}>
      <div>
        <p className={classes.description}>{action.description}</p>
        <p className={classes.words}>{effectSentences[action.effect]}</p>
      </div>
      {caseId === undefined ? null : <ForCase id={caseId} />}
      <RunForm action={action} input={input} caseId={caseId} onStarted={show} />
      {shownRun === undefined ? null : <RunOutcome id={shownRun} name={action.friendly_name} onRetried={show} />}
      <section aria-label={t('Recent runs')}>
        <h3 className={parts.title}>{t('Recent runs')}</h3>
        <RecentRuns actionId={action.action_id} shownId={shownRun} onShow={setShownRun} />
      </section>
      <Disclosure title={t('Facts, input and output')} opened={showsSettings} onToggle={onSettings}>
        <KeyFacts
          facts={[
            { label: t('Product'), value: productOf(action) },
            { label: t('Time limit'), value: `${action.timeout_s} s` },
            {
              label: t('Id'),
              value: (
                <span className={classes.id}>
                  <span className="air-mono">{action.action_id}</span>
                  <CopyButton value={action.action_id} label={t('Copy id')} />
                </span>
              ),
            },
          ]}
        />
        <SchemaTable
          title={t('Input fields')}
          schema={action.input_schema}
          nothing={t('This action takes no input.')}
        />
        <SchemaTable
          title={t('Output fields')}
          schema={action.output_schema}
          nothing={t('What it gives is not described.')}
        />
      </Disclosure>
    </div>
  );
}

type DisclosureProps = { title: string; opened: boolean; onToggle: (opened: boolean) => void; children: ReactNode };

function Disclosure({ title, opened, onToggle, children }: DisclosureProps) {
  const bodyId = useId();
  return (
    <section className={classes.disclosure}>
      <UnstyledButton
        className={classes.disclosureButton}
        aria-expanded={opened}
        aria-controls={opened ? bodyId : undefined}
        onClick={() => onToggle(!opened)}
      >
        <IconChevronRight size={14} className={classes.chevron} data-open={opened || undefined} aria-hidden />
        {title}
      </UnstyledButton>
      {opened ? (
        <div id={bodyId} className={parts.sections}>
          {children}
        </div>
      ) : null}
    </section>
  );
}
