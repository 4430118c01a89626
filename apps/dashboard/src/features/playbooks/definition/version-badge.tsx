import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { t } from '../../../language/translate.ts';
import classes from './definition.module.css';

/** The published version, that there is none yet, and whether changes wait to be published. */
export function VersionBadge({
  playbook: { version, has_draft },
}: {
  playbook: Pick<Playbook, 'version' | 'has_draft'>;
}) {
  if (version === 0) {
    return (
      <span className={classes.draft} title={t('Never published; it cannot be started.')}>
        {t('Draft')}
      </span>
    );
  }
  return (
    <span className={classes.version}>
      v{version}
      {has_draft ? (
        <span className={classes.draft} title={t('Changes were saved that are not published.')}>
          {t('Changed##playbook')}
        </span>
      ) : null}
    </span>
  );
}
