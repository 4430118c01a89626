import type { ErrorCode } from '@airdeck/contracts/error-codes';
import type { AppError } from './app-error.ts';

/**
 * What may be an attempt to get around a control, by the codes it is refused with. The names are stable: alerts on the log
 * are written against them. Refusals that name their account (sign-ins, proofs, codes) are recorded where they are judged.
 *
 * `strangers`: also where nobody is known. Otherwise whoever refused it has recorded it, or there is nobody to speak of.
 */
export const refusalKinds = {
  right_refused: {
    codes: ['TENANT_FORBIDDEN', 'ROLE_TOO_LOW', 'PLAN_NOT_ENABLED', 'NOT_A_PROVIDER'],
    strangers: false,
  },
  credential_refused: { codes: ['TOKEN_INVALID', 'USER_DISABLED', 'MFA_REQUIRED'], strangers: true },
  origin_refused: { codes: ['ORIGIN_NOT_ALLOWED'], strangers: true },
  limit_reached: { codes: ['RATE_LIMITED', 'TOO_MANY_OPEN_RUNS', 'BODY_TOO_LARGE'], strangers: true },
  malware_refused: { codes: ['FILE_INFECTED'], strangers: false },
  /** `VALIDATION_FAILED` only for what no form of ours sends. */
  body_tampered: {
    codes: ['VALIDATION_FAILED', 'BODY_NOT_DECODABLE', 'MEDIA_TYPE_UNSUPPORTED', 'TENANT_MISMATCH'],
    strangers: true,
  },
} as const satisfies Readonly<Record<string, { codes: readonly ErrorCode[]; strangers: boolean }>>;

export type RefusalKind = keyof typeof refusalKinds;

const kindByCode: ReadonlyMap<string, RefusalKind> = new Map(
  (Object.keys(refusalKinds) as RefusalKind[]).flatMap((kind) => refusalKinds[kind].codes.map((code) => [code, kind])),
);

/** Undefined for what is nobody's attempt at anything, and for what its thrower has recorded. */
export function kindOfRefusal(error: AppError): RefusalKind | undefined {
  if (error.recorded || (error.code === 'VALIDATION_FAILED' && !error.tampered)) return undefined;
  return kindByCode.get(error.code);
}
