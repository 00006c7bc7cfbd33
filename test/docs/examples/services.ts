import { createLocalIds } from "../../../src/local/ids/local-ids";
import { providerRoutes } from "../../../src/core/provider-kit";
import { startReattach } from "../../../src/core/provider-kit/host/reattach";
import { provider as idsProvider } from "../../../src/core/ids/provider-definition";
import { provider as signingProvider } from "../../../src/core/signing/provider-definition";
import { provider as workspaceProvider } from "../../../src/core/workspace/provider-definition";
import { imageText } from "../../e2e/support/signing";
import type { Tool } from "../../e2e/support/tool";
import { Workspace } from "../../e2e/support/workspace";
import { sign } from "../../core/signing/sign/operations";
import { openBench } from "../../core/signing/sign/signing-bench";

type Environment = Readonly<Record<string, string>>;
type Routes = ReturnType<typeof providerRoutes>;

/** What a provider needs to run in this process, and its examples to be deployed. */
interface Setting {
  readonly routes: (environment: NodeJS.ProcessEnv) => Routes;
  readonly open: () => Promise<{
    /** For the provider. */
    readonly environment: Environment;
    /** Variables of the examples. */
    readonly variables: Environment;
  }>;
}

const endings: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const settings: Readonly<Record<string, Setting>> = {
  ids: {
    routes: (environment) => providerRoutes(idsProvider, environment),
    open: async () => {
      const service = createLocalIds({ pollsUntilDone: 0 });
      endings.push(() => service.close());
      const { url } = await service.listen({ port: 0 });
      return { environment: { GOOGLE_CLOUD_IDS_CUSTOM_ENDPOINT: url }, variables: {} };
    },
  },
  workspace: {
    routes: (environment) => providerRoutes(workspaceProvider, environment),
    open: () => Promise.resolve({ environment: {}, variables: {} }),
  },
  signing: {
    routes: (environment) => providerRoutes(signingProvider, environment),
    open: openSigning,
  },
};

/** A registry with an image that the release has signed. */
async function openSigning() {
  const bench = await openBench();
  const { local } = bench;
  const email = "release@example.com";
  const image = await bench.pushImage("web");
  await sign(bench, bench.person(email), image);
  return {
    environment: {
      SIGSTORE_ID_TOKEN: local.issueToken({ email }),
      TRIVET_TRUSTED_ROOT: local.files.trustedRoot,
      TRIVET_SIGNING_CONFIG: local.files.signingConfig,
    },
    variables: {
      image: imageText(image),
      destination: `${local.registryHost}/release/web`,
      registry_password: "not used: the registry of the test is another one",
      certificate_authority: local.addresses.certificateAuthority,
      issuer: local.addresses.tokenIssuer,
    },
  };
}

/** An empty folder in which the tool uses a provider that runs in this process, with its local services. */
export async function exampleWorkspace(provider: string, tool: Tool): Promise<Workspace> {
  const setting = settings[provider];
  if (setting === undefined) throw new Error(`the examples of ${provider} have no services here`);
  const { environment, variables } = await setting.open();
  const given = Object.entries(variables).map(([name, value]) => [`TF_VAR_${name}`, value]);
  const workspace = new Workspace(tool, Object.fromEntries(given) as Environment);
  endings.push(() => {
    workspace.remove();
  });
  const attached = await startReattach({
    source: `trivet.local/trivet/${provider}`,
    routes: setting.routes({ XDG_STATE_HOME: workspace.env["XDG_STATE_HOME"], ...environment }),
    env: {},
  });
  endings.push(attached.close);
  Object.assign(workspace.env, attached.env);
  return workspace;
}
