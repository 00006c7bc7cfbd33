import { createHttpHeaders, type HttpClient as PipelineClient } from "@azure/core-rest-pipeline";
import type { HttpClient } from "../../http/client";
import { sendForLibrary } from "./library-request";

/** Sends the requests of Azure's library with our client: those that exchange credentials for a token. */
export function azureHttpClient(
  http: HttpClient,
  onSecret: (secret: string) => void,
): PipelineClient {
  return {
    async sendRequest(request) {
      const { method, url, headers, body, abortSignal, timeout } = request;
      const answer = await sendForLibrary(http, {
        method,
        url,
        headers: headers.toJSON(),
        body,
        signal: abortSignal instanceof AbortSignal ? abortSignal : undefined,
        timeoutMs: timeout > 0 ? timeout : undefined,
        onSecret,
      });
      return {
        request,
        status: answer.status,
        headers: createHttpHeaders({ ...answer.headers }),
        bodyAsText: answer.body.toString("utf8"),
      };
    },
  };
}
