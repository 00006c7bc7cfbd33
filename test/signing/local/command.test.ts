import { readFile } from "node:fs/promises";
import { runLocalSigning } from "../../../src/signing/local/command";
import { startService } from "../../../src/local-service/service";
import { temporaryFolder } from "./local-services";

it("prints the URLs, writes the files that other tools need, and stops cleanly", async () => {
  const folder = await temporaryFolder();
  const stop = new AbortController();
  let output = "";
  let isReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => (isReady = resolve));
  const running = runLocalSigning({
    folder,
    port: 0,
    referrersApi: false,
    email: "ada@example.com",
    stdout: {
      write: (text) => {
        output += text;
        isReady();
      },
    },
    stderr: { write: () => undefined },
    signal: stop.signal,
  });
  await Promise.race([ready, running]);
  const [, registry = ""] = /registry +(http:\S+)/.exec(output) ?? [];
  expect((await fetch(`${registry}/v2/`)).status).toBe(200);
  expect((await fetch(`${registry}/v2/a/referrers/sha256:${"0".repeat(64)}`)).status).toBe(404);
  const token = await readFile(`${folder}/identity-token`, "utf8");
  expect(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).toContain(
    '"email":"ada@example.com"',
  );
  const environment = await readFile(`${folder}/environment.sh`, "utf8");
  for (const name of ["ROOT_FILE", "CT_LOG_PUBLIC_KEY_FILE", "REKOR_PUBLIC_KEY", "ID_TOKEN"]) {
    expect(environment).toContain(`export SIGSTORE_${name}=`);
  }
  stop.abort();
  await running;
  await expect(fetch(`${registry}/v2/`)).rejects.toThrow();
});

it("explains what to do if a port is in use", async () => {
  const folder = await temporaryFolder();
  const other = await startService(() => undefined);
  const write = () => undefined;
  await expect(
    runLocalSigning({
      folder,
      port: other.port,
      stdout: { write },
      stderr: { write },
      signal: new AbortController().signal,
    }),
  ).rejects.toThrow("choose others with --port");
  await other.close();
});
