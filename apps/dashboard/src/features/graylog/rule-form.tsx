import { Button, Switch, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { problemsAt } from '../../components/expression/field-problems.ts';
import { LeaveGuard } from '../../components/leave-guard.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { ALERTS_LIMIT, graylogQueries } from '../../queries/graylog.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { Panel } from '../../ui/panel.tsx';
import { useReader } from '../../ui/reader.ts';
import { alertReferences } from './alert-references.ts';
import { DefinitionField } from './definition-field.tsx';
import classes from './graylog.module.css';
import { ResponseCard } from './response-card.tsx';
import { newResponse, problemsOfResponse } from './rule-draft.ts';
import type { RuleFormState } from './use-rule-form.ts';

export const RULE_FORM = 'graylog-rule-form';
/** As many as the contract takes. */
const RESPONSES_MAX = 20;

type Props = {
  form: RuleFormState;
  /** Undefined for a new one, whose event definition is still to be chosen. */
  definitionTitle: string | undefined;
  /** Only this response is shown, by its key. */
  only?: string | undefined;
  /** Beside a conflict: takes what somebody else saved. */
  onTakeOver: () => void;
  buttons?: ReactNode;
};

/** Event definition, what its alerts start, and what that gets from the alert. */
export function RuleForm({ form, definitionTitle, only, onTakeOver, buttons }: Props) {
  const { draft, problems, change } = form;
  const references = useReferences(draft.definitionId);
  const messageAt = (field: string) => problems.find((problem) => problem.field === field)?.message;
  const suggest = (id: string, title: string) =>
    change({ definitionId: id, ...(draft.name.trim() === '' ? { name: title.slice(0, 200) } : {}) });
  return (
    <form
      id={RULE_FORM}
      className={classes.sections}
      noValidate
      aria-label={t('Automation')}
      onSubmit={(event) => {
        event.preventDefault();
        const [first] = form.submit();
        if (first !== undefined)
          document.getElementById(`rule-${first.field.replace('.definition_id', '-definition_id')}`)?.focus();
      }}
    >
      <fieldset className={classes.sections} disabled={form.creating}>
        {only === undefined ? (
          <Panel title={t('What it answers')}>
            <div className={classes.sections}>
              {definitionTitle === undefined ? (
                <DefinitionField
                  value={draft.definitionId}
                  problem={messageAt('event_category_id')}
                  onChange={suggest}
                />
              ) : (
                <p className={classes.fixed}>
                  {tx('When {definition} raises an alert', { definition: <strong>{definitionTitle}</strong> })}{' '}
                  <Link
                    className={classes.link}
                    to="/graylog/event-definitions"
                    search={{ action: draft.definitionId }}
                  >
                    {t('Open the definition')}
                  </Link>
                </p>
              )}
              <TextInput
                id="rule-name"
                label={t('Name')}
                description={t('How lists and runs call it.')}
                maxLength={200}
                required
                value={draft.name}
                error={messageAt('name')}
                onChange={({ currentTarget: { value } }) => change({ name: value })}
              />
              <Switch
                label={t('Switched on')}
                description={t('Switched off, it starts nothing. Its notification stays in Graylog.')}
                checked={draft.enabled}
                onChange={({ currentTarget: { checked } }) => change({ enabled: checked })}
              />
            </div>
          </Panel>
        ) : null}
        {draft.responses.map((response, index) =>
          only !== undefined && response.key !== only ? null : (
            <ResponseCard
              key={response.key}
              response={response}
              index={index}
              count={only === undefined ? draft.responses.length : 1}
              standardName={form.nameOf(response)}
              problems={problemsOfResponse(problems, index)}
              references={references}
              onChange={(part) => form.changeResponse(response.key, part)}
              onMove={(by) => change({ responses: moved(draft.responses, index, by) })}
              onRemove={() => change({ responses: draft.responses.filter(({ key }) => key !== response.key) })}
            />
          ),
        )}
        {only === undefined ? (
          <div>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={draft.responses.length >= RESPONSES_MAX}
              onClick={() => change({ responses: [...draft.responses, newResponse()] })}
            >
              {t('Start something else too')}
            </Button>
            {messageAt('responses') === undefined ? null : (
              <p className={classes.problem}>{problemsAt(problems, 'responses')[0]?.message}</p>
            )}
          </div>
        ) : null}
      </fieldset>
      <ProblemNote error={form.failure} />
      {form.isConflict ? (
        <div>
          <Button variant="default" onClick={onTakeOver}>
            {t('Show what is saved now')}
          </Button>
        </div>
      ) : null}
      {buttons}
      <LeaveGuard dirty={form.dirty} />
    </form>
  );
}

function moved<T>(list: readonly T[], index: number, by: -1 | 1): T[] {
  const next = [...list];
  const [taken] = next.splice(index, 1);
  if (taken !== undefined) next.splice(index + by, 0, taken);
  return next;
}

/** With the newest alert of the definition, so that each reference tells what it would have been. */
function useReferences(definitionId: string) {
  const { timeZone } = useReader();
  const { data } = useQuery(
    graylogQueries.newest(useTenantApi(), {
      read: { span: { period: 'LAST_30_DAYS' }, timeZone },
      limit: ALERTS_LIMIT,
    }),
  );
  const sample = data?.alerts.find(({ event_definition_id: id }) => id === definitionId);
  return useCallback(() => alertReferences(sample), [sample]);
}
