import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useState } from 'react';
import { t } from '../../language/translate.ts';
import { playbookQueries } from '../../queries/playbooks.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import { guessFor, inputsOf, inputValues, type PlaybookInput, templatesFor } from './playbook-inputs.ts';
import type { BulkWork } from './use-bulk.ts';

/** Names of what policies usually group by: offered where the cases themselves are not at hand. */
const usualGroups = ['src_ip', 'user', 'host'];

type Props = {
  pending: boolean;
  /** Names of the case's own values. */
  groupNames?: readonly string[];
  /** Told the name of the playbook. */
  run: (work: BulkWork, name: string) => Promise<boolean>;
  /** An input was filled in. */
  onType: () => void;
  onClose: () => void;
};

/** Which playbook, and what of each case fills its inputs. */
export function RunPlaybookForm({ pending, groupNames = usualGroups, run, onType, onClose }: Props) {
  const playbooks = useQuery(playbookQueries.list(useTenantApi()));
  const [id, setId] = useState('');
  const [typed, setTyped] = useState<Record<string, string>>({});
  const runnable = (playbooks.data ?? []).filter(({ version }) => version > 0);
  const chosen = runnable.find((playbook) => playbook.id === id) ?? runnable[0];
  if (playbooks.isError && playbooks.data === undefined)
    return <ErrorState error={playbooks.error} onRetry={() => void playbooks.refetch()} />;
  if (playbooks.data === undefined) {
    return (
      <Loading label={t('Loading playbooks')}>
        <TextSkeleton lines={4} />
      </Loading>
    );
  }
  if (chosen === undefined) return <Text size="sm">{t('No playbook of this tenant is published yet.')}</Text>;
  const inputs = inputsOf(chosen.inputs);
  const typedFor = (input: PlaybookInput) => typed[`${chosen.id}/${input.name}`] ?? guessFor(input, groupNames);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const values = Object.fromEntries(inputs.map((input) => [input.name, typedFor(input)]));
    const work = { playbook: { playbook_id: chosen.id, inputs: inputValues(inputs, values) } };
    if (await run(work, chosen.metadata.name)) onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <NativeSelect
          label={t('Playbook')}
          value={chosen.id}
          data={runnable.map((playbook) => ({ value: playbook.id, label: playbook.metadata.name }))}
          onChange={(event) => setId(event.currentTarget.value)}
        />
        {inputs.map((input) => (
          <InputField
            key={`${chosen.id}/${input.name}`}
            input={input}
            value={typedFor(input)}
            onChange={(value) => {
              setTyped((before) => ({ ...before, [`${chosen.id}/${input.name}`]: value }));
              onType();
            }}
          />
        ))}
        <datalist id="case-values">
          {templatesFor(groupNames).map((template) => (
            <option key={template} value={template} />
          ))}
        </datalist>
        {inputs.length === 0 ? null : (
          <Text size="xs" c="dimmed">
            {t('What stands in double braces is filled in from each case.')}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={pending}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={pending}>
            {t('Run')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type InputProps = { input: PlaybookInput; value: string; onChange: (value: string) => void };

function InputField({ input, value, onChange }: InputProps) {
  const { label, description, required, type } = input;
  const help = [description, type === 'array' ? t('Separate several with commas.') : ''].filter((text) => text !== '');
  const props = {
    ...{ label, required, value },
    ...(help.length === 0 ? {} : { description: help.join(' ') }),
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => onChange(event.currentTarget.value),
  };
  if (type !== 'boolean') return <TextInput {...props} list="case-values" />;
  return (
    <NativeSelect
      {...props}
      data={[
        { value: '', label: '–' },
        { value: 'true', label: t('Yes') },
        { value: 'false', label: t('No') },
      ]}
    />
  );
}
