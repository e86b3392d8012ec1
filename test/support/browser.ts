/** Applications in headless Chromium: bundled as their authors would, on a page of an origin of its own. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

/** Whether there is a browser; tests that need one are skipped otherwise, and the reason is printed. */
export const hasBrowser = existsSync(CHROMIUM);
if (!hasBrowser) console.warn(`${CHROMIUM} is not there: the browser tests are skipped`);

/** A page that runs an application, for a test file. */
export interface Stage {
  /** Its origin, without a slash at the end. */
  readonly origin: string;
  /** Opens the page, and what goes wrong in it from then on. */
  open(query?: string): Promise<{ page: Page; faults: readonly string[] }>;
  close(): Promise<void>;
}

/** Serves an application, an ES module as text, with these headers, and starts a browser. */
export async function startStage(
  application: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  const { outputFiles } = await build({
    stdin: { contents: application, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    minify: true,
  });
  const script = outputFiles[0]?.text ?? '';
  const html = '<!doctype html><body><script type="module" src="/app.js"></script>';
  const pages = createServer((request, response) => {
    const isScript = request.url === '/app.js';
    const type = isScript ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'Content-Type': type, ...headers });
    response.end(isScript ? script : html);
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
  });
  const origin = `http://127.0.0.1:${String((pages.address() as AddressInfo).port)}`;
  return {
    origin,
    open: async (query = '') => {
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (line) => {
        if (line.type() === 'error') faults.push(line.text());
      });
      await page.goto(`${origin}/${query}`);
      return { page, faults };
    },
    close: async () => {
      await browser.close();
      pages.close();
    },
  };
}
