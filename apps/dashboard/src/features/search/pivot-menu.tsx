import { writeTerm, writeValue } from '@airdeck/query-language/write-term';
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconColumns3,
  IconCopy,
  IconDots,
  IconEqual,
  IconEqualNot,
  IconSearch,
  IconShieldHalf,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { showDone } from '../../lib/toasts.ts';
import { useSearchActions } from './search-actions.ts';

/** What the case list takes. */
const CASE_TEXT_MAX = 200;

/** Where one value of an event leads. */
export function PivotMenu({ field, value }: { field: string; value: string }) {
  const { columns, addFilter, toggleColumn, searchFor } = useSearchActions();
  const isColumn = columns.includes(field);
  const copy = async (text: string, what: string) => {
    await navigator.clipboard.writeText(text);
    showDone(`${what} copied`);
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon size={24} aria-label={`What to do with ${field} ${value.slice(0, 80)}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconEqual size={16} />} onClick={() => addFilter(field, 'is', value)}>
          Only this value
        </Menu.Item>
        <Menu.Item leftSection={<IconEqualNot size={16} />} onClick={() => addFilter(field, 'is_not', value)}>
          Not this value
        </Menu.Item>
        <Menu.Item leftSection={<IconColumns3 size={16} />} onClick={() => toggleColumn(field)}>
          {isColumn ? 'Remove column' : 'Show as column'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconSearch size={16} />} onClick={() => searchFor(writeValue(value))}>
          Search this value everywhere
        </Menu.Item>
        {value.length > CASE_TEXT_MAX ? null : (
          <Menu.Item
            leftSection={<IconShieldHalf size={16} />}
            renderRoot={(props) => <Link to="/air/case-management" search={{ q: value }} {...props} />}
          >
            Cases with this value
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copy(value, 'Value')}>
          Copy value
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copy(writeTerm(field, value), 'Query')}>
          Copy as query
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
