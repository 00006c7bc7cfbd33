import { providerRoutes } from "../../../../src/core/provider-kit";
import { startProvider } from "../../../../src/core/provider-kit/testing";
import { provider as definition } from "../../../../src/core/signing/provider-definition";
import { declarationIn, expectFindings, validated } from "../../../accept/provider";
import { nouns } from "../tables";

const running = startProvider(providerRoutes(definition, {}), { env: {} });

afterAll(async () => {
  const { close } = await running;
  close();
});

describe.each(nouns.map((noun) => [noun.construct, noun] as const))("%s", (_construct, noun) => {
  const rows = noun.rows.filter(({ on }) => on !== "construct");
  const declaration = declarationIn(definition, noun);

  test.each(rows.map((row) => [row.name, row] as const))("%s", async (_name, row) => {
    expectFindings(await validated(await running, declaration, noun, row.args), noun, row);
  });
});
