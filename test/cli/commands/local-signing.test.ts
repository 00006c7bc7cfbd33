import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { TrivetFixture, printed } from "../command-fixture";

describe("trivet local signing", () => {
  const trivet = new TrivetFixture();

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 0],
  ] as const)("serves until %s, then ends with %i", async (signal, code) => {
    const started = trivet.start(["local", "signing", "--port", "0"]);
    await printed(started, "for other tools");
    const url = /registry +(http:\S+)/.exec(started.stdout())?.[1];
    expect((await fetch(`${url ?? ""}/v2/`)).status).toBe(200);
    expect(existsSync(join(trivet.root, ".trivet", "signing", "trusted_root.json"))).toBe(true);
    started.child.kill(signal);
    expect(await started.ended).toMatchObject({ code });
  });

  it("runs on a port that the script of a new project finds", async () => {
    const image = ["--sample-image", "build/app"];
    const started = trivet.start(["local", "signing", "--port", "0", ...image]);
    await printed(started, "for other tools");
    const [, sample = "", port = ""] =
      /sample image: (\S+?:(\d+)\/\S+)/.exec(started.stdout()) ?? [];
    const script = join(__dirname, "..", "..", "..", "templates/init/signing/local-signing.sh");
    const shown = `. '${script}'; echo "$SIGNING_PORT $TF_VAR_built"; test -n "$SIGSTORE_ID_TOKEN"`;
    const { stdout } = await promisify(execFile)("sh", ["-c", shown], { cwd: trivet.root });
    started.child.kill("SIGTERM");
    await started.ended;
    expect(stdout).toBe(`${port} ${sample}\n`);
  });

  it("reports that a port is in use", async () => {
    const first = trivet.start(["local", "signing", "--port", "0"]);
    await printed(first, "for other tools");
    const port = /registry +http:\/\/127\.0\.0\.1:(\d+)/.exec(first.stdout())?.[1] ?? "";
    const folder = join(trivet.root, "other");
    const second = await trivet.run(["local", "signing", "--folder", folder, "--port", port]);
    first.child.kill("SIGTERM");
    await first.ended;
    expect(second.code).toBe(1);
    expect(second.stderr).toContain("Choose another port with --port");
    expect(second.stderr).not.toContain("    at ");
  });

  it("refuses a port that leaves no room for the others", async () => {
    const { code, stderr } = await trivet.run(["local", "signing", "--port", "65532"]);
    expect(code).toBe(2);
    expect(stderr).toContain("at most 65531");
  });
});
