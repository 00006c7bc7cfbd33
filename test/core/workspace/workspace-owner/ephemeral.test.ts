import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { providerRoutes } from "../../../../src/core/provider-kit";
import { TerraformProject } from "../../../../src/core/provider-kit/testing";
import { provider } from "../../../../src/core/workspace/provider-definition";
import { unzipped } from "../../../unzipped";

const secret = "Owner-Secret-Value";
const token = "External-Token-Value";
const digest = createHash("sha256").update(`${secret}/${token}`).digest("hex");

const build = {
  TRIVET_WORKSPACE_BUILD_ID: "0f3e1f9c-8d52-4a63-9d8e-0f3c1f7a9d11",
  TRIVET_WORKSPACE_TRANSITION: "start",
  TRIVET_AGENT_URL: "https://dev.example.com",
};

const configuration = `
  ephemeral "workspace_secret" "registry" {
    env          = "REGISTRY_TOKEN"
    help_message = "Store a token."
  }
  ephemeral "workspace_external_auth" "forge" { id = "forge" }
  resource "terraform_data" "uses_both" {
    provisioner "local-exec" {
      command     = "test $(printf %s $BOTH | sha256sum | cut -c -64) = ${digest}"
      environment = {
        BOTH = "\${ephemeral.workspace_secret.registry.value}/\${ephemeral.workspace_external_auth.forge.access_token}"
      }
    }
  }`;

async function inProject(
  env: Readonly<Record<string, string>>,
  run: (project: TerraformProject) => Promise<void>,
): Promise<void> {
  const project = await TerraformProject.open({
    source: "trivet.local/trivet/workspace",
    routes: providerRoutes(provider, env),
  });
  try {
    await project.write(configuration);
    await run(project);
  } finally {
    await project.close();
  }
}

test("the secret and the token reach a provisioner, but neither the plan nor the state", async () => {
  const env = {
    ...build,
    TRIVET_SECRET_ENV_REGISTRY_TOKEN: secret,
    TRIVET_EXTERNAL_AUTH_ACCESS_TOKEN_forge: token,
  };
  await inProject(env, async (project) => {
    await project.plan();
    const applied = await project.run("apply", "-no-color", "-input=false", "plan.bin");
    expect(applied).toMatchObject({ code: 0, errors: "" });
    const names = await readdir(project.folder);
    expect(names).toEqual(expect.arrayContaining(["plan.bin", "terraform.tfstate"]));
    for (const name of names.filter((each) => each !== ".terraform")) {
      const bytes = await readFile(join(project.folder, name));
      for (const content of [bytes, ...unzipped(bytes)]) {
        expect([name, content.includes(secret) || content.includes(token)]).toEqual([name, false]);
      }
    }
  });
});

test("a build that starts a workspace fails without them", async () => {
  await inProject(build, async (project) => {
    const refusal: unknown = await project.plan().catch((error: unknown) => error);
    expect(String(refusal)).toContain("Missing Secret: The workspace needs a secret for the");
    expect(String(refusal)).toContain(
      'there is no access token for "forge", which is not optional',
    );
  });
});

test("outside a build, both are empty", async () => {
  await inProject({}, async (project) => {
    expect((await project.plan()).changes.get("terraform_data.uses_both")?.action).toBe("create");
  });
});
