import type { ImportedIntegration, OpenapiDocument } from '@airdeck/contracts/openapi/schema';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useCallback, useId, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { useConfirmedMutation } from '../../../components/confirmation/use-confirmed-mutation.ts';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { importMutations } from '../../../queries/openapi.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { FilterBar } from '../../../ui/filter-bar.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { DocumentFacts } from './document-facts.tsx';
import classes from './import.module.css';
import {
  chosenProblem,
  draftOf,
  hasProblems,
  type ImportDraft,
  type ImportProblems,
  importOf,
  importProblems,
  refusedProblems,
} from './import-draft.ts';
import { fieldIds, ImportFields } from './import-fields.tsx';
import { OperationList } from './operation-list.tsx';
import { chosenText, type Operation, operationRows, withChosen } from './operation-rows.ts';
import { ReadingNote } from './reading-note.tsx';

type Props = {
  document: OpenapiDocument;
  /** The integration it becomes a new version of. */
  replaced: ImportedIntegration | undefined;
  onAnother: () => void;
};

/** Chooses what of a description becomes actions, and makes an integration of it. */
export function ImportForm({ document: description, replaced, onAnother }: Props) {
  const { queryClient } = useApp();
  const navigate = useNavigate();
  const make = useConfirmedMutation(importMutations.make(useTenantApi(), queryClient, useCallIntent()));
  const idPrefix = useId();
  const [begun] = useState(() => draftOf(description, replaced));
  const [draft, setDraft] = useState(begun);
  const [problems, setProblems] = useState<ImportProblems>({});
  const isNamed = Object.keys(refusedProblems(make.error)).length > 0;

  const change = useCallback(
    (next: (before: ImportDraft) => ImportDraft) => {
      setDraft(next);
      setProblems({});
      if (make.isError) make.reset();
    },
    [make.isError, make.reset],
  );
  const choose = useCallback(
    (operations: readonly Operation[], isChosen: boolean) =>
      change((before) => ({ ...before, chosen: withChosen(before.chosen, operations, isChosen) })),
    [change],
  );
  const show = (found: ImportProblems) => {
    // Drawn at once: fields that were disabled while it was sent take no focus before.
    flushSync(() => setProblems(found));
    focusFirst(found, idPrefix);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = importProblems(draft);
    if (make.isPending) return;
    show(found);
    if (hasProblems(found)) return;
    make.mutate(importOf(description, draft, replaced), {
      onSuccess: ({ name, definition_id: id }) => {
        showDone(
          replaced === undefined
            ? t('{name} imported##integration', { name })
            : t('{name} has a new version', { name }),
        );
        void navigate({ to: '/integrations/new/$id', params: { id }, ignoreBlocker: true });
      },
      onError: (error) => show(refusedProblems(error)),
    });
  };
  // Once it is made another page opens, which would not have what was chosen meanwhile.
  const fixed = make.isPending || make.isSuccess;
  return (
    <form onSubmit={submit} noValidate className={classes.columns}>
      <div className={classes.side}>
        <fieldset className={classes.fields} disabled={fixed}>
          <DocumentFacts of={description} onAnother={onAnother} />
          <ImportFields
            description={description}
            draft={draft}
            problems={problems}
            idPrefix={idPrefix}
            onChange={(part) => change((before) => ({ ...before, ...part }))}
          />
        </fieldset>
      </div>
      <div className={classes.stack}>
        <fieldset className={classes.fields} disabled={fixed}>
          <Operations of={description.operations} chosen={draft.chosen} onChoose={choose} />
        </fieldset>
        <div className={classes.bar}>
          {isNamed ? null : <ProblemNote error={make.error} />}
          {make.isPending ? <ReadingNote what={t('Making actions of what is chosen')} /> : null}
          <div className={classes.barRow}>
            <div className={classes.barWords}>
              <span role="status">{chosenText(description.operations, draft.chosen)}</span>
              <ChosenProblem count={draft.chosen.size} problem={problems.chosen} />
            </div>
            <Button type="submit" loading={fixed}>
              {replaced === undefined ? t('Import') : t('Import the new version')}
            </Button>
          </div>
        </div>
      </div>
      <LeaveGuard dirty={!isSame(draft.chosen, begun.chosen) && !make.isSuccess} />
    </form>
  );
}

function isSame(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && [...some].every((key) => others.has(key));
}

/** That there are too many is said while choosing, not only on submit. */
function ChosenProblem({ count, problem }: { count: number; problem: string | undefined }) {
  const words = problem ?? (count === 0 ? undefined : chosenProblem(count));
  if (words === undefined) return null;
  return (
    <span className={classes.problem} role="alert">
      {words}
    </span>
  );
}

function focusFirst(problems: ImportProblems, idPrefix: string): void {
  const ids = fieldIds(idPrefix);
  const first = (['name', 'baseUrl', 'keyName'] as const).find((field) => problems[field] !== undefined);
  if (first !== undefined) document.getElementById(ids[first])?.focus();
}

type OperationsProps = {
  of: readonly Operation[];
  chosen: ReadonlySet<string>;
  onChoose: (operations: readonly Operation[], isChosen: boolean) => void;
};

function Operations({ of: operations, chosen, onChoose }: OperationsProps) {
  const [q, setQ] = useState<string>();
  const rows = useMemo(() => operationRows(operations, q), [operations, q]);
  return (
    <Panel title={t('Operations')} flush>
      <div className={classes.search}>
        <FilterBar q={q} searchLabel={t('Search operations')} onSearch={setQ} onClear={() => setQ(undefined)} />
      </div>
      {rows.length === 0 ? (
        <EmptyState
          title={operations.length === 0 ? t('Nothing to import') : t('No operation matches')}
          {...(operations.length === 0
            ? {}
            : { action: <Button onClick={() => setQ(undefined)}>{t('Clear search')}</Button> })}
        >
          {operations.length === 0
            ? t('The description has no operations. Choose another one.')
            : t('No name, address or tag has this text.')}
        </EmptyState>
      ) : (
        <OperationList rows={rows} chosen={chosen} onChoose={onChoose} />
      )}
    </Panel>
  );
}
