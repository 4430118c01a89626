/** How the dashboard is used and what fails in it, as browsers tell it. */
export const telemetryLimits = {
  viewsPerCall: 50,
  errorsPerCall: 20,
  /** Page views and reports are kept this long. */
  keptDays: 90,
  /** Different errors a tenant keeps; further ones are not stored until old ones are gone. */
  errorsKept: 200,
} as const;
