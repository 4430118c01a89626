import { Kbd } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { tx } from '../language/rich-text.ts';
import { t } from '../language/translate.ts';
import { singleKeysOn } from '../lib/single-keys.ts';
import { Dialog } from '../ui/dialog.tsx';
import { keyboardMap } from './keyboard-map.ts';
import classes from './quick-keys.module.css';

/** Every key there is. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const link = (text: string) => (
    <Link to="/settings/profile" onClick={onClose}>
      {text}
    </Link>
  );
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
      <p className={classes.note}>
        {singleKeysOn()
          ? tx('Keys pressed alone can be switched off: <link>Single-key shortcuts</link> in your profile.', { link })
          : tx('Keys pressed alone are switched off: <link>Single-key shortcuts</link> in your profile.', { link })}
      </p>
    </Dialog>
  );
}
