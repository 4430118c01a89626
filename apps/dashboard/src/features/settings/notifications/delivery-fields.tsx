import type { NotificationPreferences } from '@airdeck/contracts/notifications/schema';
import { Group, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from '../../../language/translate.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import { Panel } from '../../../ui/panel.tsx';
import { ChannelTest } from './channel-test.tsx';
import classes from './notifications.module.css';
import { digestOptions, type PreferenceProblems } from './preferences.ts';
import { WebhookSecret } from './webhook-secret.tsx';

type Props = {
  preferences: NotificationPreferences;
  saved: NotificationPreferences;
  problems: PreferenceProblems;
  onChange: (next: NotificationPreferences) => void;
};

/** When notifications leave, and where webhooks go. */
export function DeliveryFields({ preferences, saved, problems, onChange }: Props) {
  const { digest, webhook_url } = preferences;
  return (
    <>
      <QuietHours preferences={preferences} problems={problems} onChange={onChange} />
      <Panel title={t('E-mails')}>
        <Radio.Group
          label={t('How e-mails are sent')}
          value={digest}
          onChange={(value) => {
            const chosen = digestOptions.find((option) => option.value === value);
            if (chosen !== undefined) onChange({ ...preferences, digest: chosen.value });
          }}
        >
          <Stack gap={10} mt={8}>
            {digestOptions.map(({ value, label, text }) => (
              <Radio key={value} size="sm" value={value} label={label} description={text} />
            ))}
          </Stack>
        </Radio.Group>
      </Panel>
      <Panel title={t('Webhook')}>
        <TextInput
          type="url"
          label={t('Address')}
          description={t('Receives a signed POST for each event switched on for it.')}
          placeholder={t('https://hooks.example.com/air')}
          autoComplete="off"
          maxLength={2000}
          value={webhook_url ?? ''}
          error={problems.webhook_url}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...preferences, webhook_url: value.trim() === '' ? null : value.trim() })
          }
        />
        <WebhookSecret />
        <ChannelTest channel="webhook" reason={testRefusal(preferences, saved)} />
      </Panel>
    </>
  );
}

/** The server tests what is saved. */
function testRefusal({ webhook_url: shown }: NotificationPreferences, saved: NotificationPreferences) {
  if (shown !== saved.webhook_url) return t('Save the address first.');
  return shown === null ? t('Enter an address and save it first.') : undefined;
}

function QuietHours({ preferences, problems, onChange }: Omit<Props, 'saved'>) {
  const { quiet_hours: quiet } = preferences;
  const { timezone } = useCurrentUser().user;
  const change = (part: Partial<typeof quiet>) => onChange({ ...preferences, quiet_hours: { ...quiet, ...part } });
  return (
    <Panel title={t('Quiet hours')}>
      <Stack gap="md">
        <Switch
          label={t('Hold everything outside of the app back')}
          description={t(
            'When the quiet hours end, e-mails and Slack get one summary, and webhooks are called one by one. What concerns the safety of your account is not held back.',
          )}
          checked={quiet.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        <Group gap="md" align="flex-start" className={classes.hours ?? ''}>
          <TextInput
            type="time"
            label={t('From##time')}
            value={quiet.from}
            disabled={!quiet.enabled}
            error={problems.quiet_hours}
            onChange={({ currentTarget: { value } }) => value !== '' && change({ from: value })}
          />
          <TextInput
            type="time"
            label={t('To##time')}
            value={quiet.to}
            disabled={!quiet.enabled}
            onChange={({ currentTarget: { value } }) => value !== '' && change({ to: value })}
          />
        </Group>
        <p className={classes.zone}>
          {timezone === ''
            ? t('In UTC, because your profile names no time zone.')
            : t('In the zone of your profile, {zone}.', { zone: timezone.replaceAll('_', ' ') })}{' '}
          <Link to="/settings/profile">{t('Change it')}</Link>
        </p>
      </Stack>
    </Panel>
  );
}
