import { Combobox, ScrollArea, TextInput, useCombobox } from '@mantine/core';
import { IconCheck, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { TenantMark } from '../components/tenant-mark.tsx';
import { t } from '../language/translate.ts';
import { plainLetters } from '../lib/plain-letters.ts';
import classes from './tenant-picker.module.css';

type Props = {
  tenants: readonly {
    id: string;
    fullname: string;
    /** What it calls itself. */
    shown: string;
    colour: string | null;
    /** Where one belongs, of several. */
    own: boolean;
  }[];
  current: string;
  onChoose: (tenantId: string) => void;
};

/** Searchable list of tenants, by keyboard and pointer. */
export function TenantList({ tenants, current, onChoose }: Props) {
  const combobox = useCombobox({ opened: true });
  const [query, setQuery] = useState('');
  const wanted = plainLetters(query.trim());
  const found = tenants.filter(({ fullname, shown }) =>
    [fullname, shown].some((name) => plainLetters(name).includes(wanted)),
  );
  return (
    <Combobox store={combobox} onOptionSubmit={onChoose}>
      <Combobox.EventsTarget>
        <TextInput
          data-autofocus
          aria-label={t('Select Tenant')}
          placeholder={t('Select Tenant')}
          value={query}
          leftSection={<IconSearch size={16} aria-hidden />}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
        />
      </Combobox.EventsTarget>
      <ScrollArea.Autosize mah={320} className={classes.list} type="auto">
        <Combobox.Options aria-label={t('Tenants')}>
          {found.map(({ id, fullname, shown, colour, own }) => (
            <Combobox.Option key={id} value={id} active={id === current} className={classes.option}>
              <span className={classes.optionName}>
                <TenantMark name={shown} colour={colour} />
                <span className={classes.names}>
                  <span>{shown}</span>
                  {fullname === shown ? null : <span className={classes.quiet}>{fullname}</span>}
                </span>
              </span>
              <span className={classes.aside}>
                {own ? <span className={classes.quiet}>{t('your own')}</span> : null}
                {id === current ? <IconCheck size={16} aria-label={t('current')} /> : null}
              </span>
            </Combobox.Option>
          ))}
          {found.length === 0 ? <Combobox.Empty>{t('No results found.')}</Combobox.Empty> : null}
        </Combobox.Options>
      </ScrollArea.Autosize>
    </Combobox>
  );
}
