import { ProviderError } from "../../../../src/core/provider-kit";
import { UNKNOWN } from "../../../../src/core/schema";
import { createTerraformHarness } from "../../../../src/core/provider-kit/testing";
import { details, summaries } from "./protocol";
import { catalog, openWorkshop, planTool, settings } from "./workshop";

const unknown = { msgpack: Buffer.from("d40000", "hex") };

test("passes the settings and Terraform's version", async () => {
  const seen: unknown[] = [];
  const workshop = await openWorkshop({
    configured: false,
    configure(config, { terraformVersion, env, signal }) {
      seen.push(config, terraformVersion, env, signal.aborted);
      return { config, terraformVersion };
    },
  });
  const terraform = createTerraformHarness(workshop, { terraformVersion: "1.12.0" });
  expect(await terraform.configure(settings, { baseUrl: "x", accessToken: UNKNOWN })).toEqual([]);
  expect(seen).toEqual([{ baseUrl: "x", accessToken: UNKNOWN }, "1.12.0", {}, false]);
});

test("accepts a configuration that is unknown as a whole", async () => {
  const seen: unknown[] = [];
  const workshop = await openWorkshop({
    configured: false,
    configure(config) {
      seen.push(config);
      return { config, terraformVersion: "" };
    },
    handlers: { plan: () => ({}) },
  });
  expect((await workshop.configureProvider({ config: unknown })).diagnostics).toEqual([]);
  expect((await workshop.validateProviderConfig({ config: unknown })).diagnostics).toEqual([]);
  expect(seen).toEqual([{ baseUrl: UNKNOWN, accessToken: UNKNOWN }]);
  expect((await planTool(workshop, { toolName: "saw" })).diagnostics).toEqual([]);
});

test("an error has the path of the setting, and redacts its value", async () => {
  const workshop = await openWorkshop({
    configured: false,
    configure({ accessToken }) {
      const detail = `${String(accessToken)} is not accepted.`;
      throw new ProviderError({ summary: "Bad Token", detail, path: ["accessToken"] });
    },
  });
  const terraform = createTerraformHarness(workshop);
  const diagnostics = await terraform.configure(settings, { accessToken: "hushhush" });
  expect(summaries(diagnostics)).toEqual(["ERROR access_token Bad Token"]);
  expect(details(diagnostics)).toBe("Bad Token: *** is not accepted.");
});

describe("a data source", () => {
  const read = async (config: object, options = {}) =>
    createTerraformHarness(await openWorkshop(options))
      .dataSource(catalog)
      .read({ ...config });

  test("is read with its defaults filled in", async () => {
    expect((await read({ query: "saw" })).state).toEqual({
      query: "saw",
      limit: 10,
      found: ["saw"],
    });
  });

  test.each([
    [{ query: "axe", limit: 10, found: [] }, "ERROR query Unexpected Provider Result"],
    [{ query: "saw", limit: 10, found: [UNKNOWN] }, "ERROR found.0 Unexpected Provider Result"],
    [{ query: "saw", limit: 10, found: 1 }, "ERROR found Value Does Not Match The Schema"],
  ])("that returns %p is the provider's fault", async (found, expected) => {
    const { diagnostics } = await read({ query: "saw" }, { read: () => Promise.resolve(found) });
    expect(summaries(diagnostics)).toEqual([expected]);
  });

  test("that fails reports its error", async () => {
    const fail = () => Promise.reject(new Error("broken"));
    const { diagnostics } = await read({ query: "saw" }, { read: fail });
    expect(summaries(diagnostics)).toEqual(["ERROR - Unexpected Provider Error"]);
  });
});
