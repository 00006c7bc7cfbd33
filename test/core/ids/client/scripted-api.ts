import { startScriptedServer } from "../../http/scripted-server";

/** A response of the API. */
export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** A string is sent unchanged, anything else as JSON. */
  readonly body: unknown;
}

/** A scripted server for the client of the API. */
export async function startScriptedApi(answer: (number: number) => ScriptedAnswer) {
  const { requests, origin } = await startScriptedServer((_, number) => {
    const { status = 200, headers, body } = answer(number);
    return {
      status,
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    };
  });
  return { requests, url: `${origin}/v1/` };
}
