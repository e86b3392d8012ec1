// Loaded into a server (`--import`): whoever started it asks how much memory it holds after collecting garbage, what
// its event loop waits for, and how many timers run. Node itself does not tell of timers that it would not wait for.
const { gc, channel } = /** @type {{ gc: () => void, channel?: { unref: () => void } }} */ (
  /** @type {unknown} */ ({ gc: globalThis.gc, channel: process.channel })
);

/** Timers that were started since anybody asked, and before if they run still. */
let timers = /** @type {WeakRef<NodeJS.Timeout>[]} */ ([]);

Object.assign(globalThis, { setTimeout: watch(setTimeout), setInterval: watch(setInterval) });

/**
 * @template {typeof setTimeout | typeof setInterval} Start
 * @param {Start} start
 * @returns {Start} the same, and what it starts is remembered
 */
function watch(start) {
  return new Proxy(start, {
    apply: (_start, self, argv) => {
      /** @type {unknown} */
      const result = Reflect.apply(start, self, argv);
      const timer = /** @type {NodeJS.Timeout} */ (result);
      timers.push(new WeakRef(timer));
      return timer;
    },
  });
}

/** @param {WeakRef<NodeJS.Timeout>} timer */
function isRunning(timer) {
  // Cleared and fired timers are marked so by Node.
  return /** @type {{ _destroyed?: boolean } | undefined} */ (timer.deref())?._destroyed === false;
}

process.on('message', () => {
  gc();
  timers = timers.filter(isRunning);
  gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  process.send?.({ used: heapUsed + external, rss, resources, timers: timers.length });
});
channel?.unref();
