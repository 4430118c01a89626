import { Checkbox } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { t } from '../../../language/translate.ts';
import classes from './library.module.css';
import type { ShippedRow, Standing, Vendor } from './shipped-rows.ts';

type Props = {
  row: ShippedRow;
  chosen: boolean;
  onChoose: (chosen: boolean) => void;
  /** The list is left for the copy. */
  onLeave: () => void;
};

/** One shipped playbook: to be chosen, or, where it is there already, with the way to the copy. */
export function ShippedItem({
  row: { key, name, description, playbook_id, vendors },
  chosen,
  onChoose,
  onLeave,
}: Props) {
  const id = useId();
  return (
    <li className={classes.item} data-there={playbook_id !== null || undefined}>
      {playbook_id === null ? (
        <Checkbox
          id={id}
          className={classes.check ?? ''}
          size="xs"
          checked={chosen}
          aria-describedby={`${id}-about`}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      ) : (
        <IconCheck size={16} className={classes.there} aria-hidden />
      )}
      <div className={classes.body}>
        <div className={classes.head}>
          {playbook_id === null ? (
            <label htmlFor={id} className={classes.name}>
              {name}
            </label>
          ) : (
            <>
              <span className={classes.name}>{name}</span>
              <span className={classes.faint}>
                {t('Already there')} ·{' '}
                <Link
                  to="/playbooks/$id"
                  params={{ id: playbook_id }}
                  aria-label={t('Open your copy of {name}', { name })}
                  onClick={onLeave}
                >
                  {t('Open')}
                </Link>
              </span>
            </>
          )}
        </div>
        <p id={`${id}-about`} className={classes.about}>
          {description}
        </p>
        {vendors.length === 0 ? null : (
          <ul className={classes.vendors} aria-label={t('What {name} calls', { name })}>
            {vendors.map((vendor) => (
              <VendorLabel key={`${key} ${vendor.id}`} vendor={vendor} />
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

const standings: Readonly<Record<Standing, { words: string; icon: typeof IconCheck }>> = {
  works: { words: t('connected'), icon: IconCheck },
  broken: { words: t('not working'), icon: IconAlertTriangle },
  missing: { words: t('not connected'), icon: IconCircleDashed },
};

function VendorLabel({ vendor: { name, standing } }: { vendor: Vendor }) {
  if (standing === undefined) return <li className={classes.vendor}>{name}</li>;
  const { words, icon: Icon } = standings[standing];
  return (
    <li className={classes.vendor} data-standing={standing}>
      <Icon size={12} aria-hidden />
      {name} <span className={classes.standing}>{words}</span>
    </li>
  );
}
