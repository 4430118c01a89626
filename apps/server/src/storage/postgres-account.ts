/** The account PostgreSQL runs under. It refuses to run as root, so root hands over to `nobody`. */
export type PostgresAccount = { uid: number; gid: number };

const NOBODY: PostgresAccount = { uid: 65534, gid: 65534 };

/** Undefined means: run it as ourselves. */
export function postgresAccount(): PostgresAccount | undefined {
  return process.geteuid?.() === 0 ? NOBODY : undefined;
}
