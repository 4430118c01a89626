import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../language/translate.ts';
import classes from './facet-menu.module.css';

export type FacetOption = { value: string; label: string; count?: number; icon?: ReactNode };

export type Facet = {
  id: string;
  label: string;
  options: readonly FacetOption[];
  selected: readonly string[];
};

/** A chip that opens the values of one filter with their counts. */
export function FacetMenu({ facet, onChange }: { facet: Facet; onChange: (selected: string[] | undefined) => void }) {
  const chosen = facet.options.filter(({ value }) => facet.selected.includes(value));
  const toggle = (value: string, checked: boolean) => {
    const next = checked ? [...facet.selected, value] : facet.selected.filter((each) => each !== value);
    onChange(next.length === 0 ? undefined : next);
  };
  return (
    <Popover position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={chosen.length === 0 ? 'default' : 'light'}
          className={classes.chip}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {facet.label}
          {chosen.length === 0 ? null : (
            <span className={classes.chosen}>
              {chosen.length > 2
                ? t('{count} of {count2}', { count: chosen.length, count2: facet.options.length })
                : chosen.map(({ label }) => label).join(', ')}
            </span>
          )}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu}>
        {/* The dropdown is a dialog named by its chip; the name of the values is the group's own. */}
        <Stack gap={2} role="group" aria-label={t('Filter by {label}', { label: facet.label.toLowerCase() })}>
          {facet.options.length === 0 ? <span className={classes.none}>{t('Nothing to choose from.')}</span> : null}
          {facet.options.map(({ value, label, count, icon }) => (
            <Checkbox
              key={value}
              className={classes.option}
              checked={facet.selected.includes(value)}
              onChange={(event) => toggle(value, event.currentTarget.checked)}
              size="xs"
              label={
                <span className={classes.label}>
                  {icon}
                  <span className={classes.text}>{label}</span>
                  {count === undefined ? null : <span className={classes.count}>{count}</span>}
                </span>
              }
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
