import type { ByteBudget } from './byte-budget.ts';
import type { DoorCounters } from './door-counters.ts';
import { createSyslogBatcher, type SyslogBatcherDependencies } from './syslog-batcher.ts';
import { listenSyslogTcp } from './syslog-tcp.ts';
import { listenSyslogUdp } from './syslog-udp.ts';

export type SyslogOptions = {
  host: string;
  /** 0 picks a free one; undefined leaves the door closed. */
  tcpPort: number | undefined;
  udpPort: number | undefined;
};

export type SyslogServers = {
  tcpPort: number | undefined;
  udpPort: number | undefined;
  kernelDrops(): Promise<number | undefined>;
  /** Closes the doors and writes what came in. */
  close(): Promise<void>;
};

type Dependencies = Omit<SyslogBatcherDependencies, 'counters' | 'budget'> & {
  budget: ByteBudget;
  counters: { tcp: DoorCounters; udp: DoorCounters };
};

/** Opens the doors for syslog. Rejects with the system's error (EADDRINUSE, EACCES) when one cannot be opened. */
export async function createSyslogServers(options: SyslogOptions, deps: Dependencies): Promise<SyslogServers> {
  const { host, tcpPort, udpPort } = options;
  const { counters, ...common } = deps;
  const forTcp = { ...common, counters: counters.tcp };
  const forUdp = { ...common, counters: counters.udp };
  const batchers = { tcp: createSyslogBatcher(forTcp), udp: createSyslogBatcher(forUdp) };
  const tcp =
    tcpPort === undefined
      ? undefined
      : await listenSyslogTcp({ host, port: tcpPort }, { ...forTcp, batcher: batchers.tcp });
  const udp =
    udpPort === undefined
      ? undefined
      : await listenSyslogUdp({ host, port: udpPort }, { ...forUdp, batcher: batchers.udp }).catch(
          async (error: unknown) => {
            await tcp?.close();
            throw error;
          },
        );
  return {
    tcpPort: tcp?.port,
    udpPort: udp?.port,
    kernelDrops: async () => await udp?.kernelDrops(),
    async close() {
      await Promise.all([tcp?.close(), udp?.close()]);
      await Promise.all([batchers.tcp.stop(), batchers.udp.stop()]);
    },
  };
}
