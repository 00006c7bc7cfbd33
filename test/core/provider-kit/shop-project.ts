import { providerRoutes } from "../../../src/core/provider-kit";
import type { ErasedProvider } from "../../../src/core/provider-kit/server/provider-definition";
import { TerraformProject } from "../../../src/core/provider-kit/testing";
import { provider } from "../../../src/core/schema";

/** Opens Terraform with a provider without settings, which runs in this process. */
export const openShop = (
  offer: Omit<ErasedProvider<null>, "declaration" | "configure">,
): Promise<TerraformProject> =>
  TerraformProject.open({
    source: "example.test/tools/shop",
    routes: providerRoutes({
      ...offer,
      declaration: provider("shop", { doc: "x", attributes: {} }),
      configure: () => null,
    }),
  });
