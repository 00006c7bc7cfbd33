import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  findDefaultCredentials,
  defaultProject,
} from "../../../src/core/google/default-credentials";
import { requestAccessToken } from "../../../src/core/google/access-token";
import { createHttpClient } from "../../../src/core/http/client";
import type { Transport } from "../../../src/core/http/transport";
import { googleErrorOf, paths, startGoogle } from "./google-services";

type Google = Awaited<ReturnType<typeof startGoogle>>;

const elsewhere = { productFile: "/nowhere" };

/** A machine on which Google's credentials are in all places. */
async function machine(env: Readonly<Record<string, string>> = {}) {
  const google = await startGoogle();
  const folder = join(google.home, ".config", "gcloud");
  mkdirSync(join(folder, "configurations"), { recursive: true });
  const login = (client: string) =>
    writeFileSync(
      join(folder, "application_default_credentials.json"),
      JSON.stringify({ ...google.credentials.user, client_id: client }),
    );
  const services = (more: Readonly<Record<string, string>>) => ({
    ...google.services,
    env: { ...google.services.env, ...env, ...more },
  });
  return { google, folder, login, services };
}

const host = ({ port }: Google) => `127.0.0.1:${port}`;

describe("application default credentials", () => {
  test("are those of the file in GOOGLE_APPLICATION_CREDENTIALS, else of the gcloud login, else of the machine", async () => {
    const { google, login, services } = await machine();
    const file = google.file("key.json", google.credentials.serviceAccount);
    login("gcloud");
    const variables = { GOOGLE_APPLICATION_CREDENTIALS: file, GCE_METADATA_HOST: host(google) };
    expect(await findDefaultCredentials(services(variables), elsewhere)).toMatchObject({
      type: "service_account",
      origin: `GOOGLE_APPLICATION_CREDENTIALS (${JSON.stringify(file)})`,
    });
    const later = { GCE_METADATA_HOST: host(google) };
    expect(await findDefaultCredentials(services(later), elsewhere)).toMatchObject({
      type: "authorized_user",
      clientId: "gcloud",
    });
    const config = { ...later, CLOUDSDK_CONFIG: join(google.home, "none") };
    const found = await findDefaultCredentials(services(config), elsewhere);
    expect(found).toMatchObject({ type: "machine" });
    if (found === undefined) throw new Error("nothing found");
    const { token } = await requestAccessToken(services(config), found);
    expect(token).toBe("machine-token");
    expect(google.requests.at(-1)).toMatchObject({
      method: "GET",
      url: "/computeMetadata/v1/instance/service-accounts/default/token?scopes=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform",
      headers: { "metadata-flavor": "Google" },
    });
  });

  test("that are named but cannot be used are an error, and no others are used", async () => {
    const { google, login, services } = await machine();
    login("gcloud");
    const missing = { GOOGLE_APPLICATION_CREDENTIALS: "/nowhere/key.json" };
    const failure = await googleErrorOf(findDefaultCredentials(services(missing)));
    expect(failure.message).toMatch(
      /^GOOGLE_APPLICATION_CREDENTIALS: the file .* does not exist; .* unset the variable/,
    );
    const broken = { GOOGLE_APPLICATION_CREDENTIALS: google.file("key.json", "{") };
    expect((await googleErrorOf(findDefaultCredentials(services(broken)))).message).toMatch(
      /^GOOGLE_APPLICATION_CREDENTIALS \(".*key.json"\) does not contain a JSON object/,
    );
    writeFileSync(
      join(google.home, ".config", "gcloud", "application_default_credentials.json"),
      "HUSH",
    );
    const login2 = await googleErrorOf(findDefaultCredentials(services({})));
    expect(login2.message).toMatch(/^the gcloud login \(.*\) does not contain a JSON object/);
  });

  test("for a service on this machine are only those that a variable names", async () => {
    const { google, login, services } = await machine();
    login("gcloud");
    const named = { ...elsewhere, isNamedOnly: true };
    expect(await findDefaultCredentials(services({}), named)).toBeUndefined();
    const config = { CLOUDSDK_CONFIG: join(google.home, ".config", "gcloud") };
    expect(await findDefaultCredentials(services(config), named)).toMatchObject({
      type: "authorized_user",
    });
    const metadata = { GCE_METADATA_IP: host(google) };
    expect(await findDefaultCredentials(services(metadata), named)).toMatchObject({
      type: "machine",
    });
  });
});

describe("a metadata server", () => {
  const detect = async (env: Readonly<Record<string, string>>, product = "/nowhere") => {
    const { services } = await machine(env);
    return findDefaultCredentials(services({}), { productFile: product });
  };

  test("is assumed on a machine that Google made, and where Google's platforms run", async () => {
    const google = await startGoogle();
    const product = google.file("product", "Google Compute Engine\n");
    expect(await detect({}, product)).toMatchObject({ type: "machine" });
    expect(await detect({ K_SERVICE: "x", METADATA_SERVER_DETECTION: "bios-only" })).toMatchObject({
      type: "machine",
    });
    expect(await detect({ METADATA_SERVER_DETECTION: "assume-present" })).toMatchObject({
      origin: "Google's metadata server 169.254.169.254",
    });
    expect(await detect({ METADATA_SERVER_DETECTION: "none" }, product)).toBeUndefined();
    expect(await detect({ METADATA_SERVER_DETECTION: "bios-only" })).toBeUndefined();
  });

  test.each([
    [{ METADATA_SERVER_DETECTION: "maybe" }, /^METADATA_SERVER_DETECTION must be assume-present/],
    [{ GCE_METADATA_HOST: "x/y?z=" }, /^GCE_METADATA_HOST must be a host/],
    [{ GCE_METADATA_HOST: "x/y" }, /^GCE_METADATA_HOST must be a host/],
  ])("is not looked for with an invalid variable: %j", async (env, message) => {
    expect((await googleErrorOf(detect(env))).message).toMatch(message);
  });

  const flavor = { "metadata-flavor": "Google" };

  test.each([
    ["responds", { status: 200, headers: flavor }, true],
    ["has no service account", { status: 404, headers: flavor }, true],
    ["is not Google's", { status: 200, headers: {} }, false],
    ["does not exist", undefined, false],
  ])("on another machine is used only if it is Google's: it %s", async (_, answer, isFound) => {
    const { services } = await machine();
    const urls: string[] = [];
    const transport: Transport = {
      send({ url }) {
        urls.push(url);
        if (answer === undefined) throw new Error("no connection");
        return Promise.resolve({ ...answer, body: Readable.from([]) });
      },
      close: () => Promise.resolve(),
    };
    const { clock } = await startGoogle();
    const http = createHttpClient({ transport, clock });
    const found = await findDefaultCredentials({ ...services({}), http }, elsewhere);
    expect(found?.type).toBe(isFound ? "machine" : undefined);
    expect(urls).toEqual(["http://169.254.169.254/computeMetadata/v1/instance"]);
  });

  const tokenOf = async (google: Google) => {
    const services = {
      ...google.services,
      env: { ...google.services.env, GCE_METADATA_HOST: host(google) },
    };
    const found = await findDefaultCredentials(services, elsewhere);
    if (found === undefined) throw new Error("nothing found");
    return requestAccessToken(services, found);
  };

  test("that does not say that it is Google's is not believed", async () => {
    for (const headers of [{}, { "metadata-flavor": "google" }]) {
      const google = await startGoogle();
      google.answers[paths.metadata] = () => ({
        headers,
        body: JSON.stringify({ access_token: "HUSH" }),
      });
      const failure = await googleErrorOf(tokenOf(google));
      expect(failure.code).toBe("METADATA");
      expect(failure.message).toContain(
        "(GCE_METADATA_HOST) did not respond with the header Metadata-Flavor",
      );
      expect(failure.message).toContain("unset GCE_METADATA_HOST");
      expect(failure.message).not.toContain("HUSH");
    }
  });

  test("that hangs is given up after three seconds, three times, with the variable to change", async () => {
    const google = await startGoogle();
    google.answers[paths.metadata] = () => {
      google.clock.advance(3_000);
      return undefined;
    };
    const failure = await googleErrorOf(tokenOf(google));
    expect(failure.message).toMatch(/\(GCE_METADATA_HOST\) did not respond within 3 seconds/);
    expect(google.requests).toHaveLength(3);
  });

  test("without a service account says how to attach one", async () => {
    const google = await startGoogle();
    google.answers[paths.metadata] = () => ({
      status: 404,
      headers: { "metadata-flavor": "Google" },
    });
    expect((await googleErrorOf(tokenOf(google))).message).toContain("attach a service account");
  });

  test("that responds without a token is an error that names it", async () => {
    const google = await startGoogle();
    google.answers[paths.metadata] = () => ({
      headers: { "metadata-flavor": "Google" },
      body: JSON.stringify({ expires_in: 3599 }),
    });
    const failure = await googleErrorOf(tokenOf(google));
    expect(failure.code).toBe("METADATA");
    expect(failure.message).toMatch(/\(GCE_METADATA_HOST\) did not return a token$/);
  });

  test("that refuses is quoted", async () => {
    const google = await startGoogle();
    google.answers[paths.metadata] = () => ({
      status: 403,
      headers: { "metadata-flavor": "Google" },
      body: "scopes are missing",
    });
    expect((await googleErrorOf(tokenOf(google))).message).toMatch(
      /responded with HTTP status 403: "scopes are missing"$/,
    );
  });
});

describe("the project of credentials", () => {
  test("is that of a key, of gcloud's configuration for a login, or of the machine", async () => {
    const { google, folder, login, services } = await machine();
    login("gcloud");
    const find = async (env: Readonly<Record<string, string>>) => {
      const all = services(env);
      const found = await findDefaultCredentials(all, elsewhere);
      return found && defaultProject(all, found);
    };
    const file = google.file("key.json", google.credentials.serviceAccount);
    expect(await find({ GOOGLE_APPLICATION_CREDENTIALS: file })).toBe("key-project");
    expect(await find({})).toBeUndefined();
    const configuration =
      "[compute]\nproject = no\n[core]\naccount = me\nproject = gcloud-project\n";
    writeFileSync(join(folder, "configurations", "config_default"), configuration);
    expect(await find({})).toBe("gcloud-project");
    writeFileSync(join(folder, "configurations", "config_other"), "[core]\nproject = other\n[x]\n");
    writeFileSync(join(folder, "active_config"), "other");
    expect(await find({})).toBe("other");
    expect(await find({ CLOUDSDK_ACTIVE_CONFIG_NAME: "../x" })).toBeUndefined();
    const config = { CLOUDSDK_CONFIG: join(google.home, "none"), GCE_METADATA_HOST: host(google) };
    expect(await find(config)).toBe("machine-project");
  });
});
