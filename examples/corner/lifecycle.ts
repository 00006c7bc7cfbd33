import {
  computed,
  ephemeralResource,
  implementEphemeralResource,
  required,
  t,
} from "@trivet/provider-kit";

/** Counts what happens to tokens. */
export interface Leases {
  renewed: number;
  closed: number;
}

const declaration = ephemeralResource("corner_lifecycle", {
  doc: "A token that expires unless it is renewed.",
  attributes: {
    name: required(t.string(), { doc: "Who has the token." }),
    token: computed(t.string(), { doc: "The token." }),
  },
});

const soon = () => new Date(Date.now() + 1000);

export const lifecycle = implementEphemeralResource(declaration)<Leases>({
  open({ name }, { renewAt }) {
    renewAt(soon());
    return Promise.resolve({ name, token: "fake-token-12345" });
  },
  renew({ client, renewAt }) {
    client.renewed += 1;
    renewAt(soon());
    return Promise.resolve();
  },
  close({ client }) {
    client.closed += 1;
    return Promise.resolve();
  },
});
