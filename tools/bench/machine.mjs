import { cpus, totalmem } from 'node:os';

/** What a figure was measured on; figures without it mean nothing. */
export function describeMachine() {
  const processors = cpus();
  return {
    cores: processors.length,
    cpu: processors[0]?.model.trim() ?? 'unknown',
    memory_gb: Math.round(totalmem() / 1024 ** 3),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    date: new Date().toISOString().slice(0, 10),
  };
}

export function machineLine({ cores, cpu, memory_gb: memory, node, platform, date }) {
  return `${date} · ${cores} cores · ${cpu} · ${memory} GB · ${platform} · Node ${node}`;
}
