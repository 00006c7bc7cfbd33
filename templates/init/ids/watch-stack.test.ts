import { Testing } from "cdktf";
import { planMatchers, planOf } from "@trivet/constructs/testing";
import { WatchStack, type WatchStackProps } from "./watch-stack";

expect.extend(planMatchers);

interface Synthesized {
  readonly provider: { readonly ids: readonly Readonly<Record<string, unknown>>[] };
  readonly resource: Readonly<Record<string, unknown>>;
}

/** What Terraform reads. With `true`, all rules are checked, as in a deployment. */
function synthesized(props?: WatchStackProps): Synthesized {
  const stack = new WatchStack(Testing.app(), "watch", props);
  return JSON.parse(Testing.synth(stack, true)) as Synthesized;
}

test("its resources stay as they are", () => {
  expect(synthesized().resource).toMatchSnapshot();
});

test("uses the real service unless another one is named", () => {
  expect(synthesized().provider.ids[0]).not.toHaveProperty("cloud_ids_custom_endpoint");

  const serviceUrl = "http://127.0.0.1:8080/v1/";
  expect(synthesized({ serviceUrl }).provider.ids[0]).toMatchObject({
    cloud_ids_custom_endpoint: serviceUrl,
  });
});

test("a deployment creates the endpoint, and another one changes nothing", async () => {
  const stack = new WatchStack(Testing.app(), "watch");
  const same = new WatchStack(Testing.app(), "watch");
  expect(await planOf(stack)).toCreate("ids_endpoint.edge");
  expect(await planOf(same, { from: stack })).toChangeNothing();
});
