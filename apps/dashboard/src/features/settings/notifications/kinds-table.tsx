import type {
  NotificationChannel,
  NotificationKind,
  NotificationPreferences,
} from '@airdeck/contracts/notifications/schema';
import { Switch } from '@mantine/core';
import { t } from '../../../language/translate.ts';
import classes from './notifications.module.css';
import { channelWords, kindWords, withSwitch } from './preferences.ts';

const kinds = Object.keys(kindWords) as NotificationKind[];
const channels = Object.keys(channelWords) as NotificationChannel[];

type Props = { preferences: NotificationPreferences; onChange: (next: NotificationPreferences) => void };

/** Events down, channels across, a switch where they meet; a list on phones. A server of the release before knows fewer events. */
export function KindsTable({ preferences, onChange }: Props) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('Event')}</th>
          {channels.map((channel) => (
            <th key={channel} scope="col" className={classes.channel}>
              {channelWords[channel].label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {kinds
          .filter((kind) => kind in preferences.kinds)
          .map((kind) => (
            <tr key={kind}>
              <th scope="row">
                <span className={classes.kind}>{kindWords[kind].label}</span>
                <span className={classes.help}>{kindWords[kind].text}</span>
              </th>
              {channels.map((channel) => (
                <td key={channel} className={classes.channel} data-label={channelWords[channel].label}>
                  <Switch
                    size="sm"
                    aria-label={`${kindWords[kind].label}, ${channelWords[channel].by}`}
                    checked={preferences.kinds[kind][channel]}
                    onChange={(event) =>
                      onChange(withSwitch(preferences, kind, { [channel]: event.currentTarget.checked }))
                    }
                  />
                </td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  );
}
