/** How long a remote agent may have nothing new to say. */

/** Watches one. */
export interface SilenceWatch {
  /** There was something new. */
  heard(): void;
  /** How often there was. */
  readonly news: number;
  stop(): void;
}

/** Calls `onSilence` once there was nothing new for so many milliseconds. */
export function watchSilence(limit: number, onSilence: () => void): SilenceWatch {
  const timer = setTimeout(onSilence, limit);
  timer.unref();
  let news = 0;
  return {
    heard() {
      news += 1;
      timer.refresh();
    },
    get news() {
      return news;
    },
    stop() {
      clearTimeout(timer);
    },
  };
}
