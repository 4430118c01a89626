import type { ByteBudget } from './byte-budget.ts';
import type { DoorCounters } from './door-counters.ts';
import type { SpoolDoor } from './spool-records.ts';
import { listenSyslogTcp, type SyslogListenOptions, type TlsIdentity } from './syslog-tcp.ts';
import { listenSyslogUdp, readUdpSockets, type UdpSocketTable } from './syslog-udp.ts';
import { createUnfinishedFrames } from './unfinished-frames.ts';

/** Of the memory for lines, how much frames may hold that have not ended. */
const UNFINISHED_SHARE = 0.5;

export type SyslogOptions = {
  host: string;
  /** 0 picks a free one; undefined leaves the door closed. */
  tcpPort: number | undefined;
  udpPort: number | undefined;
  tls?: { port: number; identity: TlsIdentity } | undefined;
  /** Doors of one source each, for TCP and UDP: what comes in there says by its door whose it is. */
  sourcePorts?: readonly number[];
};

export type SyslogServers = {
  tcpPort: number | undefined;
  udpPort: number | undefined;
  tlsPort: number | undefined;
  /** Datagrams the kernel threw away before we saw them, at all doors together; 0 where it does not tell. */
  kernelDrops(): Promise<number>;
  /** Closes the doors; what came in was handed on. */
  close(): Promise<void>;
};

type Dependencies = {
  /** Takes a line whose bytes the budget already holds. */
  add(door: SpoolDoor, frame: Buffer, from: { address: string; port?: number }): void;
  budget: ByteBudget;
  counters: Readonly<Record<SpoolDoor, DoorCounters>>;
  /** For tests: what the kernel says of its sockets. */
  udpSockets?: UdpSocketTable | undefined;
};

/** Opens the doors for syslog. Rejects with the system's error (EADDRINUSE, EACCES) when one cannot be opened. */
export async function createSyslogServers(options: SyslogOptions, deps: Dependencies): Promise<SyslogServers> {
  const { host, tcpPort, udpPort, tls, sourcePorts = [] } = options;
  const { budget, udpSockets = readUdpSockets } = deps;
  const unfinished = createUnfinishedFrames({ budget, maxBytes: budget.maxBytes * UNFINISHED_SHARE });
  const closers: (() => Promise<void>)[] = [];

  /** Of the doors that are wanted; one that cannot be opened closes those before it. */
  async function open<T extends { close(): Promise<void> }>(
    door: SpoolDoor,
    port: number | undefined,
    listen: (options: SyslogListenOptions, deps: ReturnType<typeof depsOf>) => Promise<T>,
    ownPort?: number,
  ): Promise<T | undefined> {
    if (port === undefined) return undefined;
    const opened = await listen({ host, port }, depsOf(door, ownPort));
    closers.push(() => opened.close());
    return opened;
  }

  function depsOf(door: SpoolDoor, port: number | undefined) {
    const own = port === undefined ? {} : { port };
    const add = (frame: Buffer, address: string) => deps.add(door, frame, { address, ...own });
    return { add, budget, unfinished, udpSockets, counters: deps.counters[door] };
  }

  const close = async () => {
    await Promise.all(closers.map((each) => each()));
  };
  try {
    const tcp = await open('tcp', tcpPort, listenSyslogTcp);
    const udp = await open('udp', udpPort, listenSyslogUdp);
    const secured = await open('tls', tls?.port, (at, own) => listenSyslogTcp({ ...at, tls: tls?.identity }, own));
    const datagramDoors = [udp];
    for (const port of sourcePorts) {
      await open('tcp', port, listenSyslogTcp, port);
      datagramDoors.push(await open('udp', port, listenSyslogUdp, port));
    }
    return {
      tcpPort: tcp?.port,
      udpPort: udp?.port,
      tlsPort: secured?.port,
      async kernelDrops() {
        const drops = await Promise.all(datagramDoors.map((door) => door?.kernelDrops() ?? 0));
        return drops.reduce((sum, each) => sum + each, 0);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
