import { z } from 'zod';

/** Where a policy came from that was written elsewhere. Its licence may ask that the author is named with every case. */
export const policyOriginSchema = z.strictObject({
  format: z.literal('sigma'),
  id: z.string().max(100),
  author: z.string().max(2000),
  license: z.string().max(500),
  /** As the author rated it: `informational` has no severity of ours. */
  level: z.string().max(50),
  status: z.string().max(50),
  date: z.string().max(50),
  references: z.array(z.string().max(2000)).max(100),
  false_positives: z.array(z.string().max(2000)).max(100),
  tags: z.array(z.string().max(200)).max(100),
});
export type PolicyOrigin = z.output<typeof policyOriginSchema>;
