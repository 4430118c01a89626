import type { BillingFacts } from './contract-port.ts';

export type ContractTables = {
  contract: {
    id: string;
    tenant_id: string;
    /** Calendar days, `2026-11-21`. */
    start_date: string;
    end_date: string;
    renewal_notice_date: string | null;
    seats: number | null;
    updated_at: Date;
  };
  contract_file: {
    /** Also the name under which the bytes are stored. */
    id: string;
    tenant_id: string;
    /** What people call it; a label and nothing else. */
    name: string;
    size_bytes: number;
    uploaded_at: Date;
  };
  billing: BillingFacts & { tenant_id: string; updated_at: Date };
};
