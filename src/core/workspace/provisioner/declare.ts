import { computed, dataSource, t } from "../../schema";

/** The host on which the platform runs Terraform. */
export const provisioner = dataSource("workspace_provisioner", {
  doc: "The host on which the platform runs Terraform.",
  attributes: {
    id: computed(t.string(), {
      doc: "ID of the data source, derived from the operating system and the architecture.",
    }),
    os: computed(t.string(), { doc: "Operating system of the host, such as `linux`." }),
    arch: computed(t.string(), {
      doc: "Processor architecture of the host, such as `amd64`, `arm64` or `armv7`.",
    }),
  },
});
