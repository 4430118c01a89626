const LOG_EVERY_MS = 15_000;

/** One line for something that takes a while: rewritten each second on a terminal, repeated now and then in a log. */
export function startTicker(title) {
  const started = performance.now();
  const terminal = process.stdout.isTTY === true;
  const line = (word) => `${title} … ${word} (${((performance.now() - started) / 1000).toFixed(0)} s)`;
  process.stdout.write(terminal ? line('') : `${title} …\n`);
  const timer = setInterval(
    () => process.stdout.write(terminal ? `\r${line('')}` : `${line('still working')}\n`),
    terminal ? 1000 : LOG_EVERY_MS,
  );
  timer.unref();
  return (word) => {
    clearInterval(timer);
    process.stdout.write(`${terminal ? '\r' : ''}${line(word)}${terminal ? '\x1b[K' : ''}\n`);
  };
}
