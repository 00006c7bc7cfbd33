import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type { providerMethods, StopProviderRequest } from "../../wire/tfplugin6/tfplugin6";
import type { Call } from "./call";

/** Asks what is under way to end soon; each operation answers for itself. */
export const stopProvider: Call<
  StopProviderRequest,
  ResponseInitOf<typeof providerMethods.stopProvider>
> = (session) => {
  session.stop();
  return {};
};
