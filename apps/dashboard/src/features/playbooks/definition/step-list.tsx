import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useActionNames } from '../../../components/action-names.ts';
import { StepIcon } from '../../../components/flow/step-icon.tsx';
import { stepWords } from '../../../components/flow/step-words.ts';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { JsonTree } from '../../../ui/json-tree.tsx';
import { useReader } from '../../../ui/reader.ts';
import classes from './definition.module.css';
import { stepTerms } from './step-terms.ts';

type Props = {
  actions: readonly PlaybookAction[];
  /** The step to lead to. */
  shownId: string | undefined;
};

/** Every step in words: what it does, after what, on which terms, with which input. */
export function StepList({ actions, shownId }: Props) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (shownId === undefined) return;
    const step = [...(list.current?.children ?? [])].find((each) => each.getAttribute('data-step') === shownId);
    step?.scrollIntoView({ block: 'center' });
    if (step instanceof HTMLElement) step.focus({ preventScroll: true });
  }, [shownId]);
  return (
    <ol ref={list} className={classes.steps}>
      {actions.map((action) => (
        <li
          key={action.id}
          data-step={action.id}
          data-shown={action.id === shownId || undefined}
          className={classes.step}
          tabIndex={-1}
        >
          <Step action={action} />
        </li>
      ))}
    </ol>
  );
}

function Step({ action }: { action: PlaybookAction }) {
  const nameOf = useActionNames();
  const { locale } = useReader();
  const { name, what, vendor } = stepWords(action, { nameOf, locale });
  const input = inputOf(action);
  return (
    <>
      <span className={classes.stepKind}>
        <StepIcon kind={action.kind} />
      </span>
      <div className={classes.stepBody}>
        <div className={classes.stepHead}>
          <h2 className={classes.stepName}>{name}</h2>
          <span className={classes.faint}>
            {action.kind === 'playbook' ? <SubPlaybook id={action.playbook_id} /> : what}
            {vendor === undefined ? '' : ` · ${vendor}`}
          </span>
          <span className={`air-mono ${classes.stepId}`}>{action.id}</span>
        </div>
        {action.kind === 'prompt' ? <p className={classes.question}>{action.message}</p> : null}
        <ul className={classes.terms}>
          {stepTerms(action, locale).map(({ text, code }) => (
            <li key={`${text} ${code ?? ''}`}>
              {text}
              {code === undefined ? null : <code className={classes.code}>{code}</code>}
            </li>
          ))}
        </ul>
        {input === undefined ? null : <JsonTree value={input} label={t('Input of {name}', { name })} />}
      </div>
    </>
  );
}

function inputOf(action: PlaybookAction): object | undefined {
  const input = action.kind === 'action' ? action.input : action.kind === 'playbook' ? action.inputs : undefined;
  return input === undefined || Object.keys(input).length === 0 ? undefined : input;
}

/** Another playbook by its name, once that is known. */
function SubPlaybook({ id }: { id: string }) {
  const { data } = useQuery(playbookQueries.list(useTenantApi()));
  const name = data?.find((playbook) => playbook.id === id)?.metadata.name;
  return tx('Runs the playbook {playbook}', {
    playbook: (
      <Link to="/playbooks/$id" params={{ id }}>
        {name ?? t('that is named here')}
      </Link>
    ),
  });
}
