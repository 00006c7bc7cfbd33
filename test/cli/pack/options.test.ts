import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../../../src/cli/invocation/failure";
import { providerAddress } from "../../../src/cli/pack/options";
import { temporaryFolder } from "../temporary-folder";

const longest = "a".repeat(64);

const accepted = [
  "acme/shop",
  "acme-labs/web-shop",
  "1acme/2shop",
  "terraform-labs/shop",
  `${longest}/${longest}`,
  "example.com/acme/shop",
  "localhost:8443/acme/shop",
];

/** Terraform 1.11 refuses these, too. Others may accept more. */
const refused = [
  "acme/web--shop",
  "acme--labs/shop",
  "acme/xn--shop",
  "acme/-shop",
  "acme/shop-",
  "-acme/shop",
  "acme/web_shop",
  "acme/web.shop",
  "acme/terraform-shop",
  "acme/terraform-provider-shop",
  "example.com/acme/shop/more",
  "a..b/acme/shop",
  "-a.b/acme/shop",
  "a.b-/acme/shop",
  "example.com:65536/acme/shop",
];

/** Registries accept no longer parts, nobody writes capitals, and the name is that of Terraform's own provider. */
const refusedOnlyHere = [`acme/${longest}a`, "Acme/shop", "acme/terraform", "shop"];

/** The given addresses that the real terraform refuses. */
function refusedByTerraform(addresses: readonly string[]): readonly string[] {
  const folder = temporaryFolder();
  const lines = addresses.map((source, index) => `p${index} = { source = "${source}" }`);
  const configuration = `terraform {\nrequired_providers {\n${lines.join("\n")}\n}\n}\n`;
  writeFileSync(join(folder, "main.tf"), configuration);
  const { stdout } = spawnSync("terraform", ["validate", "-json"], { cwd: folder });
  const { diagnostics } = JSON.parse(stdout.toString()) as {
    diagnostics: readonly { range: { start: { line: number } } }[];
  };
  const wrong = new Set(diagnostics.map(({ range }) => range.start.line - 3));
  return addresses.filter((_, index) => wrong.has(index));
}

describe("the source address of a provider", () => {
  it.each(accepted)("can be %s", (address) => {
    const [name] = address.split("/").slice(-1);
    const source = address.split("/").length === 2 ? `registry.terraform.io/${address}` : address;
    expect(providerAddress(address)).toEqual({ source, name });
  });

  it.each([...refused, ...refusedOnlyHere])("cannot be %s", (address) => {
    expect(() => providerAddress(address)).toThrow(CommandError);
  });

  it("is one that terraform accepts", () => {
    expect(refusedByTerraform([...accepted, "acme/-shop"])).toEqual(["acme/-shop"]);
  });
});
