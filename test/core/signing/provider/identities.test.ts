import { sign } from "../../../../src/core/signing/sign/declare";
import { formatRepository } from "../../../../src/core/signing/oci/reference/image-name";
import { startScriptedServer } from "../../http/scripted-server";
import { openBench } from "../sign/signing-bench";
import { connect, email, make, policyText, verifyImage } from "./signing";

test.each(["Buildkite", "Google"])("an image is signed with the identity of %s", async (place) => {
  const bench = await openBench();
  const image = await bench.pushImage("signed by a place");
  const token = bench.local.issueToken({ email });
  const server = await startScriptedServer(() => ({
    headers: { "metadata-flavor": "Google" },
    body: place === "Google" ? token : JSON.stringify({ token }),
  }));
  const environment = {
    Google: { NO_GCE_CHECK: "", GCE_METADATA_HOST: `127.0.0.1:${server.port}` },
    Buildkite: {
      BUILDKITE_AGENT_ACCESS_TOKEN: "the-agent-secret",
      BUILDKITE_AGENT_ENDPOINT: server.origin,
      BUILDKITE_JOB_ID: "job",
    },
  }[place];
  const provider = await connect(bench.local, { identityToken: null }, environment);
  const reference = `${formatRepository(image)}@${image.digest}`;
  const { state } = await make(provider, sign, { image: reference });
  expect(state).toMatchObject({ signedRef: reference, skipped: false });
  const { summaries } = await verifyImage(provider, reference, policyText(bench.local));
  expect(summaries).toEqual([]);
  expect(server.requests).toHaveLength(1);
  expect(provider.log.join("\n") + JSON.stringify(state)).not.toContain(token);
  expect(provider.log.join("\n")).not.toContain("the-agent-secret");
});
