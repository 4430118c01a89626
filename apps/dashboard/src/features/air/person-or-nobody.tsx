import { Person } from '../../components/person.tsx';

type Props = {
  username: string | null;
  /** Shown for nobody. */
  nobody: string;
};

/** A person by name, or the words for nobody. */
export function PersonOrNobody({ username, nobody }: Props) {
  if (username === null) {
    return (
      <span style={{ color: 'var(--air-text-2)' }} data-empty>
        {nobody}
      </span>
    );
  }
  return <Person username={username} />;
}
