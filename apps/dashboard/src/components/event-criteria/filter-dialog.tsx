import type { FilterOperator } from '@airdeck/contracts/search/schema';
import { Autocomplete, Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../../language/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { opWords } from './filter-list.ts';
import { filterOps, type UrlFilter, valuesOf } from './url-filter.ts';

type Props = {
  /** Undefined for a new one. */
  filter: UrlFilter | undefined;
  fields: readonly string[];
  onClose: () => void;
  onSave: (filter: UrlFilter) => void;
};

/** One filter in words: field, what is asked of it, value. */
export function FilterDialog({ filter, fields, onClose, onSave }: Props) {
  const [field, setField] = useState(filter?.field ?? '');
  const [op, setOp] = useState<FilterOperator>(filter?.op ?? 'is');
  const [value, setValue] = useState(() => textOf(filter?.value));
  const [problem, setProblem] = useState<string>();
  const kind = valuesOf(op);
  const save = (event: FormEvent) => {
    event.preventDefault();
    // To React this form is inside the one it was opened from, which must not be sent with it.
    event.stopPropagation();
    const name = field.trim();
    if (name === '') {
      setProblem(t('Name a field.'));
      return;
    }
    const lines = value.split('\n').filter((line) => line !== '');
    const values = kind === 'none' ? {} : { value: kind === 'one' ? value : lines.length === 0 ? [''] : lines };
    onSave({ field: name, op, ...values, ...(filter?.off === true ? { off: true as const } : {}) });
  };
  return (
    <Dialog title={filter === undefined ? t('Add filter') : t('Change filter')} onClose={onClose}>
      <form onSubmit={save} noValidate>
        <Stack gap="md">
          <Autocomplete
            label={t('Field')}
            data={[...new Set(fields)]}
            limit={30}
            maxLength={256}
            value={field}
            error={problem}
            onChange={(next) => {
              setField(next);
              setProblem(undefined);
            }}
            data-autofocus
          />
          <NativeSelect
            label={t('Condition')}
            value={op}
            data={filterOps.map((each) => ({ value: each, label: opWords[each] }))}
            onChange={(event) => {
              const next = filterOps.find((each) => each === event.currentTarget.value);
              if (next !== undefined) setOp(next);
            }}
          />
          {kind === 'one' ? (
            <TextInput
              label={t('Value')}
              description={
                op === 'is' || op === 'is_not' ? t('Exactly this, in any case; or a network, 10.0.0.0/8.') : undefined
              }
              maxLength={1000}
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
          ) : null}
          {kind === 'several' ? (
            <Textarea
              label={t('Values')}
              description={t('One per line.')}
              rows={4}
              value={value}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
          ) : null}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit">{filter === undefined ? t('Add filter') : t('Change filter')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function textOf(value: UrlFilter['value']): string {
  return typeof value === 'string' ? value : (value ?? []).join('\n');
}
