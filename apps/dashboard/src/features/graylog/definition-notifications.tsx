import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AskDialog } from '../../components/confirmation/ask-dialog.tsx';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { graylogMutations } from '../../queries/graylog.ts';
import type { EventDefinition } from '../../queries/graylog-answers.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import classes from './graylog.module.css';

type Props = {
  definition: EventDefinition;
  /** Automations that answer it: what Graylog calls by an id has a name here. */
  rules: readonly AutomationRule[];
};

/** Whom a definition tells, and taking one of them out of it. */
export function DefinitionNotifications({ definition, rules }: Props) {
  const { notifications } = definition;
  const [removing, setRemoving] = useState<string>();
  const ruleOf = (title: string | null) => rules.find(({ notification }) => notification.title === title);
  return (
    <section>
      <h3 className={classes.sectionTitle}>{t('Notifications')}</h3>
      {notifications.length === 0 ? (
        <p className={classes.words}>
          {t('It notifies nobody. An automation adds the notification it needs by itself.')}
        </p>
      ) : (
        <ul className={classes.lines}>
          {notifications.map(({ id, title }) => (
            <li key={id} className={classes.entry}>
              <Name id={id} title={title} rule={ruleOf(title)} />
              <RemoveButton
                title={title}
                label={t('Remove {name} from {definition}', {
                  name: ruleOf(title)?.name ?? title ?? id,
                  definition: definition.title,
                })}
                onRemove={setRemoving}
              />
            </li>
          ))}
        </ul>
      )}
      {removing === undefined ? null : (
        <RemoveDialog
          definition={definition}
          title={removing}
          rule={ruleOf(removing)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </section>
  );
}

function Name({ id, title, rule }: { id: string; title: string | null; rule: AutomationRule | undefined }) {
  if (title === null) return <span className="air-mono">{id}</span>;
  if (rule === undefined) return <span className={classes.title}>{title}</span>;
  return (
    <span className={classes.alert}>
      <span className={classes.title}>{t('Automation: {name}', { name: rule.name })}</span>
      <span className={classes.message}>{title}</span>
    </span>
  );
}

type RemoveButtonProps = { title: string | null; label: string; onRemove: (title: string) => void };

function RemoveButton({ title, label, onRemove }: RemoveButtonProps) {
  const { reason } = useAccess('actions');
  return (
    <GuardedButton
      reason={reason ?? (title === null ? t('Graylog does not give its title, by which it is found.') : undefined)}
      size="compact-xs"
      variant="subtle"
      color="gray"
      leftSection={<IconX size={14} aria-hidden />}
      aria-label={label}
      onClick={() => title !== null && onRemove(title)}
    >
      {t('Remove')}
    </GuardedButton>
  );
}

type RemoveProps = {
  definition: EventDefinition;
  title: string;
  rule: AutomationRule | undefined;
  onClose: () => void;
};

function RemoveDialog({ definition, title, rule, onClose }: RemoveProps) {
  const remove = useMutation({
    ...graylogMutations.removeNotification(useTenantApi(), useQueryClient()),
    meta: { failure: 'inline' },
    onSuccess: () => {
      showDone(
        t('{definition} no longer notifies {name}', { definition: definition.title, name: rule?.name ?? title }),
      );
      onClose();
    },
  });
  const text =
    rule === undefined
      ? t('{definition} will no longer notify it. The notification itself stays in Graylog.', {
          definition: definition.title,
        })
      : t('{definition} will no longer notify it. The automation {name} gets no more alerts until it is repaired.', {
          definition: definition.title,
          name: rule.name,
        });
  return (
    <AskDialog
      title={t('Remove {name}?', { name: rule?.name ?? title })}
      text={text}
      actionLabel={t('Remove')}
      busy={remove.isPending}
      problem={remove.error}
      onConfirm={() => remove.mutate({ definition, title })}
      onClose={onClose}
    />
  );
}
