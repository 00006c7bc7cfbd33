import { known } from "@trivet/provider-kit";

/**
 * The handlers of a resource that exists in the state only: what is planned is stored. They fit every resource whose values
 * are all planned; the others replace what differs.
 */
export const keep = {
  create: <Plan extends object>(plan: Plan) => Promise.resolve(known(plan)),
  read: <State>(state: State) => Promise.resolve(state),
  update: <Plan extends object>(plan: Plan) => Promise.resolve(known(plan)),
  delete: () => Promise.resolve(),
};
