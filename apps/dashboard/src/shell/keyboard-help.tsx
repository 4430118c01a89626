import { Kbd } from '@mantine/core';
import { t } from '../language/translate.ts';
import { Dialog } from '../ui/dialog.tsx';
import { keyboardMap } from './keyboard-map.ts';
import classes from './quick-keys.module.css';

/** Every key there is. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('Keyboard')} onClose={onClose} size={640} closeLabel={t('Close')}>
      <div className={classes.map}>
        {keyboardMap.map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h3 className={classes.mapTitle}>{title}</h3>
            <dl className={classes.keys}>
              {rows.map(({ keys, does }) => (
                <div key={`${keys.join(' ')} ${does}`} className={classes.row}>
                  <dt>
                    {keys.map((key) => (
                      <Kbd key={key} size="sm">
                        {key}
                      </Kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
