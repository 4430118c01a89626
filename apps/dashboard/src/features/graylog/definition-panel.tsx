import { Button } from '@mantine/core';
import { IconBellRinging, IconRoute } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { t } from '../../language/translate.ts';
import type { EventDefinition } from '../../queries/graylog-answers.ts';
import { CopyBlock } from '../../ui/copy-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { KeyFacts } from '../../ui/key-facts.tsx';
import { useReader } from '../../ui/reader.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { DefinitionNotifications } from './definition-notifications.tsx';
import { DefinitionRules } from './definition-rules.tsx';
import { DefinitionSwitch } from './definition-switch.tsx';
import { scheduleWords } from './definition-words.ts';
import classes from './graylog.module.css';
import { PriorityBadge } from './priority-badge.tsx';
import { useDefinitionRules } from './use-definition-rules.ts';

type Props = {
  /** Undefined when Graylog has no such definition. */
  definition: EventDefinition | undefined;
  opened: boolean;
  onClose: () => void;
};

/** One event definition: what it looks for, whom it tells, what answers it here. */
export function DefinitionPanel({ definition, opened, onClose }: Props) {
  return (
    <SidePanel
      opened={opened}
      onClose={onClose}
      title={
        definition === undefined ? (
          t('Event definition')
        ) : (
          <span className={classes.panelHead}>
            {definition.title}
            <PriorityBadge priority={definition.priority} variant="framed" />
          </span>
        )
      }
    >
      {definition === undefined ? (
        <EmptyState title={t('This event definition does not exist')}>
          {t('It may have been deleted in Graylog since.')}
        </EmptyState>
      ) : (
        <Definition key={definition.id} definition={definition} />
      )}
    </SidePanel>
  );
}

function Definition({ definition }: { definition: EventDefinition }) {
  const { locale } = useReader();
  const rules = useDefinitionRules(definition);
  const { id, title, description, query, matched_at: matched, updated_at: updated } = definition;
  return (
    <div className={classes.sections}>
      {description === '' ? null : <p className={classes.words}>{description}</p>}
      <DefinitionSwitch definition={definition} withWord />
      <div className={classes.buttons}>
        {rules.allowed ? (
          <Button
            component={Link}
            to={`/graylog/automation-settings/new?event_id=${encodeURIComponent(id)}`}
            leftSection={<IconRoute size={16} aria-hidden />}
          >
            {t('Automate')}
          </Button>
        ) : null}
        <Button
          component={Link}
          to={`/graylog/triggered-alerts?q=${encodeURIComponent(title)}`}
          variant="default"
          leftSection={<IconBellRinging size={16} aria-hidden />}
        >
          {t('Its alerts')}
        </Button>
      </div>
      {query === null ? null : <CopyBlock title={t('Search')} label={t('Copy the search')} text={query} />}
      <KeyFacts
        facts={[
          { label: t('Evaluated'), value: scheduleWords(definition, locale) },
          { label: t('Raises alerts'), value: definition.alert ? t('Yes') : t('No, only events') },
          { label: t('Last match'), value: matched === null ? t('Never') : <RelativeTime time={matched} /> },
          { label: t('Changed##definition'), value: updated === null ? null : <RelativeTime time={updated} /> },
          {
            label: t('Id'),
            value: (
              <span className={classes.id}>
                <span className="air-mono">{id}</span>
                <CopyButton value={id} label={t('Copy id')} />
              </span>
            ),
          },
        ]}
      />
      <DefinitionNotifications definition={definition} rules={rules.rules ?? []} />
      {rules.allowed ? <DefinitionRules of={rules} /> : null}
    </div>
  );
}
