import { providerRoutes } from "../../../src/provider-kit";
import { createTerraformHarness, startProvider } from "../../../src/provider-kit/testing";
import type { Declaration } from "../../../src/schema";
import { provider as definition } from "../../../src/signing/provider-definition";
import { type Noun, nouns } from "../tables";
import type { AcceptanceRow } from "../../accept/table";
import { expected, found, inTerraform } from "../../workspace/provider/noun-run";

/** Only names and types are taken from it, to write messages. */
function declarationOf({ typeName }: Noun): Declaration {
  const all = [...definition.resources, ...(definition.dataSources ?? [])];
  const own = all.find(({ declaration }) => declaration.type === typeName);
  return own?.declaration ?? definition.declaration;
}

const running = startProvider(providerRoutes(definition, {}), { env: {} });

afterAll(async () => {
  const { close } = await running;
  close();
});

/** What the provider says as soon as Terraform validates. */
async function validated(noun: Noun, { args }: AcceptanceRow) {
  const terraform = createTerraformHarness(await running);
  const declaration = declarationOf(noun);
  const config = inTerraform(declaration, args);
  if (noun.kind === "provider") return terraform.validate(declaration, config);
  if (noun.kind === "resource") return terraform.resource(declaration).validate(config);
  return terraform.dataSource(declaration).validate(config);
}

describe.each(nouns.map((noun) => [noun.construct, noun] as const))("%s", (_construct, noun) => {
  const rows = noun.rows.filter(({ on }) => on !== "construct");

  test.each(rows.map((row) => [row.name, row] as const))("%s", async (_name, row) => {
    const diagnostics = await validated(noun, row);
    expect(found(diagnostics, "ERROR")).toEqual(expected(noun, row.errors));
    const warnings = found(diagnostics, "WARNING");
    for (const warning of expected(noun, row.warnings ?? [])) expect(warnings).toContain(warning);
  });
});
