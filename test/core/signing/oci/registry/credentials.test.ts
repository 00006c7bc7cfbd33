import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseChallenge } from "../../../../../src/core/signing/oci/registry/connection";
import {
  anonymous,
  firstOf,
  givenCredentials,
  type Credentials,
  type CredentialSource,
  rememberedCredentials,
} from "../../../../../src/core/signing/oci/registry/credentials";
import { dockerConfigCredentials } from "../../../../../src/core/signing/oci/registry/docker-config";
import { closeAfterTest } from "../../../http/close-after-test";
import { startScriptedServer } from "../../../http/scripted-server";
import { VirtualClock } from "../../../http/virtual-clock";
import { contextOf, failureOf, openClient, openRegistry, pushImage } from "./registries";

const context = contextOf();
const auth = (pair: string) => ({ auth: Buffer.from(pair).toString("base64") });

/** A home folder with these files, below which everything is looked for. */
function homeWith(files: Readonly<Record<string, unknown>>, environment: NodeJS.ProcessEnv = {}) {
  const home = mkdtempSync(join(tmpdir(), "trivet-home-"));
  closeAfterTest(() => rmSync(home, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = join(home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    if (name.startsWith("bin/")) chmodSync(file, 0o755);
  }
  const variables: NodeJS.ProcessEnv = { PATH: `${home}/bin:${process.env["PATH"] ?? ""}` };
  for (const [name, value] of Object.entries(environment)) {
    variables[name] = value?.replaceAll("HOME", home);
  }
  const settings = { environment: variables, homeFolder: home };
  const source = dockerConfigCredentials(settings);
  const find = (registry: string, path?: string) => source.find(registry, context, path);
  return { home, source, find };
}

const config = (auths: Readonly<Record<string, unknown>>) => ({ auths });

describe("credentials from Docker's configuration", () => {
  test("are searched in one file after the other", async () => {
    const here = (name: string) => config({ "a.example": auth(`robot:${name}`) });
    const files = {
      "docker/config.json": here("docker-config"),
      ".docker/config.json": here("home"),
      "auth-file.json": here("auth-file"),
      "run/containers/auth.json": here("runtime"),
      ".config/containers/auth.json": here("config"),
    };
    const without = (...names: string[]) =>
      Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));
    const environment = {
      DOCKER_CONFIG: "HOME/docker",
      REGISTRY_AUTH_FILE: "HOME/auth-file.json",
      XDG_RUNTIME_DIR: "HOME/run",
    };
    const found: (Credentials | undefined)[] = [
      await homeWith(files, environment).find("a.example"),
      await homeWith(files).find("a.example"),
      await homeWith(without("docker/config.json"), environment).find("a.example"),
      await homeWith(without(".docker/config.json"), {
        XDG_RUNTIME_DIR: "HOME/run",
      }).find("a.example"),
      await homeWith(without(".docker/config.json")).find("a.example"),
      await homeWith({}).find("a.example"),
    ];
    expect(found.map((one) => (one?.kind === "basic" ? one.password : one?.kind))).toEqual([
      "docker-config",
      "home",
      "auth-file",
      "runtime",
      "config",
      undefined,
    ]);
  });

  test("are for exactly the registry that they name", async () => {
    const { find } = homeWith({
      ".docker/config.json": config({
        "a.example": auth("robot:one"),
        "https://b.example": auth("robot:two:three"),
        "https://index.docker.io/v1/": auth("robot:hub"),
      }),
    });
    expect(await find("a.example")).toMatchObject({ username: "robot", password: "one" });
    expect(await find("b.example")).toMatchObject({ password: "two:three" });
    expect(await find("index.docker.io")).toMatchObject({ password: "hub" });
    for (const other of ["a.example:5000", "sub.a.example", "a.example.evil", "__proto__"]) {
      expect(await find(other)).toBeUndefined();
    }
  });

  // The rules of docker's ConvertToHostname and of containers-auth.json(5).
  test.each<[string, string, string | undefined]>([
    ["registry.example", "team/app", "the registry"],
    ["registry.example", "group/app", "the group"],
    ["registry.example", "group", "the group"],
    ["registry.example", "group/sub/app", "the sub-group"],
    ["registry.example", "group/sub", "the sub-group"],
    ["registry.example", "group/subx/app", "the group"],
    ["registry.example", "groupx/app", "the registry"],
    ["url.example", "any/app", "a URL"],
    ["api.example", "any/app", "an API"],
    ["api2.example", "v2/app", "the second API"],
    ["upper.example", "any/app", "upper case"],
    ["port.example", "any/app", "a port"],
    ["both.example", "any/app", "the name"],
    ["index.docker.io", "library/alpine", "the hub"],
    ["index.docker.io", "team/app", "a team of the hub"],
    ["only.example", "group/app", "only a group"],
    ["only.example", "other/app", undefined],
    ["example", "any/app", undefined],
    ["registry.example:5000", "group/app", undefined],
  ])("of %s/%s are those with the longest path", async (registry, path, expected) => {
    const keys = {
      "registry.example/group": "the group",
      "registry.example": "the registry",
      "registry.example/group/sub/": "the sub-group",
      "https://url.example/some/path": "a URL",
      "https://api.example/v1/": "an API",
      "api2.example/v2/": "the second API",
      "https://UPPER.Example": "upper case",
      "port.example:443": "a port",
      "https://both.example": "the URL",
      "both.example": "the name",
      "https://index.docker.io/v1/": "the hub",
      "docker.io": "another hub",
      "docker.io/team": "a team of the hub",
      "only.example/group": "only a group",
      "only.example/https://url": "a URL as a path",
    };
    for (const order of [Object.entries(keys), Object.entries(keys).reverse()]) {
      const auths = order.map(([key, password]) => [key, auth(`robot:${password}`)] as const);
      const { find } = homeWith({ ".docker/config.json": config(Object.fromEntries(auths)) });
      const found = await find(registry, path);
      expect(found?.kind === "basic" ? found.password : found).toBe(expected);
    }
  });

  test("of one path are not sent for the repositories of another", async () => {
    const server = await startScriptedServer(({ headers }) =>
      headers.authorization === undefined
        ? { status: 401, headers: { "www-authenticate": 'Basic realm="registry"' } }
        : { status: 404 },
    );
    const registry = `127.0.0.1:${server.port}`;
    const { source } = homeWith({
      ".docker/config.json": config({
        [`${registry}/one`]: auth("robot:one"),
        [`${registry}/two`]: auth("robot:two"),
      }),
    });
    const client = openClient({ credentials: source });
    for (const path of ["one/app", "two/app", "three/app", "one/other"]) {
      await client.manifests.get({ registry, path }, "v1", context).catch(() => undefined);
    }
    const sent = server.requests
      .filter(({ headers }) => headers.authorization !== undefined)
      .map(({ url, headers: { authorization = "" } }) => [
        url.split("/")[2],
        Buffer.from(authorization.replace("Basic ", ""), "base64").toString(),
      ]);
    expect(sent).toEqual([
      ["one", "robot:one"],
      ["two", "robot:two"],
      ["one", "robot:one"],
    ]);
  });

  test("come from one run of a helper for all repositories of a registry", async () => {
    const { find, home } = homeWith(
      {
        ".docker/config.json": { credHelpers: { "https://A.example": "counted" } },
        "bin/docker-credential-counted": `#!/bin/sh\necho run >> "$HOME_OF_TEST/runs"\nprintf '{"Username":"robot","Secret":"one"}'`,
      },
      { HOME_OF_TEST: "HOME" },
    );
    const found = await Promise.all(["a", "b", "c"].map((path) => find("a.example", path)));
    expect(found.map((each) => each?.kind)).toEqual(["basic", "basic", "basic"]);
    expect(readFileSync(join(home, "runs"), "utf8")).toBe("run\n");
  });

  test("may be a user name and a password in fields of their own, or a pair that ends with zeros", async () => {
    const { find } = homeWith({
      ".docker/config.json": config({
        "a.example": { username: "robot", password: "one" },
        "b.example": auth("robot:t\0w\0o\0\0"),
        "c.example": { username: "robot", password: "", ...auth("robot:three") },
      }),
    });
    const robot = (password: string) => ({ kind: "basic", username: "robot", password });
    expect(await find("a.example")).toEqual(robot("one"));
    expect(await find("b.example")).toEqual(robot("t\0w\0o"));
    expect(await find("c.example")).toEqual(robot("three"));
  });

  test("may be tokens", async () => {
    const { find } = homeWith({
      ".docker/config.json": config({
        "a.example": { ...auth("<token>:x"), identitytoken: "secret-identity" },
        "b.example": { registrytoken: "secret-registry" },
        "c.example": {},
      }),
    });
    expect(await find("a.example")).toEqual({ kind: "identity-token", token: "secret-identity" });
    expect(await find("b.example")).toEqual({ kind: "registry-token", token: "secret-registry" });
    expect(await find("c.example")).toEqual(anonymous);
  });

  test.each([
    ["no JSON", '{"auths": secret-'],
    ["an entry that is no pair", config({ "a.example": { auth: "secret-" } })],
    ["a helper with a path", { credHelpers: { "a.example": "../secret-helper" } }],
    ["a helper that is absent", { credHelpers: { "a.example": "trivet-absent" } }],
  ])("are refused with %s, without being shown", async (_, content) => {
    const { find } = homeWith({ ".docker/config.json": content });
    const failure = await failureOf(find("a.example"));
    expect(failure.code).toBe("CREDENTIALS");
    expect(failure.message).not.toContain("secret-");
  });

  test("are an error if the first file cannot be read, and no other file is used", async () => {
    const { find, home } = homeWith({
      ".docker/config.json/file-in-a-folder": "",
      ".config/containers/auth.json": config({ "a.example": auth("robot:other") }),
    });
    const failure = await failureOf(find("a.example"));
    expect(failure.code).toBe("CREDENTIALS");
    expect(failure.message).toContain(
      `${home}/.docker/config.json cannot be read: it is not a regular file`,
    );
  });

  test("are not read from a device without an end", async () => {
    const { find } = homeWith({}, { REGISTRY_AUTH_FILE: "/dev/zero" });
    const failure = await failureOf(find("a.example"));
    expect(failure).toMatchObject({ code: "CREDENTIALS" });
    expect(failure.message).toContain("/dev/zero cannot be read: it is not a regular file");
  });

  test("are not read from a file that is too large", async () => {
    const { find, home } = homeWith({ ".docker/config.json": config({}) });
    truncateSync(join(home, ".docker/config.json"), 4 * 1024 * 1024 + 1);
    const failure = await failureOf(find("a.example"));
    expect(failure).toMatchObject({ code: "CREDENTIALS" });
    expect(failure.message).toContain("config.json cannot be read: it has more than 4194304 bytes");
  });

  test("are looked for in the user's runtime folder even if no variable names it", async () => {
    const open = jest.spyOn(fs, "open");
    closeAfterTest(() => open.mockRestore());
    const settings = { environment: {}, homeFolder: "/nowhere", userId: 4_294_000_000 };
    expect(await dockerConfigCredentials(settings).find("a.example", context)).toBeUndefined();
    expect(open.mock.calls.map(([file]) => file)).toEqual([
      "/nowhere/.docker/config.json",
      "/run/user/4294000000/containers/auth.json",
      "/nowhere/.config/containers/auth.json",
    ]);
  });

  const helper = (files: Readonly<Record<string, string>>) =>
    homeWith({ ".docker/config.json": { credsStore: "ours" }, ...files });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["is absent", {}, "docker-credential-ours is not in PATH"],
    [
      "is a folder",
      { "bin/docker-credential-ours/file": "" },
      "docker-credential-ours could not be run",
    ],
    [
      "returns no user name",
      { "bin/docker-credential-ours": `#!/bin/sh\necho '{"Secret":"x"}'` },
      "docker-credential-ours returned no Username and Secret",
    ],
    [
      "returns a number as the secret",
      { "bin/docker-credential-ours": `#!/bin/sh\necho '{"Username":"x","Secret":1}'` },
      "docker-credential-ours returned no Username and Secret",
    ],
    [
      "writes too much",
      { "bin/docker-credential-ours": "#!/bin/sh\nexec head -c 3000000 /dev/zero" },
      "docker-credential-ours was stopped: it took longer than 30 s or wrote too much output",
    ],
  ])("are refused with a helper that %s, with the reason", async (_, files, reason) => {
    const failure = await failureOf(helper(files).find("a.example"));
    expect(failure.code).toBe("CREDENTIALS");
    expect(failure.message).toBe(`the registry credentials: ${reason}`);
  });

  test("are refused with a helper that hangs, after 30 seconds", async () => {
    const { find } = helper({ "bin/docker-credential-ours": "#!/bin/sh\nexec sleep 5" });
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] });
    try {
      const failure = failureOf(find("a.example"));
      while (jest.getTimerCount() === 0) await new Promise(setImmediate);
      jest.advanceTimersByTime(30_000);
      expect((await failure).message).toContain("was stopped: it took longer than 30 s");
    } finally {
      jest.useRealTimers();
    }
  });

  test("come from a helper for the registry, or for all registries", async () => {
    const answer = (secret: string) =>
      `printf '{"Username":"robot","Secret":"${secret}:'"$(cat)"'"}'`;
    const { find } = homeWith({
      ".docker/config.json": {
        credHelpers: { "a.example": "one" },
        credsStore: "all",
        auths: { "c.example": auth("robot:file"), "f.example": auth("robot:file") },
      },
      "bin/docker-credential-one": `#!/bin/sh\n${answer("one")}`,
      "bin/docker-credential-all": `#!/bin/sh\nread -r name\n[ "$1" = get ] || exit 9
case "$name" in c.example) echo "credentials not found in native keychain"; exit 1;; d.example) echo secret-; exit 2;;
e.example) printf '{"Username":"<token>","Secret":"identity"}';; f.example) printf '{"Username":"","Secret":""}';; *) printf '{"Username":"robot","Secret":"all"}';; esac`,
    });
    expect(await find("a.example")).toMatchObject({ password: "one:a.example" });
    expect(await find("b.example")).toMatchObject({ password: "all" });
    expect(await find("c.example")).toMatchObject({ password: "file" });
    expect(await find("f.example")).toMatchObject({ password: "file" });
    expect(await find("e.example")).toEqual({ kind: "identity-token", token: "identity" });
    const failure = await failureOf(find("d.example"));
    expect(failure.message).toMatch(/exit code 2/);
    expect(failure.message).not.toContain("secret-");
  });

  test("are read again after half an hour, or after a failure", async () => {
    const clock = new VirtualClock();
    const answers = ["fail", "one", "two"];
    const source = rememberedCredentials(
      {
        find: () => {
          const token = answers.shift() ?? "none";
          return token === "fail"
            ? Promise.reject(new Error("fail"))
            : Promise.resolve({ kind: "registry-token", token });
        },
      },
      clock,
    );
    await expect(source.find("a.example", context)).rejects.toThrow("fail");
    expect(await source.find("a.example", context)).toMatchObject({ token: "one" });
    clock.advance(29 * 60_000);
    expect(await source.find("a.example", context)).toMatchObject({ token: "one" });
    clock.advance(60_000);
    expect(await source.find("a.example", context)).toMatchObject({ token: "two" });
  });
});

test("credentials that expire are asked for again a minute earlier", async () => {
  const clock = new VirtualClock();
  let asked = 0;
  const find: CredentialSource["find"] = () =>
    Promise.resolve({
      kind: "identity-token",
      token: `${++asked}`,
      expiresAt: clock.now() + 300_000,
    });
  const source = rememberedCredentials({ find }, clock);
  expect(await source.find("a.example", context)).toMatchObject({ token: "1" });
  clock.advance(239_000);
  expect(await source.find("a.example", context)).toMatchObject({ token: "1" });
  clock.advance(1_000);
  expect(await source.find("a.example", context)).toMatchObject({ token: "2" });
});

describe("one of several concurrent callers", () => {
  const silent = (aborted: AbortSignal) =>
    new Promise<never>((_, reject) => {
      aborted.addEventListener("abort", () => {
        reject(new Error("the helper was ended"));
      });
    });

  test("does not deprive the others of credentials when cancelled", async () => {
    const abort = new AbortController();
    const source = rememberedCredentials(
      {
        find: (_, { signal }) =>
          signal === abort.signal ? silent(signal) : Promise.resolve(anonymous),
      },
      new VirtualClock(),
    );
    const first = source.find("a.example", { ...context, signal: abort.signal });
    const second = source.find("a.example", context);
    abort.abort();
    await expect(first).rejects.toThrow("the helper was ended");
    expect(await second).toBe(anonymous);
  });

  // With the first request the registry is looked for, with the second a token.
  test.each([1, 2])(
    "does not cancel the others' requests when cancelled: request %i",
    async (silence) => {
      const abort = new AbortController();
      const token = JSON.stringify({ token: "t", expires_in: 300 });
      let arrive = (): void => undefined;
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      const server = await startScriptedServer(({ url, headers }, number) => {
        if (number === silence) {
          arrive();
          return undefined;
        }
        if (url.startsWith("/token")) return { body: token };
        if (headers.authorization === "Bearer t") return { status: 404 };
        const realm = `Bearer realm="${server.origin}/token",service="s"`;
        return { status: 401, headers: { "www-authenticate": realm } };
      });
      const registry = `127.0.0.1:${server.port}`;
      const client = openClient({ credentials: givenCredentials({}) });
      const head = (signal: AbortSignal) =>
        client.manifests.head({ registry, path: "lab/app" }, "v1", { ...context, signal });
      const first = failureOf(head(abort.signal));
      const second = head(context.signal);
      await arrived;
      abort.abort();
      expect((await first).code).toBe("CANCELLED");
      expect(await second).toBeUndefined();
    },
  );
});

describe("several sources of credentials", () => {
  const one: Credentials = { kind: "basic", username: "robot", password: "one" };
  const two: Credentials = { kind: "basic", username: "robot", password: "two" };
  const failing: CredentialSource = { find: () => Promise.reject(new Error("cannot be read")) };

  test("are queried in order until one knows the registry", async () => {
    const source = firstOf([
      givenCredentials({ "a.example": one }),
      givenCredentials({ "a.example": two, "b.example": two }),
    ]);
    expect(await source.find("a.example", context)).toBe(one);
    expect(await source.find("b.example", context)).toBe(two);
    expect(await source.find("c.example", context)).toBeUndefined();
    expect(await firstOf([]).find("a.example", context)).toBeUndefined();
  });

  test("end with one that chooses anonymous access", async () => {
    const source = firstOf([
      givenCredentials({ "a.example": anonymous }),
      givenCredentials({ "a.example": two }),
    ]);
    expect(await source.find("a.example", context)).toBe(anonymous);
  });

  test("end with one that fails, without using the credentials of another", async () => {
    const other = givenCredentials({ "a.example": two });
    await expect(firstOf([failing, other]).find("a.example", context)).rejects.toThrow(
      "cannot be read",
    );
    expect(await firstOf([other, failing]).find("a.example", context)).toBe(two);
  });

  test("can be Docker's files after the settings", async () => {
    const { source: docker } = homeWith({
      ".docker/config.json": config({ "a.example": auth("robot:file"), "b.example": {} }),
    });
    const given = givenCredentials({ "c.example": one });
    const last = givenCredentials({ "b.example": two, "d.example": two });
    const source = firstOf([given, docker, last]);
    expect(await source.find("a.example", context)).toMatchObject({ password: "file" });
    expect(await source.find("b.example", context)).toBe(anonymous);
    expect(await source.find("c.example", context)).toBe(one);
    expect(await source.find("d.example", context)).toBe(two);
  });
});

test.each([
  ["Basic", { scheme: "basic" }],
  ['Basic realm="a, b"', { scheme: "basic" }],
  [
    'Bearer realm="https://a.example/t",service="s",scope="repository:a:pull repository:b:pull"',
    {
      scheme: "bearer",
      realm: "https://a.example/t",
      service: "s",
      scopes: ["repository:a:pull", "repository:b:pull"],
    },
  ],
  [
    'Basic realm="x", bearer realm=https://a.example',
    { scheme: "bearer", realm: "https://a.example", service: undefined, scopes: [] },
  ],
  ["Negotiate", undefined],
  ["Bearer", undefined],
  [undefined, undefined],
])("the challenge %s", (header, challenge) => {
  expect(parseChallenge(header)).toEqual(challenge);
});

describe("a registry that requires authentication", () => {
  const secrets = { username: "robot", password: "secret-password" };
  const basic: Credentials = { kind: "basic", ...secrets };
  const identity: Credentials = { kind: "identity-token", token: "secret-identity" };

  test.each([
    ["basic", "basic", basic],
    ["token", "basic", basic],
    ["token", "identity-token", identity],
  ] as const)("with %s accepts %s credentials", async (scheme, _, credentials) => {
    const access = { scheme, ...secrets, identityToken: "secret-identity" };
    const registry = await openRegistry("ours", { access });
    const repository = { registry, path: "lab/app" };
    const client = openClient({ credentials: givenCredentials({ [registry]: credentials }) });
    const image = await pushImage(client, repository, "layer");
    const other = { registry, path: "lab/other" };
    const copy = await pushImage(client, other, "layer");
    expect(copy.digest).toBe(image.digest);
    await client.uploads.mount(other, image.digest, repository, context);
    await client.manifests.remove(repository, image.digest, context);
    expect(await client.manifests.get(repository, image.digest, context)).toBeUndefined();
  });

  test("gets a new token when the old one has expired", async () => {
    let now = Date.now();
    const access = { scheme: "token", ...secrets, tokenLifetimeSeconds: 300 } as const;
    const registry = await openRegistry("ours", { access, now: () => new Date(now) });
    const repository = { registry, path: "lab/app" };
    const client = openClient({ credentials: givenCredentials({ [registry]: basic }) });
    const image = await pushImage(client, repository, "layer");
    now += 400_000;
    const found = await client.manifests.get(repository, image.digest, context);
    expect(found?.digest).toBe(image.digest);
  });

  test.each(["basic", "token"] as const)("with %s refuses the wrong password", async (scheme) => {
    const registry = await openRegistry("ours", { access: { scheme, ...secrets } });
    const repository = { registry, path: "lab/app" };
    const wrong: Credentials = { kind: "basic", username: "robot", password: "wrong-password" };
    const client = openClient({ credentials: givenCredentials({ [registry]: wrong }) });
    const failure = await failureOf(client.manifests.get(repository, "v1", context));
    expect(failure.code).toBe("UNAUTHORIZED");
    expect(failure.message).not.toContain("wrong-password");
  });

  test("can allow anonymous reads and no anonymous writes", async () => {
    const access = { scheme: "token", ...secrets, anonymousPull: true } as const;
    const registry = await openRegistry("ours", { access });
    const repository = { registry, path: "lab/app" };
    const client = openClient();
    expect(await client.manifests.get(repository, "v1", context)).toBeUndefined();
    const failure = await failureOf(client.uploads.put(repository, Buffer.from("x"), context));
    expect(failure.code).toBe("UNAUTHORIZED");
  });
});
