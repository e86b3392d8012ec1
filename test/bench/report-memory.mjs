// Loaded into a server (`--import`): whoever started it asks how much memory it holds after collecting garbage.
const { gc, channel } = /** @type {{ gc: () => void, channel?: { unref: () => void } }} */ (
  /** @type {unknown} */ ({ gc: globalThis.gc, channel: process.channel })
);

process.on('message', () => {
  gc();
  gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ used: heapUsed + external, rss });
});
channel?.unref();
