import {
  computed,
  implement,
  optionalComputed,
  ProviderError,
  required,
  resource,
  type StateOf,
  t,
  UNKNOWN,
} from "@trivet/provider-kit";

const declaration = resource("corner_user", {
  doc: "A user of a service.",
  attributes: {
    email: required(t.string(), { doc: "The user's address.", requiresReplace: true }),
    name: required(t.string(), { doc: "The user's name." }),
    age: required(t.integer(), { doc: "The user's age." }),
    dateJoined: computed(t.string(), { doc: "When the user joined.", useStateForUnknown: true }),
    language: optionalComputed(t.string(), { doc: "The user's language." }),
  },
});

type User = StateOf<typeof declaration>;

/** The users of the service, by address. */
export interface Users {
  readonly users: Map<string, User>;
}

export const users = implement(declaration)<Users>({
  create(plan, { client }) {
    if (client.users.has(plan.email)) {
      throw new ProviderError({
        summary: "User Exists",
        detail: `There is a user ${plan.email}. Choose another address.`,
        path: ["email"],
      });
    }
    const language = plan.language === UNKNOWN ? "en" : plan.language;
    const user = { ...plan, language, dateJoined: new Date().toISOString() };
    client.users.set(user.email, user);
    return Promise.resolve(user);
  },
  read: ({ email }, { client }) => Promise.resolve(client.users.get(email)),
  update(plan, state, { client }) {
    const language = plan.language === UNKNOWN ? state.language : plan.language;
    const user = { ...plan, language, dateJoined: state.dateJoined };
    client.users.set(user.email, user);
    return Promise.resolve(user);
  },
  delete({ email }, { client }) {
    client.users.delete(email);
    return Promise.resolve();
  },
});
