import {
  Deferral,
  implement,
  optional,
  ProviderError,
  resource,
  t,
  UNKNOWN,
  type Unknown,
} from "@trivet/provider-kit";
import { keep } from "./keep";

const doc = "Nothing is done with it.";

const body = {
  doc: "Can be deferred, if Terraform can defer.",
  attributes: {
    modifyPlanDeferral: optional(t.bool(), { doc: "Defers the plan." }),
    readDeferral: optional(t.bool(), { doc: "Defers the read." }),
    id: optional(t.string(), { doc }),
  },
  importId: ["{id}"],
};

/** Something in the configuration of the resource is not known yet. */
function deferResource(): never {
  throw new Deferral({
    reason: "RESOURCE_CONFIG_UNKNOWN",
    summary: "Too Early",
    detail: "The resource can only be deferred. Run a Terraform that can: -allow-deferral.",
  });
}

/** A setting of the provider is not known yet. */
export function deferEverything(): never {
  throw new Deferral({
    reason: "PROVIDER_CONFIG_UNKNOWN",
    summary: "Too Early",
    detail: "Everything is deferred. Run a Terraform that can: -allow-deferral.",
    path: ["deferral"],
  });
}

interface Config {
  readonly id: string | null | Unknown;
  readonly modifyPlanDeferral: boolean | null | Unknown;
}

/** Checks the ID, and defers if that is asked for. */
function plan({ config: { id, modifyPlanDeferral } }: { readonly config: Config }) {
  if (id !== UNKNOWN && id !== null && id !== "test_id") {
    throw new ProviderError({
      summary: "Invalid ID",
      detail: `The ID must be test_id (got ${JSON.stringify(id)}).`,
      path: ["id"],
    });
  }
  if (modifyPlanDeferral === true) deferResource();
  return {};
}

const plain = implement(resource("corner_deferred_action", body))<unknown>({
  ...keep,
  plan,
  read: (state) => (state.readDeferral === true ? deferResource() : Promise.resolve(state)),
  import: ({ id = "" }) => (id === "deferral-id" ? deferResource() : { id }),
});

/** As the other one, but its plan is checked even if everything is deferred. */
const planned = implement(resource("corner_deferred_action_plan_modification", body))<unknown>({
  ...keep,
  plan,
  planDeferred: plan,
});

export const deferrals = [plain, planned];
