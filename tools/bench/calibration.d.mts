export type Calibration = { cpu_ms: number; fsync_ms: number };

export function calibrate(): Calibration;
