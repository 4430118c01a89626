import pg from 'pg';

const ANSWER_WITHIN_MS = 5_000;

/** For who is no process of the installation and asks once; rejects where it cannot look, or not soon. */
export async function askDatabase<T>(databaseUrl: string, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  // Losing the connection also rejects the query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await ask(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
