import { failureCode, httpError } from "../../../http/http-error";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { isAbsolute } from "node:path";
import { serverMessage } from "../../../http/server-message";
import {
  createGrpcClient,
  field,
  message,
  isGrpcError,
  isProtobufError,
} from "../../../provider-kit/grpc";
import { serviceError, isServiceError } from "./call-service";
import {
  audience,
  type IdentityToken,
  readIdentityToken,
  tokenLimits,
  type TokenSearch,
} from "./identity-token";

const service = "The SPIFFE workload API";
const method = "/SpiffeWorkloadAPI/FetchJWTSVID";

// https://github.com/spiffe/spiffe/blob/main/standards/workloadapi.proto
const JwtSvidRequest = message(() => ({ audience: field.repeated(field.string(1)) }));
const JwtSvid = message(() => ({ spiffeId: field.string(1), svid: field.string(2) }));
const JwtSvidResponse = message(() => ({ svids: field.repeated(field.message(1, () => JwtSvid)) }));

/**
 * Requests an identity token (JWT-SVID) from the SPIFFE workload API, on the unix socket in
 * SPIFFE_ENDPOINT_SOCKET.
 *
 * @see https://github.com/spiffe/spiffe/blob/main/standards/SPIFFE_Workload_API.md
 */
export async function spiffeToken({ env, context, now }: TokenSearch): Promise<IdentityToken> {
  const path = socketPath(env["SPIFFE_ENDPOINT_SOCKET"] ?? "");
  const timeoutMs = Math.max(1, Math.min(tokenLimits.attemptMs, context.deadline - now()));
  const isOver = AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs)]);
  const socket = connect(path);
  try {
    await once(socket, "connect", { signal: isOver });
    const text = await fetchSvid(socket, timeoutMs, isOver);
    if (text !== undefined) return readIdentityToken(text, service);
    throw serviceError("IDENTITY", `${service} did not return a token.`);
  } catch (error) {
    throw explained(error, context.signal, isOver);
  } finally {
    socket.destroy();
  }
}

async function fetchSvid(
  socket: Socket,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const client = createGrpcClient(socket);
  // A server that accepts the connection may never speak HTTP/2.
  const stop = (): void => client.close();
  signal.addEventListener("abort", stop);
  try {
    const response = await client.unary(method, JwtSvidRequest.encode({ audience: [audience] }), {
      signal,
      timeoutMs,
      maxMessageBytes: tokenLimits.maxBytes,
      // Proves that this is no browser or proxy that was tricked into sending the request.
      headers: { "workload.spiffe.io": "true" },
    });
    // By the standard, the first one is the default.
    return JwtSvidResponse.decode(response).svids[0]?.svid;
  } finally {
    signal.removeEventListener("abort", stop);
    client.close();
  }
}

function socketPath(text: string): string {
  const path = text.replace(/^unix:(?:\/\/)?/, "");
  if (isAbsolute(path)) return path;
  const rule = "must be a unix socket, such as unix:///run/spire/agent.sock";
  throw serviceError("IDENTITY", `SPIFFE_ENDPOINT_SOCKET ${rule}.`);
}

function explained(error: unknown, caller: AbortSignal, isOver: AbortSignal): unknown {
  if (caller.aborted) return httpError("CANCELLED", `${service}: the request was cancelled.`);
  if (isOver.aborted) {
    return httpError("TIMEOUT", `${service} did not respond in time.`, { cause: error });
  }
  if (isProtobufError(error)) {
    return serviceError("IDENTITY", `${service} returned an invalid response.`, { cause: error });
  }
  if (!isGrpcError(error)) {
    const code = failureCode(error);
    if (code === undefined || isServiceError(error)) return error;
    return httpError("NO_ANSWER", `${service} cannot be reached (${code}).`, { cause: error });
  }
  const reason = `${error.code}: "${serverMessage(error.message)}"`;
  const message = `${service} returned no token: ${reason}`;
  return error.code === "UNAVAILABLE"
    ? httpError("NO_ANSWER", message, { cause: error })
    : serviceError("IDENTITY", message, { cause: error });
}
