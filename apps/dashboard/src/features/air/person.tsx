import { useCurrentUser } from '../../session/use-current-user.ts';
import { personName } from './person-name.ts';

type Props = {
  username: string | null;
  /** Shown for nobody. */
  otherwise: string;
};

/** A person by name; the username on hover. */
export function Person({ username, otherwise }: Props) {
  const { user } = useCurrentUser();
  if (username === null) return <span style={{ color: 'var(--air-text-2)' }}>{otherwise}</span>;
  return <span title={username}>{personName(username, user)}</span>;
}
