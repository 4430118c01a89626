// Loaded before a server of these tests: its clock is off by the first of `TEST_CLOCK_SHIFTS_MS`, and each SIGUSR2 sets it to the next.
const shifts = (process.env.TEST_CLOCK_SHIFTS_MS ?? '0').split(',').map(Number);
let shift = shifts.shift() ?? 0;
process.on('SIGUSR2', () => {
  shift = shifts.shift() ?? shift;
});

const now = Date.now.bind(Date);
const shifted = () => now() + shift;
globalThis.Date = new Proxy(Date, {
  construct: (target, words, newTarget) =>
    Reflect.construct(target, words.length === 0 ? [shifted()] : words, newTarget),
  apply: (target) => new target(shifted()).toString(),
  get: (target, name, receiver) => (name === 'now' ? shifted : Reflect.get(target, name, receiver)),
});
