import { computed, parameter, providerFunction, t } from "../../schema";
import { endpointIdRule, nameSegmentRule } from "../endpoint/declare";

const parts = {
  project: parameter(t.string(nameSegmentRule), { doc: "Project of the endpoint." }),
  location: parameter(t.string(nameSegmentRule), {
    doc: "Location of the endpoint: a zone, such as `us-central1-f`.",
  }),
  endpointId: parameter(t.string(endpointIdRule), { doc: "ID of the endpoint." }),
};

export const endpointName = providerFunction("endpoint_name", {
  summary: "The full name of an endpoint",
  doc:
    "The full name of an endpoint, as other services and `terraform import` expect it. The endpoint does " +
    "not have to exist.",
  parameters: parts,
  returns: t.string(),
  example: [
    'provider::ids::endpoint_name("my-project", "us-central1-f", "edge")',
    '# "projects/my-project/locations/us-central1-f/endpoints/edge"',
  ].join("\n"),
});

export const parseEndpointName = providerFunction("parse_endpoint_name", {
  summary: "The parts of the full name of an endpoint",
  doc: "The parts of the full name of an endpoint: its project, its location and its ID.",
  parameters: {
    name: parameter(t.string(), {
      doc: "Name of the endpoint: `projects/P/locations/L/endpoints/E`.",
    }),
  },
  returns: t.object({
    project: computed(t.string(), { doc: "Project of the endpoint." }),
    location: computed(t.string(), { doc: "Location of the endpoint." }),
    endpointId: computed(t.string(), { doc: "ID of the endpoint." }),
  }),
  example: [
    'provider::ids::parse_endpoint_name("projects/my-project/locations/us-central1-f/endpoints/edge").endpoint_id',
    '# "edge"',
  ].join("\n"),
});
