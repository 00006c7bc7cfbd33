import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { provider } from "../../src/core/ids/provider-definition";
import { providerRoutes } from "../../src/core/provider-kit";
import { startReattach } from "../../src/core/provider-kit/host/reattach";
import { privateKey } from "../core/google/google-services";
import { startScriptedServer } from "../core/http/scripted-server";
import { words } from "./support/command";
import { configuration, endpoint, providerBlock, scenario } from "./support/scenario";
import { tools } from "./support/tool";
import { runScript, warmProcesses } from "./support/warm";

const apply = "apply -auto-approve";
/** Exits with 2 if there is something to change. */
const unchanged = "plan -detailed-exitcode";

describe.each(tools)("`trivet exec --warm` with %s", (tool) => {
  it("starts a provider once for all commands in a folder", async () => {
    const { service, workspace } = await scenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    const ended = await runScript(
      workspace,
      `set -e
      ${tool} version; ${tool} fmt -check || true; ${tool} init; warm; echo none
      ${tool} validate; warm; ${tool} ${apply}; warm; ${tool} ${unchanged}; ${tool} show; warm
      ${tool} destroy -auto-approve; warm`,
    );
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout.split("none")[0]).not.toContain("warm:");
    const pids = warmProcesses(ended);
    expect(pids).toHaveLength(4);
    expect(new Set(pids).size).toBe(1);
    expect(service.changes).toEqual(["POST edge", "DELETE edge"]);
  });

  it("leaves the folder as without it, so that both can take turns", async () => {
    const { service, workspace } = await scenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const lock = join(workspace.folder, ".terraform.lock.hcl");
    const locked = readFileSync(lock, "utf8");
    const turns = [
      ["a warm creation", true, `${tool} ${apply}`],
      ["a cold plan after it", false, `${tool} ${unchanged}`],
      ["a cold plan to a file", false, `${tool} plan -out=plan.bin -replace=ids_endpoint.edge`],
      ["its warm apply", true, `${tool} apply plan.bin`],
      ["a warm plan to a file", true, `${tool} plan -out=plan.bin -replace=ids_endpoint.edge`],
      ["its cold apply", false, `${tool} apply plan.bin`],
      ["a warm init and a warm plan", true, `${tool} init -upgrade && ${tool} ${unchanged}`],
      ["a cold init and a cold plan", false, `${tool} init && ${tool} ${unchanged}`],
    ] as const;
    for (const [title, isWarm, script] of turns) {
      const { code, output } = await runScript(workspace, script, { isWarm });
      expect({ title, code, output }).toMatchObject({ code: 0 });
      expect(readFileSync(lock, "utf8")).toBe(locked);
    }
    const created = ["POST edge", "DELETE edge", "POST edge", "DELETE edge", "POST edge"];
    expect(service.changes).toEqual(created);
  });

  it("gives each provider with an alias, and each of two parallel commands, its own settings", async () => {
    const { service, workspace } = await scenario(tool);
    const west = providerBlock(service, { alias: `"west"`, project: "var.west" });
    const inWest = endpoint("other", { provider: "ids.west" });
    workspace.write(
      `variable "west" {}\n${configuration(service, `${west}${endpoint("edge")}${inWest}`)}`,
    );
    await workspace.init();
    const one = (project: string): string =>
      `${tool} ${apply} -state=${project}.tfstate -var west=${project}`;
    const ended = await runScript(
      workspace,
      `${tool} validate && ${one("first")} -target=ids_endpoint.other & left=$!
      ${one("second")} & right=$!
      wait $left && wait $right && warm`,
    );
    expect(ended).toMatchObject({ code: 0 });
    const idsIn = async (project: string): Promise<unknown[]> =>
      (await service.endpoints(project)).map(({ name }) => name);
    const place = "locations/us-central1-a/endpoints";
    expect(await idsIn("acme")).toEqual([`projects/acme/${place}/edge`]);
    expect(await idsIn("first")).toEqual([`projects/first/${place}/other`]);
    expect(await idsIn("second")).toEqual([`projects/second/${place}/other`]);
    expect(warmProcesses(ended)).toHaveLength(1);
  });

  it("starts another process for another environment, and ends the one before", async () => {
    const { service, workspace } = await scenario(tool);
    const text = configuration(service, endpoint("edge"));
    workspace.write(text.replace(/ {2}project = .*\n/, ""));
    await workspace.init();
    const { stdout, code } = await runScript(
      workspace,
      ["first", "second"]
        .map((project) => `GOOGLE_PROJECT=${project} ${tool} plan; warm`)
        .join(" && "),
      { env: { TF_LOG: "" } },
    );
    expect(code).toBe(0);
    const [first = "", second = ""] = stdout.split(/^warm:.*$/m);
    expect(first).toContain(`"projects/first/locations`);
    expect(second).toContain(`"projects/second/locations`);
    const pids = warmProcesses({ stdout, code, output: "" });
    expect(new Set(pids).size).toBe(2);
    expect(pids).toHaveLength(2);
  });

  it("reads relative paths in the folder of -chdir, as a cold provider does", async () => {
    const { service, workspace } = await scenario(tool, { service: { pollsUntilDone: 0 } });
    const tokens = await tokenService();
    const seen = async (isWarm: boolean): Promise<unknown[]> => {
      for (const name of ["one", "two"]) {
        const folder = join(workspace.folder, name);
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, "key.json"), JSON.stringify(tokens.key(name)));
        const settings = { credentials: `"./key.json"` };
        workspace.write(configuration(service, endpoint(name), settings), `${name}/main.tf`);
      }
      const ended = await runScript(
        workspace,
        ["one", "two"]
          .map((name) => {
            const inFolder = `${tool} -chdir=${name}`;
            return `${inFolder} init && ${inFolder} ${apply} && ${inFolder} destroy -auto-approve`;
          })
          .join(" && "),
        { isWarm },
      );
      expect(ended).toMatchObject({ code: 0 });
      const used = service
        .sent("POST")
        .map(({ headers, query }) => [query.get("endpointId"), headers["authorization"]]);
      service.forgetRequests();
      return used;
    };
    const expected = [
      ["one", "Bearer token-of-one"],
      ["two", "Bearer token-of-two"],
    ];
    expect(await seen(false)).toEqual(expected);
    expect(await seen(true)).toEqual(expected);
  });

  it("leaves a provider to TF_REATTACH_PROVIDERS of the user", async () => {
    const { service, workspace } = await scenario(tool);
    const attached = await startReattach({
      source: "trivet.local/trivet/ids",
      routes: providerRoutes(provider, workspace.env),
      env: {},
    });
    try {
      workspace.write(configuration(service, endpoint("edge")));
      await workspace.init();
      const ended = await runScript(workspace, `${tool} ${apply}; warm`, { env: attached.env });
      expect(ended).toMatchObject({ code: 0 });
      expect(warmProcesses(ended)).toEqual([]);
      expect(service.changes).toEqual(["POST edge"]);
    } finally {
      attached.close();
    }
  });

  it("leaves what is wrong with a folder to the tool, with the same words", async () => {
    const { service, workspace } = await scenario(tool);
    const text = configuration(service, endpoint("edge"));
    workspace.write(text);
    const both = async (): Promise<string[]> => {
      const ended = [true, false].map((isWarm) =>
        runScript(workspace, `${tool} plan`, { isWarm }).then(({ code, output }) => {
          expect(code).toBe(1);
          return words(output);
        }),
      );
      return await Promise.all(ended);
    };
    const [notInitialised, expected] = await both();
    expect(notInitialised).toBe(expected);

    await workspace.init();
    const lock = join(workspace.folder, ".terraform.lock.hcl");
    const locked = readFileSync(lock, "utf8");
    writeFileSync(lock, locked.replace(/"h1:..../, `"h1:AAAA`));
    const [damaged, damagedCold] = await both();
    expect(damaged).toContain("does not match any of the checksums");
    expect(damaged).toBe(damagedCold);

    writeFileSync(lock, locked);
    workspace.write(text.replace(/version = ".*"/, `version = "99.0.0"`));
    const [outdated, outdatedCold] = await both();
    expect(outdated).toContain("99.0.0");
    expect(outdated).toBe(outdatedCold);
  });
});

/** A service that exchanges the key of a service account for a token with the account's name. */
async function tokenService() {
  const { origin } = await startScriptedServer(({ body }) => {
    const assertion = new URLSearchParams(body.toString()).get("assertion") ?? "";
    const claims = Buffer.from(assertion.split(".")[1] ?? "", "base64url").toString();
    const { iss } = JSON.parse(claims) as { iss: string };
    return { body: JSON.stringify({ access_token: `token-of-${iss}`, expires_in: 3600 }) };
  });
  return {
    key: (name: string) => ({
      type: "service_account",
      project_id: "acme",
      private_key_id: "1",
      private_key: privateKey,
      client_email: name,
      token_uri: `${origin}/token`,
    }),
  };
}
