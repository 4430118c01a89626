import { ApiError } from '@airdeck/api-client/api-error';
import { notFound } from '@tanstack/react-router';

/** `catch` of a loader: what the server does not know is an address that leads nowhere; other failures stay what they are. */
export function orNotFound(error: unknown): never {
  throw isNotFound(error) ? notFound() : error;
}

/** Whether the server does not know what was asked for, or knows it no longer. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
