import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { ActionIcon, Switch } from '@mantine/core';
import { IconAlertTriangle, IconArrowDown, IconArrowUp, IconBolt, IconRoute } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useConfirmedMutation } from '../../components/confirmation/use-confirmed-mutation.ts';
import { tx } from '../../language/rich-text.ts';
import { t, told } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { noteRuleResponse } from '../../queries/rule-responses.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Tip } from '../../ui/tip.tsx';
import classes from './automation-list.module.css';
import { conditionWords } from './condition-words.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { triggerWords } from './trigger-field.tsx';

type Props = {
  response: RuleResponse;
  /** Undefined where it cannot be moved. */
  onMove: ((by: -1 | 1) => void) | undefined;
  isFirst: boolean;
  isLast: boolean;
};

/** One automation: its place, what it starts, for which cases, how it went. */
export function AutomationRow({ response, onMove, isFirst, isLast }: Props) {
  const { rule_id: ruleId, response_name: name, problems, position } = response;
  return (
    <li className={classes.row} data-off={!response.enabled || undefined}>
      <span className={classes.place}>
        <span className={classes.number}>{position + 1}</span>
        {onMove === undefined ? null : (
          <>
            <MoveButton
              label={t('Start {name} earlier', { name })}
              end={isFirst}
              icon={IconArrowUp}
              onMove={() => onMove(-1)}
            />
            <MoveButton
              label={t('Start {name} later', { name })}
              end={isLast}
              icon={IconArrowDown}
              onMove={() => onMove(1)}
            />
          </>
        )}
      </span>
      <span className={classes.what}>
        <NameOf ruleId={ruleId} name={name} />
        <Starts response={response} />
        {problems.map(({ code, ...problem }) => (
          <span key={code} className={classes.problem}>
            <IconAlertTriangle size={14} aria-hidden />
            {told(problem)}
          </span>
        ))}
      </span>
      <Condition text={response.conditions} />
      <span className={classes.last}>
        {response.last === null ? (
          t('Not asked yet')
        ) : (
          <>
            <OutcomeBadge entry={response.last} />
            <span>
              <RelativeTime time={response.last.at} /> · {response.last.case_reference}
            </span>
          </>
        )}
      </span>
      <Rate figures={response.figures} />
      <span className={classes.switch}>
        <EnabledSwitch response={response} />
      </span>
    </li>
  );
}

type MoveProps = { label: string; end: boolean; icon: typeof IconArrowUp; onMove: () => void };

/** At the end of the list it stays reachable: what is locked under the finger loses the focus. */
function MoveButton({ label, end, icon: Icon, onMove }: MoveProps) {
  return (
    <ActionIcon
      size={24}
      variant="subtle"
      className={classes.move ?? ''}
      aria-label={label}
      {...(end ? { 'data-disabled': true, 'aria-disabled': true } : { onClick: onMove })}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  );
}

/** Who may not change automations has nothing to open. */
function NameOf({ ruleId, name }: { ruleId: string; name: string }) {
  const { allowed } = useAccess('airAutomation');
  if (!allowed) return <span className={classes.title}>{name}</span>;
  return (
    <Link
      className={classes.title}
      to="/air/automation-settings/$ruleId/$responseName"
      params={{ ruleId, responseName: name }}
    >
      {name}
    </Link>
  );
}

function Starts({ response }: { response: RuleResponse }) {
  const {
    response_type: type,
    definition_name: name,
    definition_id: id,
    connector_name: connector,
    trigger,
  } = response;
  const Icon = type === 'action' ? IconBolt : IconRoute;
  const what =
    type === 'action'
      ? t('Action: {name}', { name: name ?? id })
      : t('Playbook: {name}', { name: name ?? t('deleted##playbook') });
  return (
    <span className={classes.starts}>
      <Icon size={14} aria-hidden />
      {connector === null ? what : t('{what} on {connector}', { what, connector })}
      {trigger === 'case_opened' ? null : ` · ${t('when {trigger}', { trigger: triggerWords[trigger] })}`}
    </span>
  );
}

function Condition({ text }: { text: string | null }) {
  if (text === null) return <span className={classes.condition}>{t('Every case')}</span>;
  const words = conditionWords(text);
  return (
    <span className={classes.condition}>
      {tx('Only if {condition}', { condition: words ?? <span className="air-mono">{text}</span> })}
    </span>
  );
}

/** Over the last thirty days, of those that ended. */
function Rate({ figures }: { figures: RuleResponse['figures'] }) {
  const { succeeded, failed, cancelled, active, skipped } = figures;
  const ended = succeeded + failed + cancelled;
  const exact = t(
    'In 30 days: {succeeded} succeeded, {failed} failed, {cancelled} cancelled, {active} going on, {skipped} left out by the condition',
    { succeeded, failed, cancelled, active, skipped },
  );
  if (ended + active + skipped === 0) return <span className={classes.rate}>{t('No case in 30 days')}</span>;
  return (
    <Tip label={exact}>
      <span className={classes.rate}>
        {ended > 0
          ? t('{done} of {count} succeeded', { done: succeeded, count: ended })
          : active > 0
            ? t('{active} going on', { active })
            : t('None started')}
      </span>
    </Tip>
  );
}

function EnabledSwitch({ response }: { response: RuleResponse }) {
  const { api, tenantId } = useTenantApi();
  const queryClient = useQueryClient();
  const { allowed, reason } = useAccess('airAutomation');
  const { rule_id: id, response_name: name } = response;
  const change = useConfirmedMutation<RuleResponse, boolean>({
    mutationFn: (enabled, controls) =>
      api.call('rule-responses.switch', {
        params: { tenant: tenantId, id },
        query: { response_name: name },
        body: { enabled },
        ...controls,
      }),
    onSuccess: (changed) => {
      noteRuleResponse(queryClient, tenantId, changed);
      showDone(changed.enabled ? t('{name} is switched on', { name }) : t('{name} is switched off', { name }));
    },
  });
  const checked = change.isPending ? change.variables === true : response.enabled;
  return (
    <Switch
      aria-label={t('{name} switched on', { name })}
      checked={checked}
      disabled={!allowed || change.isPending}
      {...(reason === undefined ? {} : { title: reason })}
      onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
    />
  );
}
