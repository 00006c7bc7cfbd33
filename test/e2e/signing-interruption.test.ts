import { type FaultyRequest, withFaults } from "../local/service/with-faults";
import { inTime } from "../core/signing/sign/signing-bench";
import { closeAfterTest } from "../core/http/close-after-test";
import { interrupt, whileRunning, words } from "./support/command";
import { imageText, type SigningScenario, signingScenario, signingText } from "./support/signing";
import { type Tool, tools } from "./support/tool";

/** A copy whose last manifest the destination accepts without a response, until it is released. */
async function stuckCopy(tool: Tool) {
  const scenario = await signingScenario(tool);
  const { bench, workspace } = scenario;
  const image = await bench.pushImage("large");
  let isStuck = true;
  let arrived: () => void = () => undefined;
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const isManifest = ({ method, path }: FaultyRequest): boolean =>
    method === "PUT" && path.includes(`/manifests/${image.digest}`);
  const destination = await withFaults(bench.local.addresses.registry, (request) => {
    if (!isStuck || !isManifest(request)) return undefined;
    arrived();
    return { kind: "never answer" };
  });
  closeAfterTest(() => destination.close());
  const place = `${new URL(destination.url).host}/mine/app`;
  workspace.write(
    signingText(
      scenario,
      `resource "signing_copy" "app" {
  source      = "${imageText(image)}"
  destination = "${place}"
}
resource "signing_sign" "app" {
  image = signing_copy.app.copied_ref
}
`,
    ),
  );
  await workspace.init();
  const apply = workspace.start(["apply", "-auto-approve"]);
  await whileRunning(apply, arrival);
  const release = (): void => {
    isStuck = false;
  };
  return { ...scenario, image, apply, release };
}

/** Nothing incomplete is to be seen, and the next apply ends what was begun. */
async function completes({
  bench,
  workspace,
  image,
  release,
}: SigningScenario & Pick<Awaited<ReturnType<typeof stuckCopy>>, "image" | "release">) {
  const mine = { ...bench.repository, path: "mine/app" };
  const there = () => bench.registry.manifests.head(mine, image.digest, inTime());
  expect(await there()).toBeUndefined();
  release();
  await workspace.apply();
  expect(await there()).toBeDefined();
  expect(await bench.logSize()).toBe(1);
  expect(await workspace.plansChanges()).toBe(false);
}

describe.each(tools)("a copy that ends early under %s", (tool) => {
  it("because it is interrupted reports that, and the next apply completes it", async () => {
    const made = await stuckCopy(tool);
    interrupt(made.apply);
    const { code, output } = await made.apply.ended;
    expect(code).toBe(1);
    expect(words(output)).toContain("Operation Interrupted");
    await completes(made);
  });

  it("because the provider is killed is completed by the next apply", async () => {
    const made = await stuckCopy(tool);
    const running = made.workspace.processes();
    expect(running).toHaveLength(1);
    for (const pid of running) process.kill(pid, "SIGKILL");
    expect((await made.apply.ended).code).toBe(1);
    await completes(made);
  });
});
