import type { JSONColumnType } from 'kysely';
import type { OpenapiIntegration } from './openapi-integration.ts';

export type OpenapiImportTables = {
  /** Uploads that wait for their operations to be chosen. */
  openapi_document: {
    id: string;
    tenant_id: string;
    content: Buffer;
    created_at: Date;
  };
  own_integration: {
    id: string;
    tenant_id: string;
    name: string;
    /** The version in use. */
    version: number;
    created_by: string;
    created_at: Date;
    updated_at: Date;
  };
  /** Never changed once written. */
  own_integration_version: {
    tenant_id: string;
    integration_id: string;
    version: number;
    definition: JSONColumnType<OpenapiIntegration>;
    created_by: string;
    created_at: Date;
  };
};
