// Runs an acceptance test of the packaged ids provider: `acceptance <provider.cjs> <service URL> <steps>`.
// Each step applies a change, checks the state, and plans again. The last one imports.
import { testAcceptance } from "../../src/core/provider-kit/testing";
import { address, configurations } from "../acceptance-steps";

async function main(provider: string, url: string, steps: string): Promise<void> {
  await testAcceptance({
    source: "trivet.local/trivet/ids",
    executable: [process.execPath, provider],
    steps: [
      ...configurations(url, Number(steps)).map((config, step) => ({
        config,
        state: { [address]: { description: `step ${step}` } },
      })),
      { import: address },
    ],
  });
}

const [provider = "", url = "", steps = ""] = process.argv.slice(2);
main(provider, url, steps).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
