import { t } from '../language/translate.ts';
import classes from './history-pages.module.css';
import { Pages } from './pages.tsx';

const words = { label: t('Pages of the history'), before: t('Newer'), after: t('Older') };

type Props = { page: number; pages: number; onPage: (page: number) => void };

/** The way through a history, newest page first; absent where one page holds it. */
export function HistoryPages(props: Props) {
  return <Pages {...props} words={words} className={classes.root} />;
}
