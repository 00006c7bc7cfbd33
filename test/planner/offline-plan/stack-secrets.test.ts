import fc from "fast-check";
import { provider as idsProvider } from "../../../src/core/ids/provider-definition";
import { ProviderCatalog } from "../../../src/planner/offline-plan/catalog";
import { readConfiguration } from "../../../src/planner/offline-plan/configuration";
import { planOffline, providerNames, secretsOf } from "../../../src/planner/offline-plan/planner";
import { emptyState } from "../../../src/planner/offline-plan/state";
import { providerRoutes } from "../../../src/core/provider-kit/server/calls/routes";

const source = "trivet.local/trivet/ids";
const routes = providerRoutes(idsProvider, {});
const catalog = ProviderCatalog.of((found) => (found === source ? routes : undefined));

/** Values of attributes that the provider refuses and quotes, made of a secret. */
const quoted = [
  "${var.secret}",
  "${local.secret}",
  "x-${var.secret}",
  "${upper(var.secret)}",
  "${base64encode(var.secret)}",
  "${urlencode(var.secret)}",
  "${jsonencode({ a = [var.secret] })}",
  "${var.object.inner[0]}",
  "${sha256(var.secret)}",
  '${join(",", [var.secret, var.secret])}',
  '${nonsensitive(false) ? "x" : var.secret}',
];

const stackWith = (value: string) => ({
  terraform: { required_providers: { ids: { source } } },
  provider: { ids: [{ project: "p", zone: "us-central1-a" }] },
  variable: {
    secret: { type: "string", sensitive: true },
    object: { type: "object({ inner = list(string) })", sensitive: true },
  },
  locals: { secret: "${var.secret}" },
  resource: {
    ids_endpoint: { edge: { endpoint_id: value, severity: value, network: value } },
    other_thing: { one: { count: 2, name: value, list: [value] } },
  },
});

const variablesOf = (secret: string) => ({ secret, object: { inner: [secret] } });

/** Texts that are no valid value of an attribute. */
const secrets = fc
  .string({ minLength: 4, maxLength: 60, unit: "grapheme" })
  .map((each) => `?${each.normalize()}`);

test("no finding of a plan quotes a sensitive value, nor what an expression has made of it", async () => {
  await fc.assert(
    fc.asyncProperty(secrets, fc.constantFrom(...quoted), async (secret, value) => {
      const configuration = readConfiguration(stackWith(value));
      const providers = await catalog.start(providerNames(configuration));
      const variables = variablesOf(secret);
      const open = await planOffline({ configuration, state: emptyState, providers, variables });
      const text = JSON.stringify(open.diagnostics);
      // Letters with special cases are not computed.
      if (!value.includes("upper")) expect(text).toContain("(got ");
      const forms = [secret, secret.toUpperCase(), encodeURIComponent(secret)];
      const all = [...forms, ...forms.map((each) => Buffer.from(each).toString("base64"))];
      for (const form of all.filter((each) => each.trim().length >= 4)) {
        expect(text).not.toContain(JSON.stringify(form).slice(1, -1));
      }
    }),
  );
});

test.each(["a", "ab", "abc"])("the short secret %s is not quoted either", async (secret) => {
  const configuration = readConfiguration(stackWith("${var.secret}"));
  const providers = await catalog.start(providerNames(configuration));
  const variables = variablesOf(secret);
  const { diagnostics } = await planOffline({
    configuration,
    state: emptyState,
    providers,
    variables,
  });
  const details = diagnostics.map(({ detail }) => detail).join("\n");
  expect(details).toContain("(got ***)");
  expect(details).not.toContain(`"${secret}"`);
});

test("the sensitive values of resources of any provider are found without one", async () => {
  const configuration = readConfiguration(stackWith("${base64encode(upper(var.secret))}"));
  const found = await secretsOf(configuration, variablesOf("hunter2"));
  const derived = Buffer.from("HUNTER2").toString("base64");
  const message = { summary: `not ${derived}`, detail: 'got "hunter2"' };
  expect(found.redacted(message)).toEqual({ summary: "not ***", detail: 'got "***"' });
});
