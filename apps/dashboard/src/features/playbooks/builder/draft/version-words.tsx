import { t } from '../../../../language/translate.ts';
import classes from './draft.module.css';

/** Which version runs, and that there are changes beyond it. */
export function VersionWords({ version, isPublished }: { version: number; isPublished: boolean }) {
  const words =
    version === 0
      ? t('Draft')
      : isPublished
        ? t('Version {version}', { version })
        : t('Draft after version {version}', { version });
  return <span className={classes.version}>{words}</span>;
}
