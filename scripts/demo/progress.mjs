// @ts-check
import { performance } from "node:perf_hooks";
import { clearInterval, setInterval } from "node:timers";

const SIGN_OF_LIFE_MS = 5_000;

/**
 * Runs a step and prints its progress: when it starts, at intervals while it runs, and when it ends.
 *
 * @template Result
 * @param {string} title
 * @param {() => Promise<Result>} work
 * @returns {Promise<{ result: Result, seconds: number }>}
 */
export async function withProgress(title, work) {
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  console.log(`▸ ${title}`);
  const timer = setInterval(() => {
    console.log(`    running for ${seconds().toFixed(0)} s`);
  }, SIGN_OF_LIFE_MS);
  try {
    return { result: await work(), seconds: seconds() };
  } finally {
    clearInterval(timer);
  }
}
