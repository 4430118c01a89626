import { Button, Menu, UnstyledButton } from '@mantine/core';
import { IconEye, IconEyeOff, IconFilterPlus, IconPencil, IconReplace, IconTrash, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../language/translate.ts';
import classes from './filter-chips.module.css';
import { FilterDialog } from './filter-dialog.tsx';
import { changedFilter, filterText, isNegative, negated, switched, withoutFilter } from './filter-list.ts';
import type { UrlFilter } from './url-filter.ts';

type Props = {
  filters: readonly UrlFilter[];
  /** Names to choose from. */
  fields: readonly string[];
  /** Whether a filter can stay without being asked, as it can on a screen one comes back to. */
  switchable?: boolean;
  onChange: (filters: readonly UrlFilter[] | undefined) => void;
};

/** What narrows the query: each chip can be turned round, switched off, changed and taken away. */
export function FilterChips({ filters, fields, switchable = true, onChange }: Props) {
  const [edited, setEdited] = useState<number | 'new'>();
  const editedFilter = typeof edited === 'number' ? filters[edited] : undefined;
  return (
    <ul className={classes.root} aria-label={t('Filters')}>
      {filters.map((filter, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: two filters may be the same, and a filter is its place
          key={index}
          className={classes.item}
          data-off={filter.off}
          data-negative={isNegative(filter.op) || undefined}
        >
          <FilterChip
            filter={filter}
            switchable={switchable}
            onChange={(to) => onChange(changedFilter(filters, index, to))}
            onEdit={() => setEdited(index)}
            onRemove={() => onChange(withoutFilter(filters, index))}
          />
          <UnstyledButton
            className={classes.remove}
            aria-label={t('Remove {filterText}', { filterText: filterText(filter) })}
            onClick={() => onChange(withoutFilter(filters, index))}
          >
            <IconX size={14} />
          </UnstyledButton>
        </li>
      ))}
      <li>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconFilterPlus size={16} aria-hidden />}
          onClick={() => setEdited('new')}
        >
          {t('Add filter')}
        </Button>
      </li>
      {filters.length < 2 ? null : (
        <li>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => onChange(undefined)}>
            {t('Clear filters')}
          </Button>
        </li>
      )}
      {edited === undefined ? null : (
        <FilterDialog
          filter={editedFilter}
          fields={fields}
          onClose={() => setEdited(undefined)}
          onSave={(filter) => {
            setEdited(undefined);
            onChange(typeof edited === 'number' ? changedFilter(filters, edited, filter) : [...filters, filter]);
          }}
        />
      )}
    </ul>
  );
}

type ChipProps = {
  filter: UrlFilter;
  switchable: boolean;
  onChange: (filter: UrlFilter) => void;
  onEdit: () => void;
  onRemove: () => void;
};

function FilterChip({ filter, switchable, onChange, onEdit, onRemove }: ChipProps) {
  const opposite = negated(filter);
  const text = filterText(filter);
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <UnstyledButton className={classes.chip} title={text}>
          {filter.off === true ? <IconEyeOff size={14} aria-label={t('Off:')} /> : null}
          <span className={classes.text}>{text}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {opposite === undefined ? null : (
          <Menu.Item leftSection={<IconReplace size={16} />} onClick={() => onChange(opposite)}>
            {t('Turn round: {filterText}', { filterText: filterText({ ...opposite, value: '…' }) })}
          </Menu.Item>
        )}
        {switchable ? (
          <Menu.Item
            leftSection={filter.off === true ? <IconEye size={16} /> : <IconEyeOff size={16} />}
            onClick={() => onChange(switched(filter))}
          >
            {filter.off === true ? t('Switch on') : t('Switch off')}
          </Menu.Item>
        ) : null}
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
          {t('Change')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={16} />} onClick={onRemove}>
          {t('Remove')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
