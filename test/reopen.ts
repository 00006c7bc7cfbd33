import { setTimeout as wait } from "node:timers/promises";

/**
 * Opens what listens at the port that it had before: between closing and opening it is free, so
 * that another test's server or connection may hold it for a while.
 */
export async function reopen<Opened>(open: () => Promise<Opened>): Promise<Opened> {
  for (;;) {
    try {
      return await open();
    } catch (failure) {
      if (!(failure instanceof Error && "code" in failure && failure.code === "PORT")) {
        throw failure;
      }
      await wait(20, undefined, { ref: false });
    }
  }
}
