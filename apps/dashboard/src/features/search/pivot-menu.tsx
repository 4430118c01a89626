import type { FoundEvent } from '@airdeck/contracts/search/schema';
import { queryLimits } from '@airdeck/query-language/query-limits';
import { writeTerm, writeValue } from '@airdeck/query-language/write-term';
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconBolt,
  IconColumns3,
  IconCopy,
  IconDots,
  IconEqual,
  IconEqualNot,
  IconPlaylistAdd,
  IconSearch,
  IconShieldHalf,
  IconTargetArrow,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { FILTER_VALUE_MAX } from '../../components/event-criteria/url-filter.ts';
import { kindsOfValue } from '../../components/value-actions/value-kind.ts';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { useAccess } from '../../session/access.ts';
import { copyText } from '../../ui/copy-text.ts';
import { useSearchActions } from './search-actions.ts';

const RunActionDialog = lazy(() =>
  import('../../components/value-actions/run-action-dialog.tsx').then((module) => ({
    default: module.RunActionDialog,
  })),
);

const PolicyChoiceDialog = lazy(() =>
  import('./policy-choice-dialog.tsx').then((module) => ({ default: module.PolicyChoiceDialog })),
);

/** What the case list takes. */
const CASE_TEXT_MAX = 200;
/** What the address of a new policy takes. */
const POLICY_TEXT_MAX = 500;

type Props = {
  field: string;
  value: string;
  /** Where the event came from: a policy about the value looks there. */
  origin: Pick<FoundEvent, 'integration' | 'event_type'>;
};

/** Where one value of an event leads. */
export function PivotMenu({ field, value, origin }: Props) {
  const { columns, addFilter, toggleColumn, searchFor } = useSearchActions();
  const isColumn = columns.includes(field);
  const actions = useAccess('actions');
  const policies = useAccess('airAutomation');
  const [choosing, setChoosing] = useState<'action' | 'policy'>();
  const source = `${origin.integration}:${origin.event_type}`;
  const copy = async (text: string, done: string) => {
    if (await copyText(text)) showDone(done);
  };
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon size={24} aria-label={t('What to do with {field} {value}', { field, value: value.slice(0, 80) })}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {value.length > FILTER_VALUE_MAX ? null : (
            <>
              <Menu.Item leftSection={<IconEqual size={16} />} onClick={() => addFilter(field, 'is', value)}>
                {t('Only this value')}
              </Menu.Item>
              <Menu.Item leftSection={<IconEqualNot size={16} />} onClick={() => addFilter(field, 'is_not', value)}>
                {t('Not this value')}
              </Menu.Item>
            </>
          )}
          <Menu.Item leftSection={<IconColumns3 size={16} />} onClick={() => toggleColumn(field)}>
            {isColumn ? t('Remove column') : t('Show as column')}
          </Menu.Item>
          <Menu.Divider />
          {writeValue(value).length > queryLimits.maxLength ? null : (
            <Menu.Item leftSection={<IconSearch size={16} />} onClick={() => searchFor(writeValue(value))}>
              {t('Search this value everywhere')}
            </Menu.Item>
          )}
          {value.length > CASE_TEXT_MAX ? null : (
            <Menu.Item
              leftSection={<IconShieldHalf size={16} />}
              renderRoot={(props) => <Link to="/air/case-management" search={{ q: value }} {...props} />}
            >
              {t('Cases with this value')}
            </Menu.Item>
          )}
          {actions.allowed && kindsOfValue(field, value).length > 0 ? (
            <Menu.Item leftSection={<IconBolt size={16} />} onClick={() => setChoosing('action')}>
              {t('Run an action on it…')}
            </Menu.Item>
          ) : null}
          {policies.allowed && isPolicyField(field) && value !== '' && value.length <= POLICY_TEXT_MAX ? (
            <>
              <Menu.Item
                leftSection={<IconTargetArrow size={16} />}
                renderRoot={(props) => (
                  <Link to="/air/policy-management/new" search={{ criterion: { field, value }, source }} {...props} />
                )}
              >
                {t('New policy with this value')}
              </Menu.Item>
              <Menu.Item leftSection={<IconPlaylistAdd size={16} />} onClick={() => setChoosing('policy')}>
                {t('Add to a policy…')}
              </Menu.Item>
            </>
          ) : null}
          <Menu.Divider />
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copy(value, t('Value copied'))}>
            {t('Copy value')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCopy size={16} />}
            onClick={() => void copy(writeTerm(field, value), t('Query copied'))}
          >
            {t('Copy as query')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense fallback={null}>
        {choosing === 'action' ? (
          <RunActionDialog field={field} value={value} onClose={() => setChoosing(undefined)} />
        ) : null}
        {choosing === 'policy' ? (
          <PolicyChoiceDialog field={field} value={value} source={source} onClose={() => setChoosing(undefined)} />
        ) : null}
      </Suspense>
    </>
  );
}

/** Columns of ours and the time are nothing a policy can ask for. */
function isPolicyField(field: string): boolean {
  return !field.startsWith('_') && field !== 'time';
}
