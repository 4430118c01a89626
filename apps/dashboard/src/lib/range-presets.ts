/** Presets of spec §9, as addresses name them; the times they mean are in `day-presets.ts`. */
export const rangePresets = ['today', '7d', '30d', '60d', '90d', '180d', 'this-month', 'last-month'] as const;
export type RangePreset = (typeof rangePresets)[number];
