import { TrivetFixture, printed } from "../command-fixture";

describe("trivet local ids", () => {
  const trivet = new TrivetFixture();

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 0],
  ] as const)("serves until %s, then ends with %i", async (signal, code) => {
    const started = trivet.start(["local", "ids", "--port", "0"]);
    await printed(started, "cloud_ids_custom_endpoint");
    const url = /cloud_ids_custom_endpoint = "([^"]+)"/.exec(started.stdout())?.[1];
    const response = await fetch(`${url ?? ""}projects/p/locations/-/endpoints`);
    expect(response.status).toBe(200);
    await response.text();
    started.child.kill(signal);
    expect(await started.ended).toMatchObject({ code });
  });

  it("reports that the port is in use", async () => {
    const first = trivet.start(["local", "ids", "--port", "0"]);
    await printed(first, "cloud_ids_custom_endpoint");
    const port = /:(\d+)\/v1/.exec(first.stdout())?.[1] ?? "";
    const { code, stderr } = await trivet.run(["local", "ids", "--port", port]);
    first.child.kill("SIGTERM");
    await first.ended;
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port} is already in use.\nChoose another port with --port`);
    expect(stderr).not.toContain("    at ");
  });
});
