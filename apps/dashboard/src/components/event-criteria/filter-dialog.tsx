import type { FilterOperator } from '@airdeck/contracts/search/schema';
import { Autocomplete, Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../../language/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useRefusal } from '../../ui/use-refusal.ts';
import { opWords } from './filter-list.ts';
import { FILTER_VALUE_MAX, FILTER_VALUES_MAX, filterOps, type UrlFilter, valuesOf } from './url-filter.ts';

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
  const [problem, setProblem] = useState<{ field?: string; value?: string }>({});
  const { form, refuse } = useRefusal();
  const kind = valuesOf(op);
  const change = (next: string) => {
    setValue(next);
    setProblem({});
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    // To React this form is inside the one it was opened from, which must not be sent with it.
    event.stopPropagation();
    const name = field.trim();
    const values = kind === 'several' ? linesOf(value) : kind === 'one' ? [value] : [];
    const found = { ...(name === '' ? { field: t('Name a field.') } : {}), ...valueProblem(op, values) };
    setProblem(found);
    if (Object.keys(found).length > 0) return refuse();
    const written = kind === 'none' ? {} : { value: kind === 'one' ? value : values };
    onSave({ field: name, op, ...written, ...(filter?.off === true ? { off: true as const } : {}) });
  };
  return (
    <Dialog title={filter === undefined ? t('Add filter') : t('Change filter')} onClose={onClose}>
      <form ref={form} onSubmit={save} noValidate>
        <Stack gap="md">
          <Autocomplete
            label={t('Field')}
            data={[...new Set(fields)]}
            limit={30}
            maxLength={256}
            value={field}
            error={problem.field}
            onChange={(next) => {
              setField(next);
              setProblem({});
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
              setProblem({});
            }}
          />
          {kind === 'one' ? (
            <TextInput
              label={t('Value')}
              description={
                op === 'is' || op === 'is_not' ? t('Exactly this, in any case; or a network, 10.0.0.0/8.') : undefined
              }
              value={value}
              error={problem.value}
              onChange={(event) => change(event.currentTarget.value)}
            />
          ) : null}
          {kind === 'several' ? (
            <Textarea
              label={t('Values')}
              description={t('One per line.')}
              rows={4}
              value={value}
              error={problem.value}
              onChange={(event) => change(event.currentTarget.value)}
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

/** Each once; none at all is the empty value. */
function linesOf(text: string): string[] {
  const lines = new Set(text.split('\n').filter((line) => line !== ''));
  return lines.size === 0 ? [''] : [...lines];
}

/** Of which there is none that is empty, while "is" may ask for the empty text. */
const asksForParts: ReadonlySet<FilterOperator> = new Set(['contains', 'not_contains', 'starts_with', 'ends_with']);

/** Cut to what a filter takes, it would find something else. */
function valueProblem(op: FilterOperator, values: readonly string[]): { value?: string } {
  if (asksForParts.has(op) && values.includes('')) return { value: t('Enter a part of the value.') };
  if (values.length > FILTER_VALUES_MAX) {
    return {
      value: t('A filter takes {most} values; these are {count}.', { most: FILTER_VALUES_MAX, count: values.length }),
    };
  }
  if (values.every(({ length }) => length <= FILTER_VALUE_MAX)) return {};
  return { value: t('A value has {most} characters at most.', { most: FILTER_VALUE_MAX }) };
}

function textOf(value: UrlFilter['value']): string {
  return typeof value === 'string' ? value : (value ?? []).join('\n');
}
