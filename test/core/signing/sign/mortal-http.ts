import type { HttpClient } from "../../../../src/core/http/client";

/** What a process that was killed makes of a call; no policy repeats it. */
export class Killed extends Error {}

/**
 * HTTP of a process that dies once the request with this number has ended, which leaves behind what dying
 * before the next one does. 0 is before the first.
 */
export function mortalHttp(http: HttpClient, diesAfter: number) {
  const life = { requests: 0, isOver: diesAfter === 0 };
  const hasDied = () => life.isOver;
  const live = async <T>(call: () => Promise<T>, forget: (answer: T) => void): Promise<T> => {
    if (hasDied()) throw new Killed();
    life.requests++;
    const isLast = life.requests === diesAfter;
    const answer = await call().finally(() => {
      life.isOver ||= isLast;
    });
    if (!hasDied()) return answer;
    forget(answer);
    throw new Killed();
  };
  const client: HttpClient = {
    request: (request) =>
      live(
        () => http.request(request),
        () => undefined,
      ),
    open: (request) =>
      live(
        () => http.open(request),
        (answer) => answer.discard(),
      ),
    close: () => Promise.resolve(),
  };
  return { client, hasDied };
}
