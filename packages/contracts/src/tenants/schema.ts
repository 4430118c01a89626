import { z } from 'zod';
import { idSchema } from '../fields.ts';
import { skuInfoSchema } from '../me/schema.ts';

export const tenantSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  managed_by: idSchema.nullable(),
  sku_info: skuInfoSchema,
});
export type Tenant = z.output<typeof tenantSchema>;
