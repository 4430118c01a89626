import { Button, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { type FieldProblem, problemsAt } from '../../components/expression/field-problems.ts';
import { InputFields } from '../../components/expression/input-fields.tsx';
import type { ReferenceGroup } from '../../components/expression/references.ts';
import { LeaveGuard } from '../../components/leave-guard.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { formFields } from '../../components/schema-form/form-schema.ts';
import { useInputSchema } from '../../components/what-starts/use-input-schema.ts';
import { WhatFields } from '../../components/what-starts/what-fields.tsx';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { caseQueries } from '../../queries/cases.ts';
import { policyQueries } from '../../queries/policies.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './automation.module.css';
import type { AutomationDraft } from './automation-draft.ts';
import { caseReferences } from './case-references.ts';
import { ConditionField } from './condition-field.tsx';
import { PolicyField } from './policy-field.tsx';
import { TriggerField } from './trigger-field.tsx';
import type { AutomationFormState } from './use-automation-form.ts';

export const AUTOMATION_FORM = 'automation-form';

type Props = {
  form: AutomationFormState;
  /** Undefined for a new one, whose policy and name are still to be chosen. */
  policyName: string | undefined;
  /** The case it is tried on: where values in the picker come from. */
  sampleId: string | undefined;
  /** Beside a conflict: takes what somebody else saved. */
  onTakeOver: () => void;
  buttons?: ReactNode;
};

/** Policy, what it starts, what that gets from the case, and when. */
export function AutomationForm({ form, policyName, sampleId, onTakeOver, buttons }: Props) {
  const { draft, problems, change } = form;
  const references = useCaseReferences(draft.ruleId, sampleId);
  const messageAt = (field: string) => problemsAt(problems, field)[0]?.message;
  return (
    <form
      id={AUTOMATION_FORM}
      className={classes.stack}
      noValidate
      aria-label={t('Automation')}
      onSubmit={(event) => {
        event.preventDefault();
        const [first] = form.submit();
        if (first !== undefined) document.getElementById(`automation-${first.field}`)?.focus();
      }}
    >
      <fieldset className={classes.stack} disabled={form.creating}>
        <Panel title={t('What starts what')}>
          <div className={classes.stack}>
            {policyName === undefined ? (
              <PolicyField
                value={draft.ruleId}
                problem={messageAt('rule_id')}
                onChange={(ruleId) => change({ ruleId })}
              />
            ) : (
              <p className={classes.fixed}>
                {tx('For cases of the policy {policy}', { policy: <strong>{policyName}</strong> })}
              </p>
            )}
            <TriggerField value={draft.trigger} onChange={(trigger) => change({ trigger })} />
            <WhatFields draft={draft} problems={problems} idPrefix="automation" onChange={change} />
            {policyName === undefined ? (
              <TextInput
                id="automation-response_name"
                label={t('Name')}
                description={t('How cases and lists call it. It stays as it is.')}
                maxLength={100}
                required
                value={draft.name}
                error={messageAt('response_name')}
                onChange={({ currentTarget: { value } }) => change({ name: value })}
              />
            ) : null}
          </div>
        </Panel>
        <InputsPanel draft={draft} problems={problems} references={references} onChange={change} />
        <Panel title={t('When')}>
          <div className={classes.stack}>
            <ConditionField
              value={draft.conditions}
              problem={messageAt('conditions')}
              references={references}
              onChange={(conditions) => change({ conditions })}
            />
            <Switch
              label={t('Switched on')}
              description={t('Switched off, it answers no case and keeps its history.')}
              checked={draft.enabled}
              onChange={({ currentTarget: { checked } }) => change({ enabled: checked })}
            />
          </div>
        </Panel>
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

type InputsProps = {
  draft: AutomationDraft;
  problems: readonly FieldProblem[];
  references: () => readonly ReferenceGroup[];
  onChange: (part: Partial<AutomationDraft>) => void;
};

function InputsPanel({ draft, problems, references, onChange }: InputsProps) {
  const schema = useInputSchema(draft);
  if (schema === undefined) return null;
  return (
    <Panel title={draft.type === 'action' ? t('What the action gets') : t('What the playbook gets')}>
      {formFields(schema).length === 0 ? (
        <p className={classes.about}>{t('It takes no input.')}</p>
      ) : (
        <InputFields
          // Fields of something else start as they are there.
          key={draft.definitionId}
          schema={schema}
          value={draft.inputs}
          references={references}
          problems={problems}
          under="inputs"
          idPrefix="automation-inputs"
          expressionsFirst
          onChange={(inputs) => onChange({ inputs })}
          onLeave={() => undefined}
        />
      )}
    </Panel>
  );
}

function useCaseReferences(ruleId: string, sampleId: string | undefined) {
  const tenantApi = useTenantApi();
  const policy = useQuery({ ...policyQueries.detail(tenantApi, ruleId), enabled: ruleId !== '', retry: false }).data;
  const sample = useQuery({ ...caseQueries.detail(tenantApi, sampleId ?? ''), enabled: sampleId !== undefined }).data;
  return useCallback(() => caseReferences(policy?.rule.logic.group_by ?? [], sample), [policy, sample]);
}

export function BackToList() {
  return (
    <Link to="/air/automation-settings" className={classes.up}>
      {t('Automation settings')}
    </Link>
  );
}
