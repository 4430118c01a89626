import { plural } from '../../language/plural.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { type GrowingList, MoreButton } from '../../ui/more-button.tsx';
import { numberFormat, type Reader, useReader } from '../../ui/reader.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './graylog.module.css';

type Props = {
  /** Of those that are loaded, the ones the search fits. */
  shown: number;
  loaded: number;
  total: number;
  list: GrowingList & { dataUpdatedAt: number; isFetchNextPageError: boolean };
};

/** How much of the whole is here: the search looks only through that. */
export function AlertListFooter({ shown, loaded, total, list }: Props) {
  const reader = useReader();
  return (
    <div className={classes.footer}>
      <span role="status">
        {tx('{what} · updated {time}', {
          what: countText({ shown, loaded, total }, reader),
          time: <RelativeTime time={new Date(list.dataUpdatedAt).toISOString()} />,
        })}
      </span>
      <MoreButton list={list} cancelRefetch={false}>
        {list.isFetchNextPageError ? t('Try to load older ones again') : t('Load older ones')}
      </MoreButton>
    </div>
  );
}

function countText({ shown, loaded, total }: Pick<Props, 'shown' | 'loaded' | 'total'>, reader: Reader): string {
  const text = (count: number) => numberFormat(reader).format(count);
  if (loaded < total) {
    const counts = { loaded: text(loaded), total: text(total) };
    return shown === loaded
      ? t('the newest {loaded} of {total} alerts', counts)
      : t('{shown} of the newest {loaded} of {total} alerts', { ...counts, shown: text(shown) });
  }
  return shown === loaded
    ? plural(loaded, '{count} alert', '{count} alerts')
    : plural(loaded, '{shown} of {count} alert', '{shown} of {count} alerts', { shown: text(shown) });
}
