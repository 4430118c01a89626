import type { ColumnType, Generated } from 'kysely';

/** A tenant without a row has all the defaults; its name and brand are columns of `tenant`. */
export type TenantSettingsTable = {
  tenant_id: string;
  mfa_required_for_social: Generated<boolean>;
  sso_required: Generated<boolean>;
  /** Usernames. */
  break_glass: Generated<string[]>;
  /** Null = as long as the plan allows. */
  retention_days: ColumnType<number | null, number | null | undefined, number | null>;
  automation_enabled: Generated<boolean>;
  automation_changed_by: ColumnType<string | null, string | null | undefined, string | null>;
  automation_changed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Questions that lead to an action that destroys take two people. */
  two_people_approve: Generated<boolean>;
  updated_at: Date;
};

export type SettingsTables = { tenant_settings: TenantSettingsTable };
