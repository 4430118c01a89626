import type { TenantSettings } from '@airdeck/contracts/settings/schema';
import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconUser, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { Person } from '../../../components/person.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SettingRow } from '../setting-row.tsx';
import settingsClasses from '../settings.module.css';
import { StateBadge } from '../state-badge.tsx';
import { useSettingsChange, useTenantSettings } from './use-settings.ts';

/** The kill switch: stops everything the product does by itself. */
export function AutomationPanel() {
  const { automation } = useTenantSettings();
  const change = useSettingsChange();
  const [asking, setAsking] = useState(false);
  const turn = (enabled: boolean) =>
    change.mutate(
      { automation: { enabled } },
      {
        onSuccess: () => {
          setAsking(false);
          showDone(enabled ? t('Automation is on') : t('Automation is off'));
        },
      },
    );
  return (
    <div className={settingsClasses.stack}>
      <Panel title={t('Automation')} flush>
        <SettingRow
          title={automation.enabled ? t('Policies answer by themselves') : t('Everything automatic is stopped')}
          state={
            automation.enabled ? (
              <StateBadge word={t('On##automation')} tone="good" />
            ) : (
              <StateBadge word={t('Off##automation')} tone="warn" />
            )
          }
          text={
            <>
              {automation.enabled
                ? t(
                    'Switching it off starts no playbook or action for new cases, and stops what runs before its next action. Detection goes on: cases are still opened, and people are still told.',
                  )
                : t(
                    'No playbook or action starts for new cases, and runs wait before their next action. Detection goes on: cases are still opened. Switched on again, waiting runs continue where they stopped.',
                  )}
              <LastChange of={automation} />
              {asking ? null : <ProblemNote error={change.error} />}
            </>
          }
          actions={
            automation.enabled ? (
              <Button
                variant="default"
                className={settingsClasses.danger ?? ''}
                leftSection={<IconPlayerPause size={16} aria-hidden />}
                onClick={() => setAsking(true)}
              >
                {t('Switch off…')}
              </Button>
            ) : (
              <Button
                leftSection={<IconPlayerPlay size={16} aria-hidden />}
                loading={change.isPending}
                onClick={() => turn(true)}
              >
                {t('Switch on')}
              </Button>
            )
          }
        />
        <TwoPeopleRow />
      </Panel>
      {asking ? (
        <AskDialog
          title={t('Switch automation off?')}
          text={t(
            'Runs stop before their next action, and new cases get no automatic answer until somebody switches it on again. Everybody who works here sees that it is off.',
          )}
          actionLabel={t('Switch automation off')}
          busy={change.isPending}
          problem={change.error}
          onConfirm={() => turn(false)}
          onClose={() => {
            setAsking(false);
            change.reset();
          }}
        />
      ) : null}
    </div>
  );
}

/** Questions of playbooks that lead to an action that destroys take one person, or two. */
function TwoPeopleRow() {
  const { approvals } = useTenantSettings();
  const change = useSettingsChange();
  const isOn = approvals.two_people;
  const turn = () =>
    change.mutate(
      { approvals: { two_people: !isOn } },
      { onSuccess: () => showDone(isOn ? t('One person approves') : t('Two people approve what destroys')) },
    );
  return (
    <SettingRow
      title={t('Two people approve what destroys')}
      state={isOn ? <StateBadge word={t('On##automation')} tone="good" /> : <StateBadge word={t('Off##automation')} />}
      text={
        <>
          {isOn
            ? t(
                'When a playbook asks before an action that cannot be undone, a second approver confirms what the first one chose. The option that is taken when nobody answers needs one person only.',
              )
            : t(
                'When a playbook asks before an action that cannot be undone, one approver decides. Switched on, a second approver has to confirm what the first one chose.',
              )}
          <ProblemNote error={change.error} />
        </>
      }
      actions={
        <Button
          variant="default"
          leftSection={isOn ? <IconUser size={16} aria-hidden /> : <IconUsers size={16} aria-hidden />}
          loading={change.isPending}
          onClick={turn}
        >
          {isOn ? t('One is enough') : t('Ask for two')}
        </Button>
      }
    />
  );
}

function LastChange({ of: { enabled, changed_by, changed_at } }: { of: TenantSettings['automation'] }) {
  if (changed_by === null || changed_at === null) return <div>{t('Never switched.')}</div>;
  return (
    <div>
      {tx('Switched {what} by {person} {time}.', {
        what: enabled ? t('on') : t('off'),
        person: <Person username={changed_by} />,
        time: <RelativeTime time={changed_at} />,
      })}
    </div>
  );
}
