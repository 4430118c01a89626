import { z } from 'zod';
import { type Role, roles } from './roles.ts';

/** Kept apart from the role table, which browsers load without the schema library. */
export const roleSchema = z.enum(roles as [Role, ...Role[]]);
