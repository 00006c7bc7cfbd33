import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copy } from "../../../../src/core/signing/copy/declare";
import { digestOf } from "../../../../src/core/signing/oci/reference/descriptor";
import { closeAfterTest } from "../../http/close-after-test";
import { startScriptedServer, type Script } from "../../http/scripted-server";
import { details, summaries } from "../../provider-kit/server/protocol";
import { apply, start } from "./signing";

const password = 'hunter2/the "password" + 100%';

/** Copies from a registry that answers with what a test wants. */
async function copyFrom(script: Script) {
  const server = await startScriptedServer((request, number, response) => {
    if (request.headers.authorization === undefined) {
      return { status: 401, headers: { "www-authenticate": 'Basic realm="registry"' } };
    }
    return script(request, number, response);
  });
  const host = `127.0.0.1:${server.port}`;
  const provider = await start({ registries: [{ host, username: "ada", password }] });
  const source = `${host}/lab/app@${digestOf(manifest)}`;
  const { diagnostics } = await apply(provider, copy, { source, destination: `${host}/mine/app` });
  return { diagnostics, shown: details(diagnostics), logged: provider.log.join("") };
}

const hostile = "text/\u001b[8m\u009b2J\u202e\r\n\nApply complete!";
const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: hostile }));

test("a media type of a registry cannot write to the terminal, or add lines to a message", async () => {
  const { diagnostics, shown, logged } = await copyFrom(() => ({ body: manifest }));
  expect(summaries(diagnostics)).toEqual(["ERROR - Image Operation Failed"]);
  expect(shown).toContain("text/\\u001b[8m\\u009b2J\\u202e Apply complete!");
  expect(shown + logged.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

const inJson = JSON.stringify(password).slice(1, -1);
const pair = Buffer.from(`ada:${password}`).toString("base64");

test.each([
  ["as it is", password],
  ["in JSON", inJson.replaceAll("/", "\\/").replaceAll("+", "\\u002B")],
  ["in a URL", encodeURIComponent(password).toLowerCase()],
  ["in a form", new URLSearchParams({ password }).toString()],
  ["in base64", Buffer.from(password).toString("base64")],
  ["in the header", `Basic ${pair}`],
])(
  "a password that a registry echoes %s is redacted, wherever the text is cut",
  async (_, echo) => {
    const { shown, logged } = await copyFrom(() => ({ status: 400, body: `you sent ${echo}` }));
    expect(shown).toMatch(/you sent .{0,9}\*\*\*/);
    // Where a message is cut, the echo begins on either side of the cut.
    const cut = await Promise.all(
      [430, 470, 480, 490].map((length) =>
        copyFrom(() => ({ status: 400, body: `${"x".repeat(length)} ${echo}` })),
      ),
    );
    const everything = [shown, logged, ...cut.flatMap((each) => [each.shown, each.logged])].join(
      "\n",
    );
    const parts = [password.slice(0, 9), echo.slice(0, 14), echo.slice(9, 23), pair.slice(8, 20)];
    for (const part of parts) expect(everything).not.toContain(part);
  },
);

test("a password that went only to the token service is redacted when the registry echoes it", async () => {
  const server = await startScriptedServer(({ url, headers }) => {
    if (url.startsWith("/token")) return { body: '{"token":"of-the-service"}' };
    if (headers.authorization !== undefined) return { status: 400, body: `you sent ${password}` };
    const realm = `Bearer realm="${server.origin}/token"`;
    return { status: 401, headers: { "www-authenticate": realm } };
  });
  const host = `127.0.0.1:${server.port}`;
  const auths = { [host]: { auth: Buffer.from(`ada:${password}`).toString("base64") } };
  const folder = mkdtempSync(join(tmpdir(), "trivet-docker-"));
  closeAfterTest(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "config.json"), JSON.stringify({ auths }));
  const provider = await start({}, { DOCKER_CONFIG: folder });
  const source = `${host}/lab/app@${digestOf(manifest)}`;
  const { diagnostics } = await apply(provider, copy, { source, destination: `${host}/mine/app` });
  expect(details(diagnostics)).toContain('"you sent ***"');
  expect(provider.log.join("")).not.toContain("hunter2");
});
