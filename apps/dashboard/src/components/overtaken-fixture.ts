import { refusal } from '@airdeck/contracts/refusal-texts';

/** As the server refuses a change that was made from what somebody else has changed since; `path` is where the change says it. */
export function overtaken(
  path: 'body.based_on' | 'body.last_updated' | 'body.replaces' | 'body.updated_at',
  message: string,
): Response {
  const details = [{ path, ...refusal('FIELD_DIFFERENT_NOW') }];
  return Response.json({ message, code: 'CONFLICT', request_id: 'req-9', details }, { status: 409 });
}
