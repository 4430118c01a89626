import type { DraftDefinition, Playbook } from '@airdeck/contracts/playbooks/schema';
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { draftMutations } from '../../../queries/playbook-drafts.ts';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { emptyDefinition } from './document/builder-action.ts';
import classes from './new-playbook.module.css';

const route = getRouteApi('/_dashboard/playbooks/new');

/** Names a playbook and what it begins with; the builder opens on the draft. */
export function NewPlaybookPage() {
  const { from } = route.useSearch();
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data: playbooks = [] } = useQuery(playbookQueries.list(tenantApi));
  const [template, setTemplate] = useState(from ?? '');
  const beginning = definitionOf(playbooks.find(({ id }) => id === template));
  const [name, setName] = useState('');
  const [words, setWords] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const intent = useCallIntent();
  const create = useMutation(draftMutations.create(tenantApi, queryClient, intent));
  const description = words ?? beginning?.metadata.description ?? '';

  const submit = () => {
    const given = name.trim();
    if (given === '') {
      setProblem(t('Give the playbook a name.'));
      return document.getElementById('new-name')?.focus();
    }
    const empty = emptyDefinition(given);
    const definition: DraftDefinition = {
      ...(beginning ?? { ...empty, actions: [] }),
      metadata: { name: given, description, author: '', updated_by: '' },
    };
    create.mutate(definition, {
      onSuccess: ({ playbook_id: id }) => void navigate({ to: '/playbooks/$id/edit', params: { id }, replace: true }),
    });
  };

  return (
    <>
      <PageHeader
        title={t('New playbook')}
        purpose={t('A name is enough to begin. It is a draft until you publish it.')}
      />
      <Panel>
        <form
          className={classes.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!create.isPending) submit();
          }}
        >
          <TextInput
            id="new-name"
            label={t('Name')}
            placeholder={t('Block a suspicious address')}
            maxLength={200}
            autoFocus
            autoComplete="off"
            error={problem}
            value={name}
            onChange={({ currentTarget: { value } }) => {
              setName(value);
              setProblem(undefined);
            }}
          />
          <Textarea
            label={t('Description')}
            description={t('Optional. What it is for, and when to run it.')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autosize
            minRows={2}
            maxRows={6}
            maxLength={10_000}
            value={description}
            onChange={({ currentTarget: { value } }) => setWords(value)}
          />
          <NativeSelect
            label={t('Begin with')}
            value={template}
            data={[
              { value: '', label: t('Nothing: an empty playbook') },
              ...playbooks.map((playbook) => ({
                value: playbook.id,
                label: t('A copy of “{name}”', { name: playbook.metadata.name }),
              })),
            ]}
            onChange={(event) => setTemplate(event.currentTarget.value)}
          />
          <ProblemNote error={create.error} />
          <div>
            <Button type="submit" loading={create.isPending}>
              {t('Open the builder')}
            </Button>
          </div>
        </form>
      </Panel>
    </>
  );
}

function definitionOf(playbook: Playbook | undefined): DraftDefinition | undefined {
  if (playbook === undefined) return undefined;
  const { metadata, inputs, actions, outputs, exec_options } = playbook;
  return { metadata, inputs, actions, outputs, exec_options };
}
