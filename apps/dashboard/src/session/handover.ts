/**
 * What one screen before sign-in hands to the next, so that it stands in no address, no history and no store: in memory
 * for five minutes at most, and gone with a reload.
 */
import type { QueryClient } from '@tanstack/react-query';

export type Handover = {
  /** Address a code was mailed to, and the code once it was judged right. */
  readonly email?: string;
  readonly code?: string;
  /** What a new account calls itself. */
  readonly fullname?: string;
  /** The password was right, or the other provider said so; the authenticator's code is missing. */
  readonly secondFactor?: true;
  /** What another provider vouched for has no account here. */
  readonly noAccount?: true;
  /** Failure to show, and what went well. */
  readonly problem?: unknown;
  readonly done?: 'password_set';
  /** The session of before is over: nobody used it, or it was ended elsewhere. */
  readonly sessionOver?: true;
  /** An authenticator is being set up: the step after the QR code may be entered. */
  readonly totpBegun?: true;
  /** It is set up, and its recovery codes are saved. */
  readonly totpSet?: true;
};

const key = ['handover'];

/** Replaces what was handed over before. */
export function handOver(queryClient: QueryClient, values: Handover): void {
  queryClient.setQueryData<Handover>(key, values);
}

export function handedOver(queryClient: QueryClient): Handover {
  return queryClient.getQueryData<Handover>(key) ?? {};
}

export function dropHandover(queryClient: QueryClient): void {
  queryClient.removeQueries({ queryKey: key });
}
