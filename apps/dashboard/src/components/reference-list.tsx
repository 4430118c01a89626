import classes from './reference-list.module.css';

/** What the author of an imported rule listed: addresses to follow, and whatever else they wrote as it stands. */
export function ReferenceList({ items }: { items: readonly string[] }) {
  return (
    <ul className={classes.root}>
      {items.map((item) => {
        const address = followable(item);
        return (
          <li key={item}>
            {address === undefined ? (
              item
            ) : (
              <a href={address} target="_blank" rel="noreferrer">
                {item}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The address when it is one a person can follow; what authors wrote may be anything. */
function followable(reference: string): string | undefined {
  if (!URL.canParse(reference)) return undefined;
  const { protocol, href } = new URL(reference);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
