import classes from './draft.module.css';

/** Which version runs, and that there are changes beyond it. */
export function VersionWords({ version, isPublished }: { version: number; isPublished: boolean }) {
  const words = version === 0 ? 'Draft' : isPublished ? `Version ${version}` : `Draft after version ${version}`;
  return <span className={classes.version}>{words}</span>;
}
