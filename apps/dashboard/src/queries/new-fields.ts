import { ApiError } from '@airdeck/api-client/api-error';

/**
 * Calls with fields that are new in this release, and once more without them where they are refused as unknown: by a server of
 * the release before, while it is replaced. It has done nothing then.
 */
export async function withNewFields<Fields extends object, Answer>(
  fields: Fields,
  call: (known: Partial<Fields>) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call(fields);
  } catch (error) {
    if (!isRefusedFor(Object.keys(fields), error)) throw error;
    return await call({});
  }
}

function isRefusedFor(names: readonly string[], error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.details.some(
    ({ reason, values }) =>
      reason === 'FIELDS_UNKNOWN' && names.some((name) => `${values?.names}`.includes(`"${name}"`)),
  );
}
