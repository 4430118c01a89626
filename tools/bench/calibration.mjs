import { createHash } from 'node:crypto';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metricOf } from './metrics.mjs';

const ROUNDS = 7;
const WRITES = 40;

/**
 * How fast the machine is right now, by work that never changes: milliseconds of one core, and of one write of 4 KiB until it
 * is on the disk. Medians. Figures of two days may only be compared in the light of theirs.
 */
export function calibrate() {
  return {
    cpu_ms: metricOf(Array.from({ length: ROUNDS }, cpuRound), 'ms').value,
    fsync_ms: metricOf(fsyncRounds(), 'ms').value,
  };
}

function cpuRound() {
  const began = performance.now();
  const hash = createHash('sha256');
  for (let round = 0; round < 60; round++) {
    const rows = Array.from({ length: 400 }, (_, index) => ({ index, round, text: `row ${index * round}` }));
    hash.update(JSON.stringify(JSON.parse(JSON.stringify(rows)).sort((a, b) => b.index - a.index)));
  }
  hash.digest();
  return performance.now() - began;
}

function fsyncRounds() {
  const folder = mkdtempSync(join(tmpdir(), 'airdeck-calibration-'));
  const file = openSync(join(folder, 'file'), 'w');
  const block = Buffer.alloc(4096, 'x');
  try {
    return Array.from({ length: WRITES }, () => {
      const began = performance.now();
      writeSync(file, block);
      fdatasyncSync(file);
      return performance.now() - began;
    });
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}
