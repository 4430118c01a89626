import { useCurrentUser } from '../session/use-current-user.ts';
import { personName } from './person-name.ts';

/** A person by name; the username on hover. */
export function Person({ username }: { username: string }) {
  const { user } = useCurrentUser();
  return <span title={username}>{personName(username, user)}</span>;
}
