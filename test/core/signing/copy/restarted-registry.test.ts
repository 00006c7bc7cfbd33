import { randomBytes } from "node:crypto";
import { copyImage } from "../../../../src/core/signing/copy/copy-image";
import type { Repository } from "../../../../src/core/signing/oci/reference/image-name";
import { clientWithLayouts, newLayout } from "../oci/layout/layouts";
import {
  contextOf,
  failureOf,
  openClient,
  openRegistry,
  pushImage,
  pushReferrer,
} from "../oci/registry/registries";
import { startRestarted, WaitingClock } from "./restarted-registry";

type Side = "source" | "destination";

const sides: readonly Side[] = ["source", "destination"];

/** A copy between two registries, of which each can be restarted. */
async function open(random = 0, layout?: Repository) {
  const own = openClient();
  const registry = await openRegistry("ours");
  const image = await pushImage(own, { registry, path: "lab/app" }, randomBytes(400_000));
  await pushReferrer(own, { registry, path: "lab/app" }, image, "a bundle");
  const clock = new WaitingClock();
  const source = await startRestarted(registry, clock);
  const destination = await startRestarted(await openRegistry("ours"), clock);
  const settings = { clock, random: () => random };
  const client = clientWithLayouts(openClient(settings), settings);
  const from = { registry: source.host, path: "lab/app", digest: image.digest };
  const to = layout ?? { registry: destination.host, path: "mirror/app" };
  return {
    clock,
    registries: { source, destination },
    run: (onStep: (number: number) => void = () => undefined, allowedMs = 600_000) => {
      let steps = 0;
      return copyImage(from, to, {
        client,
        context: { ...contextOf(), deadline: clock.now() + allowedMs },
        parallelBlobs: 1,
        onStep: () => {
          onStep(++steps);
        },
      });
    },
  };
}

test("a copy to a layout waits for the source after each of its steps", async () => {
  for (let at = 1; at <= 4; at++) {
    const { run, registries } = await open(0, newLayout());
    let stopping: Promise<void> | undefined;
    const result = await run((number) => {
      if (number === at) stopping = registries.source.restart(3_000);
    });
    await stopping;
    expect(result).toMatchObject({ referrers: 1, warnings: [] });
  }
});

describe.each(sides)("while the %s is restarted", (side) => {
  test.each([
    ["with the longest waits", 0],
    ["with the shortest waits", 0.999],
  ])("a copy waits for it after each of its steps, %s", async (_, random) => {
    for (let at = 1; at <= 6; at++) {
      const { run, registries } = await open(random);
      let stopping: Promise<void> | undefined;
      const result = await run((number) => {
        if (number === at) stopping = registries[side].restart(3_000);
      });
      await stopping;
      expect(result).toMatchObject({ referrers: 1, warnings: [] });
    }
  });

  test.each([1_000, 100_000, 399_000])("a copy survives it %i bytes into a blob", async (bytes) => {
    const { run, registries } = await open();
    registries[side].restartAfter(bytes, 3_000);
    expect(await run()).toMatchObject({ referrers: 1, warnings: [] });
    expect(registries[side].restarts()).toBe(1);
  });

  test("for too long, the copy fails with the number of attempts, and the next run goes on", async () => {
    const { run, registries, clock } = await open();
    const before = clock.now();
    const failure = await failureOf(
      run((number) => {
        if (number === 2) void registries[side].restart(300_000);
      }),
    );
    expect(failure.code).toBe("TRANSPORT");
    expect(failure.message).toMatch(
      /: no server is listening on 127\.0\.0\.1:\d+ after 8 attempts$/,
    );
    expect(clock.now() - before).toBeLessThan(60_000);
    await clock.sleep(300_000, new AbortController().signal);
    const { referrers, present } = await run();
    expect([referrers, present > 0]).toEqual([1, true]);
  });

  test("the copy never waits past its deadline", async () => {
    const { run, registries, clock } = await open();
    const before = clock.now();
    const failing = run((number) => {
      if (number === 2) void registries[side].restart(300_000);
    }, 5_000);
    expect((await failureOf(failing)).code).toBe("TRANSPORT");
    expect(clock.now() - before).toBeLessThan(5_000);
  });
});
