import { ApiError } from '@airdeck/api-client/api-error';
import { notFound } from '@tanstack/react-router';

/** `catch` of a loader: what the server does not know is an address that leads nowhere; other failures stay what they are. */
export function orNotFound(error: unknown): never {
  throw error instanceof ApiError && error.status === 404 ? notFound() : error;
}
