import { Button } from '@mantine/core';
import { t } from '../language/translate.ts';
import classes from './save-bar.module.css';

type Props = {
  /** Whether there is something to save; the bar shows only then. */
  dirty: boolean;
  saving: boolean;
  onDiscard: () => void;
  /** Id of the form the button submits. */
  form: string;
};

/** Says that a form has changes, and saves or discards them; in sight at the bottom of the window, wherever one is. */
export function SaveBar({ dirty, saving, onDiscard, form }: Props) {
  if (!dirty && !saving) return null;
  return (
    <section className={classes.root} aria-label={t('Unsaved changes')}>
      <span className={classes.text}>{t('Unsaved changes')}</span>
      <Button variant="default" onClick={onDiscard} disabled={saving}>
        {t('Discard')}
      </Button>
      <Button type="submit" form={form} loading={saving}>
        {t('Save changes')}
      </Button>
    </section>
  );
}
