import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { Button, VisuallyHidden } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { SeverityBadge } from '../../components/status-badge.tsx';
import { t } from '../../language/translate.ts';
import { refreshRuleResponseLists } from '../../queries/rule-responses.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './automation-list.module.css';
import { AutomationRow } from './automation-row.tsx';

type Props = {
  responses: readonly RuleResponse[];
  /** All of the policy are here, so that they can be put in another order. */
  isWhole: boolean;
};

/** One policy with everything it starts, in order. */
export function AutomationGroup({ responses, isWhole }: Props) {
  const { allowed } = useAccess('airAutomation');
  const order = useOrder(responses);
  const [first] = responses;
  if (first === undefined) return null;
  const { rule, rule_id: ruleId, rule_name: name } = first;
  return (
    <div className={classes.group}>
      <Panel flush>
        <div className={classes.headLine}>
          <h2 className={classes.head}>
            <span className={classes.name}>{name}</span>
            {rule === null ? (
              <span className={classes.note}>{t('Deleted policy')}</span>
            ) : (
              <SeverityBadge severity={rule.severity} variant="plain" />
            )}
            {rule?.enabled === false ? <span className={classes.note}>{t('Policy switched off')}</span> : null}
          </h2>
          {rule === null || !allowed ? null : (
            <Button
              component={Link}
              to={`/air/automation-settings/new?rule_id=${ruleId}`}
              size="compact-xs"
              variant="subtle"
              leftSection={<IconPlus size={14} aria-hidden />}
              aria-label={t('Add an automation to {name}', { name })}
            >
              {t('Add')}
            </Button>
          )}
        </div>
        <ol className={classes.rows}>
          {responses.map((response, index) => (
            <AutomationRow
              key={response.response_name}
              response={response}
              onMove={isWhole && allowed && responses.length > 1 ? (by) => order.move(index, by) : undefined}
              isFirst={index === 0}
              isLast={index === responses.length - 1}
            />
          ))}
        </ol>
        <VisuallyHidden role="status">{order.said}</VisuallyHidden>
      </Panel>
    </div>
  );
}

/** Moves automations one after another: presses meanwhile count for nothing, as the next goes on from what is there then. */
function useOrder(responses: readonly RuleResponse[]) {
  const { api, tenantId } = useTenantApi();
  const queryClient = useQueryClient();
  const [said, setSaid] = useState('');
  const { mutate, isPending } = useMutation({
    mutationFn: ({ id, names }: { id: string; names: string[] }) =>
      api.call('rule-responses.order', { params: { tenant: tenantId, id }, body: { response_names: names } }),
    // Also after a failure: somebody else may have added one. The next move goes on from what is there then.
    onSettled: () => refreshRuleResponseLists(queryClient, tenantId),
  });
  return {
    said,
    move(index: number, by: -1 | 1) {
      const names = responses.map(({ response_name }) => response_name);
      const [moved] = names.splice(index, 1);
      const id = responses[0]?.rule_id;
      if (moved === undefined || id === undefined || isPending) return;
      names.splice(index + by, 0, moved);
      const place = t('{name} now starts at place {place} of {count}.', {
        name: moved,
        place: index + by + 1,
        count: names.length,
      });
      mutate({ id, names }, { onSuccess: () => setSaid(place) });
    },
  };
}
